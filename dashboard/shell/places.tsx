// Where one can go within a property: the pages of the navigation in their groups, with the second key of
// their shortcut after G.
import {
  ChartLine,
  ContactRound,
  FlaskConical,
  Link2,
  MousePointerClick,
  Radio,
  Settings,
  Target,
  TextCursorInput,
  Workflow,
} from 'lucide-react'
import type { ReactNode } from 'react'
import type { CurrentProperty } from '../session.tsx'
import type { shell } from '../texts/index.ts'

export type PlaceId = keyof typeof shell.pages

export interface Place {
  readonly id: PlaceId
  readonly icon: ReactNode
  /** Pressed after G. */
  readonly key: string
  /** It is about the same window: period and filters are carried along. */
  readonly isWindowed?: boolean
  /** Visitors of a share link see it. */
  readonly isShared?: boolean
}

export const placeGroups: readonly { readonly id: keyof typeof shell.groups; readonly places: readonly Place[] }[] = [
  {
    id: 'traffic',
    places: [
      { id: 'overview', icon: <ChartLine />, key: 'o', isWindowed: true, isShared: true },
      { id: 'live', icon: <Radio />, key: 'n', isWindowed: true, isShared: true },
      { id: 'sessions', icon: <MousePointerClick />, key: 'v', isWindowed: true },
      { id: 'goals', icon: <Target />, key: 'g', isWindowed: true },
    ],
  },
  {
    id: 'leads',
    places: [
      { id: 'links', icon: <Link2 />, key: 'l' },
      { id: 'forms', icon: <TextCursorInput />, key: 'f' },
      { id: 'contacts', icon: <ContactRound />, key: 'c' },
    ],
  },
  {
    id: 'actions',
    places: [
      { id: 'automations', icon: <Workflow />, key: 'a' },
      { id: 'content', icon: <FlaskConical />, key: 'e' },
    ],
  },
  { id: 'property', places: [{ id: 'settings', icon: <Settings />, key: 's' }] },
]

/** Bots and errors are a page of their own within the settings. */
const within: Readonly<Record<string, PlaceId>> = { bots: 'settings', speed: 'settings', start: 'settings' }

/** The entry of the navigation that is marked while a page is shown. */
export const placeOf = (page: string | undefined): string | undefined => within[page ?? ''] ?? page

/** @param search the period and filters of the page that is left, as `?period=…`. */
export const hrefOfPlace = ({ id, isWindowed = false }: Place, property: string, search = ''): string =>
  `/properties/${property}${id === 'overview' ? '' : `/${id}`}${isWindowed ? search : ''}`

type Shown = Pick<CurrentProperty, 'isShared' | 'isDemo'>

export const groupsFor = ({ isShared, isDemo }: Shown) =>
  placeGroups
    .map(({ id, places }) => ({
      id,
      places: places.filter((place) => (!isShared || place.isShared) && !(isDemo && id === 'property')),
    }))
    .filter(({ places }) => places.length > 0)
