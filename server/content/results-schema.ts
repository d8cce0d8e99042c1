// What the results of content take and answer: for documentation and for the check of the address.
import { Type } from 'typebox'
import { answerOf, MaybeNumber, MaybeText, open } from '../http/shapes.ts'
import { goalTypes } from './content.ts'

export const ResultsParams = Type.Object({ property: Type.String(), block: Type.String() })

export const ResultsQuery = Type.Object({
  phase: Type.Optional(Type.String({ description: 'Its number; default: the phase that counts now.' })),
})

const MaybeShare = (description: string) => Type.Unsafe<number | null>({ type: ['number', 'null'], description })

const VersionShape = Type.Object(
  {
    version_id: Type.String(),
    label: Type.String(),
    weight: Type.Integer(),
    n: Type.Integer({ description: 'Sessions that saw it.' }),
    views: Type.Integer(),
    clicks: Type.Integer(),
    dwell_ms: Type.Unsafe<number | null>({
      type: ['integer', 'null'],
      description: 'Mean of the views that told one.',
    }),
    goals: Type.Unsafe<number | null>({
      type: ['integer', 'null'],
      description: 'Sessions that reached the goal after seeing it.',
    }),
    rate: MaybeShare('goals / n.'),
    difference: MaybeShare('Rate less that of the first version.'),
    interval: Type.Unsafe<readonly [number, number] | null>({
      type: ['array', 'null'],
      items: { type: 'number' },
      description: '95% interval of the difference; null without enough data.',
    }),
    chance_to_win: MaybeShare('Probability that its rate is the highest; null without enough data.'),
    verdict: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      enum: ['baseline', 'better', 'worse', 'unclear', null],
    }),
  },
  open,
)

export const ResultsAnswer = answerOf({
  results: Type.Object(
    {
      content_id: Type.String(),
      phase: Type.Object({
        number: Type.Integer(),
        started_ts: Type.Integer(),
        ended_ts: MaybeNumber,
        is_current: Type.Boolean(),
      }),
      goal: Type.Object({ type: Type.String({ enum: [...goalTypes] }), value: MaybeText }),
      versions: Type.Array(VersionShape),
      sample_ratio: Type.Object({
        expected: Type.Array(
          Type.Object({
            version_id: Type.String(),
            share: Type.Number(),
            observed: MaybeShare('null without sessions.'),
          }),
        ),
        p_value: MaybeShare('null with too few sessions.'),
        is_suspicious: Type.Boolean(),
      }),
      has_enough_data: Type.Boolean(),
      reason: MaybeText,
      winner: Type.Unsafe<string | null>({ type: ['string', 'null'], description: 'Version id.' }),
      bots: Type.Object({ views: Type.Integer(), clicks: Type.Integer() }),
    },
    open,
  ),
})
