// What is shown of a site in its row.
import { TriangleAlert } from 'lucide-react'
import type { Site } from '../../api/sites.ts'
import { changeOf, changeWords } from '../../change.ts'
import { Sparkline } from '../../charts/sparkline.tsx'
import { compactNumber, date, NO_FIGURE, number } from '../../format.ts'
import { cx } from '../../parts/cx.ts'
import { Avatar, Badge, StatusDot } from '../../parts/marks.tsx'
import type { Column } from '../../parts/table.tsx'
import { TwoLines, TwoLinesSkeleton } from '../../parts/two-lines.tsx'
import { sites as text } from '../../texts/index.ts'
import styles from './page.module.css'

function domainWords([first, ...others]: readonly string[]): string {
  if (first === undefined) return text.noDomain
  return others.length === 0 ? first : text.moreDomains(first, number(others.length))
}

function Warning({ code, since_ts }: NonNullable<Site['warning']>) {
  return (
    <span className={styles.warning}>
      <TriangleAlert aria-hidden="true" />
      {code === 'quiet' && since_ts !== null ? text.warnings.quiet(date(since_ts)) : text.warnings.no_data}
    </span>
  )
}

const Name = ({ name, domains, is_sample, warning }: Site) => (
  <TwoLines
    mark={<Avatar name={name} isSquare />}
    title={
      <>
        {name} {is_sample && <Badge tone="accent">{text.sample}</Badge>}
      </>
    }
    detail={warning ? <Warning {...warning} /> : domainWords(domains)}
  />
)

function Change({ sessions: { current, previous } }: Site) {
  const change = previous === 0 ? null : changeOf(current, previous, 'count')
  if (change === null)
    return (
      <span className={styles.soft}>
        <span aria-hidden="true">{NO_FIGURE}</span>
        <span className="visually-hidden">{text.noChange}</span>
      </span>
    )
  return <span className={cx(styles.change, styles[change.direction])}>{changeWords(change)}</span>
}

const Live = ({ live }: Site) =>
  live === 0 ? (
    <span className={styles.soft}>{number(0)}</span>
  ) : (
    <StatusDot tone="good" isLive>
      {number(live)}
    </StatusDot>
  )

/** The day that is not over is no fall. */
const trendOf = (days: readonly number[]): readonly (number | null)[] => [...days.slice(0, -1), null]

export const columns: readonly Column<Site>[] = [
  {
    id: 'name',
    header: text.columns.name,
    isSortable: true,
    width: '34%',
    cell: Name,
    skeleton: <TwoLinesSkeleton />,
  },
  {
    id: 'days',
    header: text.columns.days,
    width: '18%',
    cell: ({ days }) => (
      <span className={styles.trend}>
        <Sparkline values={trendOf(days)} />
      </span>
    ),
  },
  { id: 'live', header: text.columns.live, align: 'end', isSortable: true, width: '10%', cell: Live },
  {
    id: 'sessions',
    header: text.columns.sessions,
    align: 'end',
    isSortable: true,
    width: '13%',
    cell: ({ sessions }) => <strong className={styles.figure}>{compactNumber(sessions.current)}</strong>,
  },
  { id: 'change', header: text.columns.change, align: 'end', isSortable: true, width: '13%', cell: Change },
  {
    id: 'views',
    isMinor: true,
    header: text.columns.views,
    align: 'end',
    isSortable: true,
    width: '12%',
    cell: ({ views }) => compactNumber(views.current),
  },
]
