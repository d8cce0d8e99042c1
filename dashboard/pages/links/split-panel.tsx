// The destinations of a link's split against each other: who is ahead, and whether that is certain, as
// experiments tell it.
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { readSplitResults, type SplitResults, type VariantResult } from '../../api/link-results.ts'
import { type Link, readRules } from '../../api/links.ts'
import { chance, dateTime, NO_FIGURE, number, percent } from '../../format.ts'
import { useGoals } from '../../goals.ts'
import { Select } from '../../parts/fields.tsx'
import { Badge, type Tone } from '../../parts/marks.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Loaded, Note, SkeletonLines } from '../../parts/states.tsx'
import { type Column, DataTable } from '../../parts/table.tsx'
import { useProperty } from '../../session.tsx'
import { content as contentText, link as text } from '../../texts/index.ts'
import { textParam, useUrlState } from '../../url.ts'
import { useWindow } from '../../window.ts'
import { Interval, reachOf } from '../content/interval.tsx'
import { sentenceOf } from '../content/sentence.ts'
import { rulesKey, shortName } from './links.ts'
import styles from './links.module.css'

const words = text.splitResults
const codecs = { goal: textParam }
const tones: Readonly<Record<'better' | 'worse' | 'unclear', Tone>> = { better: 'good', worse: 'bad', unclear: 'plain' }

/** Nothing where the link has no split. */
export function SplitPanel({ link }: { link: Link }) {
  const property = useProperty()
  const rules = useQuery({
    queryKey: rulesKey(property.id, link.id),
    queryFn: ({ signal }) => readRules(property.id, link.id, signal),
  })
  return rules.data?.rules.split.length ? <Split link={link} /> : null
}

function Split({ link }: { link: Link }) {
  const property = useProperty()
  const [{ period, date_from, date_to }] = useWindow()
  const [{ goal }] = useUrlState<{ goal: string }>(codecs)
  const ask = { period, date_from, date_to, conversion: goal }
  const split = useQuery({
    queryKey: ['link-split', property.id, link.id, ask],
    queryFn: ({ signal }) => readSplitResults(property.id, link.id, ask, signal),
    placeholderData: keepPreviousData,
  })
  return (
    <Panel title={words.title} actions={<GoalSelect />}>
      <Loaded query={split} skeleton={<SkeletonLines lines={4} />}>
        {({ results }) => <Told results={results} />}
      </Loaded>
    </Panel>
  )
}

function GoalSelect() {
  const [{ goal }, setState] = useUrlState<{ goal: string }>(codecs)
  const goals = useGoals()
  const options = [
    { value: '', label: words.anyForm },
    ...(goals ?? []).map(({ id, name }) => ({ value: id, label: name })),
  ]
  const isKnown = options.some(({ value }) => value === goal)
  return (
    <Select
      label={words.goal}
      hidesLabel
      value={goal}
      onChange={(next) => setState({ goal: next })}
      options={isKnown ? options : [...options, { value: goal, label: goals ? words.gone : goal }]}
    />
  )
}

function Told({ results }: { results: SplitResults }) {
  const { variants, winner, reason, has_enough_data, sample_ratio, since_ts } = results
  const { is_suspicious } = sample_ratio
  const versions = variants.map((one) => ({ ...one, version_id: one.id, label: shortName(one.destination_url) }))
  const sentence = has_enough_data && !is_suspicious ? sentenceOf({ winner, versions }) : undefined
  return (
    <>
      <Note tone={is_suspicious ? 'bad' : winner === null ? 'plain' : 'good'}>
        {sentence ?? reason ?? contentText.results.enough}
      </Note>
      <Table results={results} />
      <p className={styles.aside}>{has_enough_data ? contentText.results.intervalHint : words.floor}</p>
      {since_ts !== null && <p className={styles.aside}>{words.since(dateTime(since_ts))}</p>}
    </>
  )
}

function Verdict({ variant: { id, verdict }, winner }: { variant: VariantResult; winner: string | null }) {
  if (id === winner) return <Badge tone="good">{contentText.results.winner}</Badge>
  if (verdict === null) return null
  if (verdict === 'baseline') return <Badge>{contentText.results.baseline}</Badge>
  return <Badge tone={tones[verdict]}>{contentText.results.verdicts[verdict]}</Badge>
}

const figure = (id: 'clicks' | 'visitors' | 'arrived' | 'converted'): Column<VariantResult> => ({
  id,
  header: words[id],
  align: 'end',
  cell: (variant) => number(variant[id]),
})

function Table({ results: { variants, winner } }: { results: SplitResults }) {
  const reach = reachOf(variants)
  const columns: readonly Column<VariantResult>[] = [
    {
      id: 'destination',
      header: words.destination,
      cell: (variant) => (
        <span className={styles.address}>
          {shortName(variant.destination_url)} <Verdict variant={variant} winner={winner} />
        </span>
      ),
    },
    ...(['clicks', 'visitors', 'arrived', 'converted'] as const).map(figure),
    {
      id: 'rate',
      header: words.rate,
      align: 'end',
      cell: ({ rate }) => <strong>{rate === null ? NO_FIGURE : percent(rate)}</strong>,
    },
    { id: 'difference', header: words.difference, cell: (variant) => <Interval result={variant} reach={reach} /> },
    {
      id: 'chance',
      header: words.chance,
      align: 'end',
      cell: ({ chance_to_win }) => (chance_to_win === null ? NO_FIGURE : chance(chance_to_win)),
    },
  ]
  return <DataTable caption={words.caption} columns={columns} rows={variants} rowKey={({ id }) => id} />
}
