// What the statistics of a form take and answer: checked by these, documented by these.
import { Type } from 'typebox'
import { answerOf, MaybeText, open } from '../http/shapes.ts'

/** As the analytics take it, in the address. */
export const StatisticsQuery = Type.Object({
  period: Type.Optional(Type.String({ description: 'Default: the property’s, else `last_7`.' })),
  date_from: Type.Optional(Type.String({ description: 'YYYY-MM-DD, when `period` is `custom`.' })),
  date_to: Type.Optional(Type.String({ description: 'YYYY-MM-DD, when `period` is `custom`.' })),
})

export const FormParams = Type.Object({ property: Type.String(), form: Type.String() })

const steps = {
  views: Type.Integer({ description: 'Times the form was shown.' }),
  opened: Type.Integer({ description: 'Of which something was validated or sent.' }),
  submitted: Type.Integer({ description: 'Submissions, flagged ones included.' }),
}
const Rate = (description: string) => Type.Unsafe<number | null>({ type: ['number', 'null'], description })

export const StatisticsAnswer = answerOf({
  statistics: Type.Object(
    {
      period: Type.String(),
      date_from: MaybeText,
      date_to: MaybeText,
      showing: Type.String(),
      ...steps,
      flagged: Type.Integer({ description: 'Submissions that the spam score flagged.' }),
      dropped: Type.Integer({ description: 'Kept apart as spam, those of bots included.' }),
      rate: Rate('submitted / views; null without views.'),
      rate_opened: Rate('opened / views; null without views.'),
      bots: Type.Object(steps, open),
      by_source: Type.Array(Type.Object({ source: Type.String(), ...steps, rate: Rate('submitted / views.') }, open), {
        description: 'The ten with most submissions; of equal ones those with most views.',
      }),
      by_country: Type.Array(
        Type.Object(
          { country_code: Type.String(), country: Type.String(), ...steps, rate: Rate('submitted / views.') },
          open,
        ),
      ),
    },
    open,
  ),
})
