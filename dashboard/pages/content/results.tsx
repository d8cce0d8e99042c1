// Results of a block's versions in a phase: rates, differences with intervals, the chance to win, and their
// reliability.
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { FlaskConical } from 'lucide-react'
import { type Block, listPhases, type Phase, readResults, type Results, type VersionResult } from '../../api/content.ts'
import { chance, date, decimal, duration, NO_FIGURE, number, percent } from '../../format.ts'
import { Select } from '../../parts/fields.tsx'
import { Badge, Progress, type Tone } from '../../parts/marks.tsx'
import { Panel } from '../../parts/panel.tsx'
import { EmptyState, Loaded, SkeletonLines } from '../../parts/states.tsx'
import { type Column, DataTable } from '../../parts/table.tsx'
import { useProperty } from '../../session.tsx'
import { content as text } from '../../texts/index.ts'
import { numberParam, useUrlState } from '../../url.ts'
import styles from './content.module.css'
import { useGoalWords } from './goal.tsx'
import { Interval, reachOf } from './interval.tsx'
import { TestVerdict } from './verdict.tsx'

const words = text.results
const PHASES = 50
/** 0: the one that counts now. */
const codecs = { phase: numberParam(0) }

const tones: Readonly<Record<'better' | 'worse' | 'unclear', Tone>> = { better: 'good', worse: 'bad', unclear: 'plain' }

export function ResultsTab({ block }: { block: Block }) {
  const property = useProperty()
  const [{ phase }] = useUrlState<{ phase: number }>(codecs)
  const results = useQuery({
    queryKey: ['content-of', property.id, block.id, 'results', phase],
    queryFn: ({ signal }) => readResults(property.id, block.id, phase === 0 ? null : phase, signal),
    placeholderData: keepPreviousData,
  })
  const goal = useGoalWords(block.goal)
  return (
    <Panel title={words.title} subtitle={words.goal(goal)} actions={<PhaseSelect block={block} />}>
      <Loaded query={results} skeleton={<SkeletonLines lines={8} />}>
        {({ results: loaded }) =>
          loaded.versions.length === 0 ? (
            <EmptyState isSmall icon={<FlaskConical />} title={words.emptyTitle}>
              {words.empty}
            </EmptyState>
          ) : (
            <Told block={block} results={loaded} />
          )
        }
      </Loaded>
    </Panel>
  )
}

const daysOf = ({ started_ms, ended_ms }: Phase): string => {
  const from = date(started_ms / 1000)
  return ended_ms === null ? words.since(from) : `${from} – ${date(ended_ms / 1000)}`
}

function PhaseSelect({ block }: { block: Block }) {
  const property = useProperty()
  const [{ phase }, setState] = useUrlState<{ phase: number }>(codecs)
  const phases = useQuery({
    queryKey: ['content-of', property.id, block.id, 'phases', 'latest'],
    queryFn: ({ signal }) => listPhases(property.id, block.id, { page: 1, per_page: PHASES }, signal),
  })
  const options = (phases.data?.data ?? []).map((each) => ({
    value: String(each.number),
    label: words.phaseOption(each.number, daysOf(each)),
  }))
  const chosen = phase === 0 ? block.phase : phase
  const isKnown = options.some(({ value }) => value === String(chosen))
  return (
    <Select
      label={words.phase}
      hidesLabel
      className={styles.phase}
      value={String(chosen)}
      onChange={(next) => setState({ phase: Number(next) === block.phase ? 0 : Number(next) })}
      options={isKnown ? options : [{ value: String(chosen), label: `${words.phase} ${chosen}` }, ...options]}
    />
  )
}

function Told({ block, results }: { block: Block; results: Results }) {
  const { has_enough_data, bots, versions } = results
  return (
    <div className={styles.results}>
      <TestVerdict block={block} results={results} />
      <ResultTable results={results} />
      <p className={styles.small}>{has_enough_data ? words.intervalHint : words.floor}</p>
      {versions.length > 1 && <SampleRatio results={results} />}
      {bots.views + bots.clicks > 0 && (
        <p className={styles.small}>{words.bots(number(bots.views), number(bots.clicks))}</p>
      )}
    </div>
  )
}

function Verdict({ result, isWinner }: { result: VersionResult; isWinner: boolean }) {
  if (isWinner) return <Badge tone="good">{words.winner}</Badge>
  if (result.verdict === 'baseline') return <Badge>{words.baseline}</Badge>
  if (result.verdict === null) return null
  return <Badge tone={tones[result.verdict]}>{words.verdicts[result.verdict]}</Badge>
}

function ResultTable({ results: { versions, winner } }: { results: Results }) {
  const reach = reachOf(versions)
  const columns: readonly Column<VersionResult>[] = [
    {
      id: 'version',
      header: words.version,
      cell: (result) => (
        <span className={styles.named}>
          {result.label} <Verdict result={result} isWinner={result.version_id === winner} />
        </span>
      ),
    },
    { id: 'n', header: words.sessions, align: 'end', cell: ({ n }) => number(n) },
    {
      id: 'goals',
      header: words.goals,
      align: 'end',
      cell: ({ goals }) => (goals === null ? NO_FIGURE : number(goals)),
    },
    {
      id: 'rate',
      header: words.rate,
      align: 'end',
      cell: ({ rate }) => <strong>{rate === null ? NO_FIGURE : percent(rate)}</strong>,
    },
    {
      id: 'difference',
      header: words.difference,
      width: '28%',
      cell: (result) => <Interval result={result} reach={reach} />,
    },
    { id: 'chance', header: words.chance, cell: (result) => <Chance result={result} /> },
    {
      id: 'dwell',
      header: words.dwell,
      align: 'end',
      isMinor: true,
      cell: ({ dwell_ms }) => (dwell_ms === null ? NO_FIGURE : duration(dwell_ms / 1000)),
    },
    { id: 'clicks', header: words.clicks, align: 'end', isMinor: true, cell: ({ clicks }) => number(clicks) },
  ]
  return (
    <div className={styles.wide}>
      <DataTable caption={words.caption} columns={columns} rows={versions} rowKey={({ version_id }) => version_id} />
    </div>
  )
}

function Chance({ result: { chance_to_win, label } }: { result: VersionResult }) {
  if (chance_to_win === null) return NO_FIGURE
  return (
    <span className={styles.chance}>
      <Progress value={chance_to_win} label={`${words.chance}: ${label}`} />
      <span>{chance(chance_to_win)}</span>
    </span>
  )
}

/** Below this it is only said that it is less. */
const LEAST_P = 0.01

function SampleRatio({ results: { sample_ratio, versions } }: { results: Results }) {
  const { expected, p_value, is_suspicious } = sample_ratio
  const rows = expected.filter(({ observed }) => observed !== null)
  if (rows.length === 0) return null
  return (
    <section className={styles.ratio}>
      <h3>{words.ratioTitle}</h3>
      <ul>
        {rows.map(({ version_id, share, observed }) => (
          <li key={version_id}>
            {words.ratio(
              versions.find((version) => version.version_id === version_id)?.label ?? version_id,
              percent(observed ?? 0),
              percent(share),
            )}
          </li>
        ))}
      </ul>
      {p_value !== null && (
        <p className={styles.small}>
          {is_suspicious ? '' : `${words.ratioGood} `}
          {words.pValue(p_value < LEAST_P ? `< ${decimal(LEAST_P)}` : decimal(p_value))}
        </p>
      )}
    </section>
  )
}
