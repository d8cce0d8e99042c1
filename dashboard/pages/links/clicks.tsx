// The latest clicks of a link, of people and of programs, one by one.
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { MousePointerClick } from 'lucide-react'
import { type Click, type LinkOwner, listClicks } from '../../api/links.ts'
import { NO_FIGURE, number } from '../../format.ts'
import { Badge, Flag, RelativeTime } from '../../parts/marks.tsx'
import { Panel } from '../../parts/panel.tsx'
import { EmptyState } from '../../parts/states.tsx'
import type { Column } from '../../parts/table.tsx'
import { PagedTable } from '../../parts/paged-table.tsx'
import { useProperty } from '../../session.tsx'
import { link as text } from '../../texts/index.ts'
import { numberParam, useUrlState } from '../../url.ts'
import styles from './links.module.css'
import { placeName } from '../../service-words.ts'

const words = text.clicks
const PER_PAGE = 10
const codecs = { clicks: numberParam(1) }

const joined = (parts: readonly (string | null)[]): string => parts.filter(Boolean).join(', ') || NO_FIGURE

function Bot({ click: { bot_name, bot_reason, count } }: { click: Click }) {
  if (bot_reason !== 'flood') return <Badge tone="warn">{bot_name ?? words.program}</Badge>
  return (
    <span title={words.floodHint}>
      <Badge tone="warn">{words.flood(number(count), count)}</Badge>
    </span>
  )
}

const columns: readonly Column<Click>[] = [
  { id: 'when', header: words.when, cell: ({ click_ts }) => <RelativeTime ts={click_ts} /> },
  {
    id: 'where',
    header: words.where,
    cell: ({ country_code, country, city }) => (
      <span className={styles.badges}>
        {country_code !== null && <Flag code={country_code} />}{' '}
        {joined([city, country && placeName(country_code, country)])}
      </span>
    ),
  },
  {
    id: 'device',
    header: words.device,
    cell: (click) => (click.is_bot ? <Bot click={click} /> : joined([click.browser, click.os])),
  },
  {
    id: 'page',
    header: words.page,
    isMinor: true,
    cell: ({ referrer_domain, is_scan }) => (is_scan ? words.scan : (referrer_domain ?? NO_FIGURE)),
  },
]

export function Clicks({ owner }: { owner: LinkOwner }) {
  const property = useProperty()
  const [{ clicks: page }, setState] = useUrlState<{ clicks: number }>(codecs)
  const clicks = useQuery({
    queryKey: ['clicks', property.id, owner, page],
    queryFn: ({ signal }) => listClicks(property.id, owner, { page, per_page: PER_PAGE }, signal),
    placeholderData: keepPreviousData,
  })
  return (
    <Panel title={words.title} isFlush>
      <PagedTable
        list={clicks}
        page={page}
        perPage={PER_PAGE}
        onPage={(next, how) => setState({ clicks: next }, how)}
        caption={words.caption}
        columns={columns}
        skeletonRows={5}
        empty={
          <EmptyState isSmall icon={<MousePointerClick />} title={words.none}>
            {words.noneHint}
          </EmptyState>
        }
      />
    </Panel>
  )
}
