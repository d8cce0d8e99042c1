// What the endpoint of content results takes and answers: for documentation and validation.
import { Type } from 'typebox'
import { described, type JsonOf, MaybeNumber, MaybeRate, MaybeText, open } from '../http/shapes.ts'
import { Goal } from '../content/schema.ts'

export const ResultsQuery = Type.Object({
  phase: Type.Optional(Type.String({ description: 'Its number; default: the phase that counts now.' })),
})

const VersionShape = Type.Object(
  {
    version_id: Type.String(),
    label: Type.String(),
    weight: Type.Integer(),
    n: Type.Integer({ description: 'Sessions that saw it.' }),
    views: Type.Integer(),
    clicks: Type.Integer(),
    dwell_ms: described(MaybeNumber, 'Mean of the views that told one.'),
    goals: described(MaybeNumber, 'Sessions that reached the goal after seeing it.'),
    rate: described(MaybeRate, 'goals / n.'),
    difference: described(MaybeRate, 'Rate less that of the first version.'),
    interval: Type.Unsafe<readonly [number, number] | null>({
      type: ['array', 'null'],
      items: { type: 'number' },
      description: '95% interval of the difference; null without enough data.',
    }),
    chance_to_win: described(MaybeRate, 'Probability that its rate is the highest; null without enough data.'),
    verdict: Type.Unsafe<'baseline' | 'better' | 'worse' | 'unclear' | null>({
      type: ['string', 'null'],
      enum: ['baseline', 'better', 'worse', 'unclear', null],
    }),
  },
  open,
)
export type VersionResultJson = JsonOf<typeof VersionShape>

export const ResultsShape = Type.Object(
  {
    content_id: Type.String(),
    phase: Type.Object({
      number: Type.Integer(),
      started_ts: Type.Integer(),
      ended_ts: MaybeNumber,
      is_current: Type.Boolean(),
    }),
    goal: Goal,
    versions: Type.Array(VersionShape),
    sample_ratio: Type.Object({
      expected: Type.Array(
        Type.Object({
          version_id: Type.String(),
          share: Type.Number(),
          observed: described(MaybeRate, 'null without sessions.'),
        }),
      ),
      p_value: described(MaybeRate, 'null with too few sessions.'),
      is_suspicious: Type.Boolean(),
    }),
    has_enough_data: Type.Boolean(),
    reason: MaybeText,
    winner: described(MaybeText, 'Version id.'),
    bots: Type.Object({ views: Type.Integer(), clicks: Type.Integer() }),
  },
  open,
)
export type ResultsJson = JsonOf<typeof ResultsShape>
