// The pages of a property at the side. On other pages, a link back to the last property and its pages.
import { useQuery } from '@tanstack/react-query'
import {
  ArrowLeft,
  Bot,
  ChartLine,
  ContactRound,
  FileText,
  Link2,
  MousePointerClick,
  Radio,
  Settings,
  Target,
  TextCursorInput,
  Workflow,
} from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { Link } from 'wouter'
import { MOST_LISTED, type MyProperty } from '../api/session.ts'
import { lastProperty } from '../last.ts'
import { preload } from '../pages.ts'
import { type CurrentProperty, detailsOf } from '../session.tsx'
import { common, shell as text } from '../texts/index.ts'
import { useCarriedSearch } from '../window.ts'
import styles from './navigation.module.css'

type PageId = keyof typeof text.pages

const icons: Readonly<Record<PageId, ReactNode>> = {
  overview: <ChartLine />,
  live: <Radio />,
  sessions: <MousePointerClick />,
  goals: <Target />,
  contacts: <ContactRound />,
  links: <Link2 />,
  forms: <TextCursorInput />,
  automations: <Workflow />,
  content: <FileText />,
  bots: <Bot />,
  settings: <Settings />,
}

const pageIds = Object.keys(icons) as PageId[]
const sharedIds: readonly PageId[] = ['overview', 'live']
/** These are about the same window: it is carried along. */
const windowed: ReadonlySet<PageId> = new Set(['overview', 'live', 'sessions', 'goals', 'bots'])

export interface NavigationProps {
  readonly property: Pick<CurrentProperty, 'id' | 'isShared'>
  /** Undefined where none of its pages is shown. */
  readonly page?: string | undefined
  /** Of what says whose pages these are, when the switcher above does not. */
  readonly labelledBy?: string | undefined
}

export function Navigation({ property, page, labelledBy }: NavigationProps) {
  const search = useCarriedSearch()
  const shown = property.isShared ? sharedIds : pageIds
  return (
    <ul className={styles.pages} aria-labelledby={labelledBy}>
      {shown.map((id) => (
        <li key={id}>
          <Link
            href={`/properties/${property.id}${id === 'overview' ? '' : `/${id}`}${windowed.has(id) ? search : ''}`}
            aria-current={page === id ? 'page' : undefined}
            onPointerEnter={() => preload(id)}
            onFocus={() => preload(id)}
            className={styles.item}
          >
            {icons[id]}
            {text.pages[id]}
          </Link>
        </li>
      ))}
    </ul>
  )
}

/** The one whose pages were shown last in this browser, if it is there still. */
function useLastProperty(properties: readonly MyProperty[]): Pick<MyProperty, 'id' | 'name'> | undefined {
  const id = lastProperty() ?? ''
  const known = properties.find((property) => property.id === id)
  const isUnlisted = id !== '' && !known && properties.length >= MOST_LISTED
  const details = useQuery({ ...detailsOf(id), enabled: isUnlisted })
  return known ?? (isUnlisted ? details.data?.property : undefined)
}

/** For pages of no property: it says where the links lead, and that the page is not there. */
export function WayBack({ properties }: { properties: readonly MyProperty[] }) {
  const label = useId()
  const property = useLastProperty(properties)
  if (property)
    return (
      <>
        <p id={label} className={styles.whose}>
          {text.backTo(property.name)}
        </p>
        <Navigation property={{ id: property.id, isShared: false }} labelledBy={label} />
      </>
    )
  if (properties.length === 0) return null
  return (
    <Link href="/" className={styles.item}>
      <ArrowLeft />
      {common.notFound.back}
    </Link>
  )
}
