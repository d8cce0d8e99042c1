// What the check of the tracking answers, for the check and for the documentation.
import { type TObject, Type } from 'typebox'
import { type JsonOf, MaybeNumber, MaybeText, oneOf, open } from '../http/shapes.ts'

const count = Type.Integer()

const adviceCodes = [
  'no_view',
  'only_bots',
  'foreign_hosts',
  'refused_hosts',
  'refused_calls',
  'old_library',
  'library_errors',
  'excluded_self',
  'quiet',
] as const
const AdviceShape = Type.Object({ code: oneOf(adviceCodes), text: Type.String() }, open)
export type AdviceJson = JsonOf<typeof AdviceShape>
const ofLastDays = { description: 'Of the last seven days.' }

export const trackingFields = {
  first_view_ts: MaybeNumber,
  last_view_ts: MaybeNumber,
  views_24h: count,
  hosts: Type.Array(Type.Object({ host: Type.String(), views: count, is_own: Type.Boolean() }, open), ofLastDays),
  libraries: Type.Array(Type.Object({ version: Type.String(), views: count }, open), ofLastDays),
  refused: Type.Array(
    Type.Object({ reason: oneOf(['host', 'revenue', 'identify', 'amount']), host: MaybeText, calls: count }, open),
    ofLastDays,
  ),
  errors_24h: Type.Integer({ description: 'Reports of the browser libraries.' }),
  advice: Type.Array(AdviceShape),
}
export type TrackingJson = JsonOf<TObject<typeof trackingFields>>
