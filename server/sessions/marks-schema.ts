// What the management interface takes and answers for sessions that are marked as invalid; checked by these, documented by these.
import { Type } from 'typebox'
import { answerOf, MaybeNumber, MaybeText, open } from '../http/shapes.ts'

/** The last second of the year 2099. */
const LAST_TS = 4_102_444_799
/** Longer than any name of a network, or of a host. */
const MAX_TEXT = 255

export const PropertyParams = Type.Object({ property: Type.String() })
export const SessionParams = Type.Object({ property: Type.String(), session: Type.String() })
export const MarkingParams = Type.Object({ property: Type.String(), marking: Type.String() })

export const MarkBody = Type.Object({ is_invalid: Type.Boolean({ description: 'False: it is valid again.' }) })

export const MarkedAnswer = answerOf({ session_id: Type.String(), is_invalid: Type.Boolean() })

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

const MarkingShape = Type.Object(
  {
    id: Type.String({ examples: ['mk_…'] }),
    network: MaybeText,
    host: MaybeText,
    from_ts: Type.Integer(),
    to_ts: Type.Integer(),
    state: Type.String({ description: 'marking, marked, undoing or undone.' }),
    sessions: Type.Integer({ description: 'How many there were when it began.' }),
    done: Type.Integer({ description: 'How many of them are marked by now.' }),
    created_ts: Type.Integer(),
    finished_ts: MaybeNumber,
  },
  open,
)

export const MarkedSessionList = answerOf(
  {
    data: Type.Array(
      Type.Object(
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
      ),
    ),
  },
  'The latest 200. Texts are empty where nothing is known.',
)

const Counted = Type.Array(Type.Object({ id: Type.String(), sessions: Type.Integer() }, open))

export const MarkingAnswer = answerOf({ marking: MarkingShape })
export const MarkingList = answerOf({ data: Type.Array(MarkingShape) }, 'The latest 200.')
export const NewMarkingAnswer = answerOf(
  {
    marking: Type.Optional(MarkingShape),
    trial: Type.Optional(Type.Object({ sessions: Type.Integer(), networks: Counted, hosts: Counted }, open)),
  },
  'The marking, which goes on in the background; of a trial, how many sessions it would mark and where they come from.',
)
