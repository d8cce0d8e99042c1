// What the management interface takes and answers for sessions that are marked as invalid; checked by these,
// documented by these.
import { Type } from 'typebox'
import { type JsonOf, MaybeNumber, MaybeText, oneOf, open } from '../http/shapes.ts'
import { markingStates } from './records.ts'

/** The last second of the year 2099. */
const LAST_TS = 4_102_444_799
/** Longer than any name of a network, or of a host. */
const MAX_TEXT = 255

export const MarkBody = Type.Object({ is_invalid: Type.Boolean({ description: 'False: it is valid again.' }) })

export const markedFields = { session_id: Type.String(), is_invalid: Type.Boolean() }

const Second = (description: string) => Type.Integer({ minimum: 0, maximum: LAST_TS, description })

const OptionalText = (description: string) =>
  Type.Optional(Type.Unsafe<string | null>({ type: ['string', 'null'], maxLength: MAX_TEXT, description }))

export const NewMarking = Type.Object({
  from_ts: Second('Unix seconds: sessions that began from then on.'),
  to_ts: Second('Not included; what comes after the call is not marked.'),
  network: OptionalText('The network of the visitors, as a trial names it. Without one: any.'),
  host: OptionalText('The host of the page on which the sessions began. Without one: any.'),
  is_trial: Type.Optional(Type.Boolean({ description: 'Only count: nothing is marked.' })),
})
export type NewMarkingJson = JsonOf<typeof NewMarking>

export const MarkingShape = Type.Object(
  {
    id: Type.String({ examples: ['mk_…'] }),
    network: MaybeText,
    host: MaybeText,
    from_ts: Type.Integer(),
    to_ts: Type.Integer(),
    state: oneOf(markingStates),
    sessions: Type.Integer({ description: 'How many there were when it began.' }),
    done: Type.Integer({ description: 'How many of them are marked by now.' }),
    created_ts: Type.Integer(),
    finished_ts: MaybeNumber,
  },
  open,
)

export type MarkingJson = JsonOf<typeof MarkingShape>
export const MarkingList = Type.Array(MarkingShape)

const MarkedSessionShape = Type.Object(
  {
    session_id: Type.String(),
    marked_ts: Type.Integer({ description: 'When it was marked.' }),
    entry_ts: Type.Integer(),
    network: Type.String(),
    host: Type.String({ description: 'Of the page on which it began.' }),
    path: Type.String(),
    country_code: Type.String(),
  },
  open,
)
export type MarkedSessionJson = JsonOf<typeof MarkedSessionShape>
export const MarkedSessionList = Type.Array(MarkedSessionShape)

const Counted = Type.Array(Type.Object({ id: Type.String(), sessions: Type.Integer() }, open))
const TrialShape = Type.Object({ sessions: Type.Integer(), networks: Counted, hosts: Counted }, open)
export type TrialJson = JsonOf<typeof TrialShape>

export const newMarkingFields = { marking: Type.Optional(MarkingShape), trial: Type.Optional(TrialShape) }
