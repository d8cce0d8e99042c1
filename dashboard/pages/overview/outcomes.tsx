// What came of the visits: events, conversions, forms, links and content, each with its own figures.
import { ArrowUpRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { Outcomes, Overview } from '../../api/overview.ts'
import { money, NO_FIGURE, number, shareOf } from '../../format.ts'
import { Panel, Tabs } from '../../parts/panel.tsx'
import { type Column, DataTable } from '../../parts/table.tsx'
import { useProperty, useMayFilter, usePropertyPath } from '../../session.tsx'
import { hasSharedOutcomes } from '../../shared-ids.ts'
import { overview as text } from '../../texts/index.ts'
import { isChosen, toggled } from './choosing.ts'
import styles from './outcomes.module.css'
import { outcomeTabs, type SetView, type View } from './view.ts'

export interface OutcomePanelProps {
  readonly overview: Overview
  readonly view: View
  readonly setView: SetView
}

export function OutcomePanel({ overview, view, setView }: OutcomePanelProps) {
  return (
    <Panel className={styles.panel}>
      <h2 className="visually-hidden">{text.panels.outcomes}</h2>
      <Tabs
        isSmall
        tabs={outcomeTabs.map((id) => ({ id, label: text.outcomes[id] }))}
        chosen={view.outcomes}
        onChoose={(outcomes) => setView({ outcomes }, { replace: true })}
        label={text.panels.outcomes}
      >
        <div className={styles.body}>
          <Shown overview={overview} view={view} setView={setView} />
        </div>
      </Tabs>
    </Panel>
  )
}

type Row<Kind extends keyof Outcomes> = Outcomes[Kind][number]

const figures = <Of,>(id: string, header: string, of: (row: Of) => number): Column<Of> => ({
  id,
  header,
  align: 'end',
  cell: (row) => number(of(row)),
})
const rates = <Of,>(of: (row: Of) => number | null, whole = 1): Column<Of> => ({
  id: 'rate',
  header: text.outcomes.rate,
  align: 'end',
  cell: (row) => shareOf(of(row), whole),
})

type Named = (clause: string | null, value: string, label: string, to?: string) => ReactNode
type TableOf<Kind extends keyof Outcomes> = (rows: Outcomes[Kind], name: Named) => ReactNode

function Shown({ overview: { outcomes, cards }, view, setView }: OutcomePanelProps) {
  const { isShared } = useProperty()
  const sessions = cards.find(({ id }) => id === 'sessions')?.current ?? 0
  const name: Named = (clause, value, label, to) => (
    <Name clause={clause} value={value} label={label} to={to} view={view} setView={setView} />
  )
  const shown = {
    events: () => eventTable(outcomes.events, name),
    conversions: () => conversionTable(outcomes.conversions, name, sessions),
    forms: () => formTable(outcomes.forms, name),
    links: () => linkTable(outcomes.links, name),
    content: () => contentTable(outcomes.content, name),
  } satisfies Record<keyof Outcomes, () => ReactNode>
  if (isShared && !hasSharedOutcomes(view.f)) return <p className={styles.nothing}>{text.outcomes.notShared}</p>
  return shown[view.outcomes]()
}

const eventTable: TableOf<'events'> = (rows, name) => (
  <OutcomeTable<Row<'events'>>
    kind="events"
    rows={rows}
    amount={(row) => row.count}
    rowKey={(row) => row.name}
    name={(row) => name('event_name', row.name, row.name)}
    columns={[
      figures('count', text.outcomes.count, (row) => row.count),
      figures('sessions', text.outcomes.sessions, (row) => row.sessions),
      {
        id: 'value',
        header: text.outcomes.value,
        align: 'end',
        cell: (row) => (row.value_cents === 0 ? NO_FIGURE : money(row.value_cents)),
      },
    ]}
  />
)

const conversionTable = (rows: Outcomes['conversions'], name: Named, sessions: number) => (
  <OutcomeTable<Row<'conversions'>>
    kind="conversions"
    rows={rows}
    amount={(row) => row.count}
    rowKey={(row) => row.id}
    name={(row) => name('conversion', row.id, row.name, `/goals/${row.id}`)}
    columns={[
      figures('count', text.outcomes.count, (row) => row.count),
      figures('sessions', text.outcomes.sessions, (row) => row.sessions),
      rates((row) => row.rate, sessions),
    ]}
  />
)

const formTable: TableOf<'forms'> = (rows, name) => (
  <OutcomeTable<Row<'forms'>>
    kind="forms"
    rows={rows}
    amount={(row) => row.sessions}
    rowKey={(row) => row.id}
    name={(row) => name('form', row.id, row.name, `/forms/${row.id}`)}
    columns={[
      figures('sessions', text.outcomes.sessions, (row) => row.sessions),
      figures('submissions', text.outcomes.submissions, (row) => row.submissions),
      rates((row) => row.rate),
    ]}
  />
)

const linkTable: TableOf<'links'> = (rows, name) => (
  <OutcomeTable<Row<'links'>>
    kind="links"
    rows={rows}
    amount={(row) => row.clicks}
    rowKey={(row) => row.id}
    name={(row) => name('link', row.id, row.name, `/links/${row.id}`)}
    columns={[
      {
        id: 'url',
        header: text.outcomes.shortLink,
        cell: (row) => <span className={styles.soft}>{row.short_url.replace(/^https?:\/\//, '')}</span>,
      },
      figures('clicks', text.outcomes.clicks, (row) => row.clicks),
      figures('sessions', text.outcomes.sessions, (row) => row.sessions),
      ...(rows.some(({ visits }) => visits !== undefined)
        ? [figures<Row<'links'>>('visits', text.outcomes.visits, (row) => row.visits ?? 0)]
        : []),
    ]}
  />
)

const contentTable: TableOf<'content'> = (rows, name) => (
  <OutcomeTable<Row<'content'>>
    kind="content"
    rows={rows}
    amount={(row) => row.views}
    rowKey={(row) => row.id}
    name={(row) => name(null, row.id, row.name, `/content/${row.id}`)}
    columns={[
      figures('views', text.outcomes.views, (row) => row.views),
      figures('clicks', text.outcomes.clicks, (row) => row.clicks),
      rates((row) => row.rate),
    ]}
  />
)

interface OutcomeTableProps<Of> {
  readonly kind: keyof Outcomes
  readonly rows: readonly Of[]
  readonly rowKey: (row: Of) => string
  readonly name: (row: Of) => ReactNode
  readonly columns: readonly Column<Of>[]
  /** What the bars behind the names compare. */
  readonly amount: (row: Of) => number
}

function OutcomeTable<Of>({ kind, rows, rowKey, name, columns, amount }: OutcomeTableProps<Of>) {
  const most = Math.max(1, ...rows.map(amount))
  const cell = (row: Of): ReactNode => (
    <span className={styles.barred}>
      <span className={styles.bar} style={{ width: `${(100 * amount(row)) / most}%` }} aria-hidden="true" />
      <span className={styles.label}>{name(row)}</span>
    </span>
  )
  return (
    <DataTable
      caption={text.outcomes[kind]}
      columns={[{ id: 'name', header: text.outcomes.name, width: '45%', cell }, ...columns]}
      rows={rows}
      rowKey={rowKey}
      empty={<p className={styles.nothing}>{text.outcomes.none[kind]}</p>}
    />
  )
}

interface NameProps {
  /** Null where there is no filter for it. */
  readonly clause: string | null
  readonly value: string
  readonly label: string
  /** A page about it, under the property; not for visitors of a share link. */
  readonly to: string | undefined
  readonly view: View
  readonly setView: SetView
}

function Name({ clause, value, label, to, view, setView }: NameProps) {
  const { isShared } = useProperty()
  const mayFilter = useMayFilter()
  const path = usePropertyPath()
  const href = to === undefined || isShared ? undefined : path(to)
  if (clause === null || !mayFilter(clause)) return href === undefined ? label : <Link href={href}>{label}</Link>
  const chosen = isChosen(view.f, clause, value)
  return (
    <span className={styles.name}>
      <button
        type="button"
        aria-pressed={chosen}
        title={chosen ? text.rows.unfilter(label) : text.rows.filter(label)}
        onClick={(event) => setView({ f: toggled(view.f, clause, value, event.altKey ? 'not_equals' : 'equals') })}
      >
        {label}
      </button>
      {href !== undefined && (
        <Link href={href} aria-label={text.outcomes.open(label)} className={styles.open}>
          <ArrowUpRight aria-hidden="true" />
        </Link>
      )}
    </span>
  )
}
