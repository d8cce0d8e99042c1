// The results of a phase of a content block: what each version achieved, how it compares with the first one,
// and whether the comparison can be trusted (docs/definitions.md, "Content"). No version is called better
// before there is enough data.
import type { Deps } from '../kernel/deps.ts'
import { Problem } from '../kernel/problem.ts'
import type { Block } from '../content/content-model.ts'
import { findGoalRows } from './goals.ts'
import { findPhase, type Phase, type Share } from '../content/history-records.ts'
import { noFigures, type PhaseFigures, readPhaseFigures, type VersionFigures } from './facts.ts'
import type { ResultsJson, VersionResultJson } from './schema.ts'
import { type Arm, chancesToWin, checkSampleRatio, differenceInterval, type SampleRatio } from './statistics.ts'

/**
 * Sessions that must have seen each version, and goals over all versions: with fewer, an interval says
 * nothing and a chance too much.
 */
export const ENOUGH_SESSIONS = 100
export const ENOUGH_GOALS = 10
/** The chance from which on a version has won. */
export const WINNER_CHANCE = 0.975

const DECIMALS = 1_000_000

const rounded = (value: number): number => Math.round(value * DECIMALS) / DECIMALS || 0

type Counted = Share & { readonly figures: VersionFigures }

const armOf = ({ figures }: Counted): Arm => ({ n: figures.n, goals: figures.goals })

/** Why nothing is said, in words that fit what is compared. */
export interface Reasons {
  readonly noGoal: string
  readonly none: string
  readonly one: string
  readonly fewSessions: string
  readonly fewGoals: string
  readonly suspicious: string
}

const ofVersions: Reasons = {
  noGoal: 'The conversion that was the goal has been deleted: choose another goal.',
  none: 'No version was shown in this phase.',
  one: 'One version was shown in this phase: there is nothing to compare it with.',
  fewSessions: `Not enough data: each version must have been seen in at least ${ENOUGH_SESSIONS} sessions.`,
  fewGoals: `Not enough data: the goal must have been reached in at least ${ENOUGH_GOALS} sessions.`,
  suspicious:
    'The sessions did not fall on the versions by their weights: one of them may be slower, broken or counted differently. Find out why before you believe the rates.',
}

/** undefined when there is enough. */
function whyNotEnough(shown: readonly Counted[], isGoalKnown: boolean, reasons: Reasons): string | undefined {
  if (!isGoalKnown) return reasons.noGoal
  if (shown.length === 0) return reasons.none
  if (shown.length === 1) return reasons.one
  if (shown.some(({ figures }) => figures.n < ENOUGH_SESSIONS)) return reasons.fewSessions
  if (shown.reduce((sum, { figures }) => sum + figures.goals, 0) < ENOUGH_GOALS) return reasons.fewGoals
  return undefined
}

function verdictOf(interval: readonly [number, number]): VersionResultJson['verdict'] {
  const [low, high] = interval
  if (low > 0) return 'better'
  return high < 0 ? 'worse' : 'unclear'
}

interface Comparison {
  readonly interval: readonly [number, number] | null
  readonly chance_to_win: number
  readonly verdict: VersionResultJson['verdict']
}

/** Versions that were shown; the others are compared with the first. */
function compare(shown: readonly Counted[]): Map<string, Comparison> {
  const arms = shown.map(armOf)
  const chances = chancesToWin(arms)
  const [base] = arms
  return new Map(
    shown.map(({ version_id }, at): [string, Comparison] => {
      const chance_to_win = rounded(chances[at] ?? 0)
      const arm = arms[at]
      if (at === 0 || !arm || !base) return [version_id, { interval: null, chance_to_win, verdict: 'baseline' }]
      const { low, high } = differenceInterval(arm, base)
      const interval = [rounded(low), rounded(high)] as const
      return [version_id, { interval, chance_to_win, verdict: verdictOf([low, high]) }]
    }),
  )
}

const rateOf = ({ n, goals }: Arm): number | null => (n === 0 ? null : goals / n)

function versionResult(counted: Counted, base: Counted | undefined, found: Comparison | undefined): VersionResultJson {
  const { version_id, label, weight, figures } = counted
  const rate = rateOf(figures)
  const baseRate = base ? rateOf(base.figures) : null
  const isComparable = base !== undefined && base.version_id !== version_id && rate !== null && baseRate !== null
  return {
    version_id,
    label,
    weight,
    n: figures.n,
    views: figures.views,
    clicks: figures.clicks,
    dwell_ms: figures.dwellMs,
    goals: figures.goals,
    rate: rate === null ? null : rounded(rate),
    difference: isComparable ? rounded(rate - baseRate) : null,
    interval: found?.interval ?? null,
    chance_to_win: found?.chance_to_win ?? null,
    verdict: found?.verdict ?? null,
  }
}

/** Without a goal there are no success rates. */
const withoutGoal = (result: VersionResultJson): VersionResultJson => ({
  ...result,
  goals: null,
  rate: null,
  difference: null,
})

function sampleRatioOf(shown: readonly Counted[]): ResultsJson['sample_ratio'] {
  const counts = shown.map(({ figures }) => figures.n)
  const total = counts.reduce((sum, count) => sum + count, 0)
  const none: SampleRatio = { expected: [], p_value: null, is_suspicious: false }
  const ratio =
    shown.length === 0
      ? none
      : checkSampleRatio(
          counts,
          shown.map(({ weight }) => weight),
        )
  return {
    expected: shown.map(({ version_id, figures }, at) => ({
      version_id,
      share: rounded(ratio.expected[at] ?? 0),
      observed: total === 0 ? null : rounded(figures.n / total),
    })),
    // Small values are not rounded: they would become 0.
    p_value: ratio.p_value,
    is_suspicious: ratio.is_suspicious,
  }
}

/** Computes the results from the figures. Pure: the same figures give the same results. */
export function judge(
  phase: Pick<Phase, 'setup'>,
  figures: PhaseFigures,
  isGoalKnown: boolean,
  reasons: Reasons = ofVersions,
) {
  const all = phase.setup.map((share): Counted => ({
    ...share,
    figures: figures.byVersion.get(share.version_id) ?? noFigures,
  }))
  const shown = all.filter(({ weight }) => weight > 0)
  const reason = whyNotEnough(shown, isGoalKnown, reasons)
  const found = reason === undefined ? compare(shown) : new Map<string, Comparison>()
  const versions = all.map((counted) => versionResult(counted, shown[0], found.get(counted.version_id)))
  const sample_ratio = sampleRatioOf(shown)
  const best = versions.find(({ chance_to_win }) => chance_to_win !== null && chance_to_win >= WINNER_CHANCE)
  return {
    versions: isGoalKnown ? versions : versions.map(withoutGoal),
    sample_ratio,
    has_enough_data: reason === undefined,
    reason: reason ?? (sample_ratio.is_suspicious ? reasons.suspicious : null),
    winner: sample_ratio.is_suspicious ? null : (best?.version_id ?? null),
    bots: figures.bots,
  }
}

const seconds = (timeMs: number): number => Math.floor(timeMs / 1000)

/**
 * @param number null: the current phase. @throws Problem('not_found') when the block has no such phase (any
 * more).
 */
export async function readResults(
  { records, facts, now }: Pick<Deps, 'records' | 'facts' | 'now'>,
  block: Pick<Block, 'id' | 'property_id' | 'phase' | 'goal'>,
  number: number | null,
) {
  const phase = await findPhase(records, block, number ?? block.phase)
  if (!phase) throw new Problem('not_found', 'The content block does not have this phase.')
  const goal = await findGoalRows(records, block.property_id, block.goal)
  const ref = {
    propertyId: block.property_id,
    blockId: block.id,
    number: phase.number,
    startedMs: phase.started_ms,
    endedMs: phase.ended_ms ?? now(),
    versions: phase.setup.map(({ version_id }) => version_id),
  }
  const figures = await readPhaseFigures(facts, ref, goal)
  return {
    content_id: block.id,
    phase: {
      number: phase.number,
      started_ts: seconds(phase.started_ms),
      ended_ts: phase.ended_ms === null ? null : seconds(phase.ended_ms),
      is_current: phase.ended_ms === null,
    },
    goal: block.goal,
    ...judge(phase, figures, goal !== undefined),
  }
}
