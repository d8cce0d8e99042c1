// The figures of a form, as they are asked for and answered.
import { Type } from 'typebox'
import { described, type JsonOf, MaybeRate, MaybeText, open, windowQuery } from '../http/shapes.ts'

export const StatisticsQuery = Type.Object(windowQuery)

const steps = {
  views: Type.Integer({ description: 'Times the form was shown.' }),
  opened: Type.Integer({ description: 'Of which something was validated or sent.' }),
  submitted: Type.Integer({ description: 'Submissions, flagged ones included.' }),
}
const stepsWithRate = { ...steps, rate: described(MaybeRate, 'submitted / views.') }

export const StatisticsShape = Type.Object(
  {
    period: Type.String(),
    date_from: MaybeText,
    date_to: MaybeText,
    showing: Type.String(),
    ...steps,
    flagged: Type.Integer({ description: 'Submissions that the spam score flagged.' }),
    dropped: Type.Integer({ description: 'Kept apart as spam, those of bots included.' }),
    rate: described(MaybeRate, 'submitted / views; null without views.'),
    rate_opened: described(MaybeRate, 'opened / views; null without views.'),
    bots: Type.Object(steps, open),
    by_source: Type.Array(Type.Object({ source: Type.String(), ...stepsWithRate }, open), {
      description: 'The ten with most submissions; of equal ones those with most views.',
    }),
    by_country: Type.Array(
      Type.Object({ country_code: Type.String(), country: Type.String(), ...stepsWithRate }, open),
    ),
  },
  open,
)
export type StatisticsJson = JsonOf<typeof StatisticsShape>
