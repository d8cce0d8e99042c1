// The drawings of channels and devices. They come after the rows, whose space is kept for them.
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

export interface RowDrawingProps {
  readonly list: 'channel' | 'device'
  readonly id: string
}

export const RowDrawing = ({ list, id }: RowDrawingProps) => (list === 'channel' ? channelIcon(id) : deviceIcon(id))
