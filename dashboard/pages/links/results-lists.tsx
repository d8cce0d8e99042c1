// Clicks and arrivals by referrer, country, device and destination.
import { Globe, Link2, Monitor, QrCode } from 'lucide-react'
import type { ReactNode } from 'react'
import type { LinkResults, ResultRow } from '../../api/link-results.ts'
import { compactNumber, countryName, shareOf } from '../../format.ts'
import { BarList, BarRow } from '../../parts/bar-row.tsx'
import { Flag } from '../../parts/marks.tsx'
import { Panel } from '../../parts/panel.tsx'
import { deviceName } from '../../service-words.ts'
import { link as text } from '../../texts/index.ts'
import { shortName } from './links.ts'
import styles from './links.module.css'

const words = text.results
const ROWS = 6

interface ListWords {
  readonly label: (row: ResultRow) => ReactNode
  readonly icon?: (row: ResultRow) => ReactNode
}

type ListId = keyof LinkResults['own']['breakdowns']

const lists: Readonly<Record<ListId, ListWords>> = {
  referrer: { label: ({ id }) => id || words.unknown.referrer, icon: () => <Globe /> },
  country: {
    label: ({ id }) => (id === '' ? words.unknown.country : countryName(id)),
    icon: ({ id }) => <Flag code={id} />,
  },
  device: { label: ({ id }) => (id === '' ? words.unknown.device : deviceName(id)), icon: () => <Monitor /> },
  rule: { label: ({ destination_url = '' }) => shortName(destination_url) },
  via: {
    label: ({ id }) => (id === 'qr' ? words.scan : words.link),
    icon: ({ id }) => (id === 'qr' ? <QrCode /> : <Link2 />),
  },
}

export function ResultsLists({ results: { own } }: { results: LinkResults }) {
  const { breakdowns } = own
  const hides: Partial<Record<ListId, boolean>> = {
    rule: breakdowns.rule.every(({ id }) => id === ''),
    via: own.totals.scans === 0,
  }
  const shown = (['referrer', 'country', 'device', 'via', 'rule'] as const).filter((id) => !hides[id])
  return (
    <div className={styles.resultsLists}>
      {shown.map((id) => (
        <Panel key={id} title={words.lists[id]}>
          <List rows={breakdowns[id]} {...lists[id]} />
        </Panel>
      ))}
    </div>
  )
}

function List({ rows, label, icon }: ListWords & { rows: readonly ResultRow[] }) {
  const most = Math.max(1, ...rows.map(({ clicks }) => clicks))
  return (
    <BarList head={['', words.listClicks, words.listArrived]}>
      {rows.slice(0, ROWS).map((row) => (
        <BarRow
          key={row.id}
          label={label(row)}
          icon={icon?.(row)}
          value={compactNumber(row.clicks)}
          percent={shareOf(row.visitors === 0 ? 0 : row.arrived / row.visitors, row.visitors)}
          share={row.clicks / most}
        />
      ))}
    </BarList>
  )
}
