// What stands before the label of a row, where a picture says something.
import {
  Bot,
  CircleHelp,
  Globe,
  Link2,
  Mail,
  Megaphone,
  MessagesSquare,
  Monitor,
  MousePointer2,
  Search,
  Smartphone,
  Tablet,
  Tv,
} from 'lucide-react'
import type { ReactNode } from 'react'
import type { ListId, ListRow } from '../../api/overview.ts'
import { dimensionOf } from '../../../server/analytics/dimensions.ts'
import { Flag, Icon } from '../../parts/marks.tsx'

const devices: Readonly<Record<string, ReactNode>> = {
  desktop: <Monitor />,
  mobile: <Smartphone />,
  tablet: <Tablet />,
  tv: <Tv />,
}

/** The first word that a channel has decides. */
const channels: readonly (readonly [string, ReactNode])[] = [
  ['paid', <Megaphone key="paid" />],
  ['display', <Megaphone key="display" />],
  ['search', <Search key="search" />],
  ['social', <MessagesSquare key="social" />],
  ['mail', <Mail key="mail" />],
  ['ai', <Bot key="ai" />],
  ['direct', <MousePointer2 key="direct" />],
  ['referr', <Link2 key="referral" />],
]

const channelIcon = (id: string): ReactNode =>
  channels.find(([word]) => id.toLowerCase().includes(word))?.[1] ?? <Globe />

const deviceIcon = (id: string): ReactNode => {
  const name = id.toLowerCase()
  return Object.hasOwn(devices, name) ? devices[name] : <CircleHelp />
}

/** Undefined in lists that have none. */
export function rowIcon(id: ListId, row: ListRow): ReactNode {
  const { isPlace, icon } = dimensionOf(id)
  if (isPlace) return <Flag code={row.country_code} />
  if (icon) return row.icon_url === undefined ? <Globe /> : <Icon url={row.icon_url} />
  if (id === 'channel') return channelIcon(row.id)
  return id === 'device' ? deviceIcon(row.id) : undefined
}
