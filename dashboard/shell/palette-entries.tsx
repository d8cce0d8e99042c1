// What the search over everything can find: pages, actions and properties, which are known at once, and
// links, forms, contacts and experiments, which the service looks for.
import { keepPreviousData, useQueries } from '@tanstack/react-query'
import {
  BookOpen,
  ContactRound,
  FlaskConical,
  Globe,
  LayoutGrid,
  Link2,
  Plus,
  Settings,
  SunMoon,
  TextCursorInput,
} from 'lucide-react'
import type { ReactNode } from 'react'
import { listBlocks } from '../api/content.ts'
import { listContacts } from '../api/contacts.ts'
import { listForms } from '../api/forms.ts'
import { listLinks } from '../api/links.ts'
import type { MyProperty, Session } from '../api/session.ts'
import { apiPath } from '../place.ts'
import { type CurrentProperty, useCan } from '../session.tsx'
import { palette as text, settings, shell } from '../texts/index.ts'
import { setTheme, type Theme } from '../theme.ts'
import { groupsFor, hrefOfPlace } from './places.tsx'

export interface Entry {
  readonly id: string
  readonly group: keyof typeof text.groups
  readonly label: string
  /** In a quieter voice behind the label. */
  readonly detail?: string | undefined
  readonly icon: ReactNode
  /** A path of the dashboard, or what happens. */
  readonly target: string | (() => void)
}

const MOST_EACH = 5
const themes: readonly Theme[] = ['system', 'light', 'dark']
/** Within the settings, but at a path of their own. */
const ownPages: ReadonlySet<string> = new Set(['bots', 'speed'])

function pagesOf(property: CurrentProperty, search: string): Entry[] {
  const pages = groupsFor(property)
    .flatMap(({ places }) => places)
    .map((place): Entry => ({
      id: `page-${place.id}`,
      group: 'pages',
      label: shell.pages[place.id],
      icon: place.icon,
      target: hrefOfPlace(place, property.id, search),
    }))
  if (property.isShared) return pages
  const { label: _all, ...sections } = settings.sections
  return [
    ...pages,
    ...Object.entries(sections)
      .filter(([id]) => !property.isDemo || ownPages.has(id))
      .map(([id, label]): Entry => ({
        id: `settings-${id}`,
        group: 'pages',
        label: text.settings(label),
        icon: <Settings />,
        target: `/properties/${property.id}${ownPages.has(id) ? `/${id}` : `/settings/${id}`}`,
      })),
  ]
}

function creationsIn(property: string): Entry[] {
  const at = `/properties/${property}`
  const creations = [
    ['link', text.newLink, `${at}/links?new=1`],
    ['form', text.newForm, `${at}/forms?new=1`],
    ['automation', text.newAutomation, `${at}/automations?new=1`],
    ['experiment', text.newExperiment, `${at}/content?new=1`],
  ] as const
  return creations.map(([id, label, target]) => ({ id: `new-${id}`, group: 'actions', label, icon: <Plus />, target }))
}

function actionsEverywhere(isOwner: boolean): Entry[] {
  return [
    ...(isOwner
      ? [{ id: 'new-property', group: 'actions', label: text.newProperty, icon: <Globe />, target: '/new' } as const]
      : []),
    ...themes.map((theme): Entry => ({
      id: `theme-${theme}`,
      group: 'actions',
      label: shell.theme[theme],
      icon: <SunMoon />,
      target: () => setTheme(theme),
    })),
    {
      id: 'documentation',
      group: 'actions',
      label: shell.documentation,
      icon: <BookOpen />,
      target: () => void window.open(`${apiPath}/docs`, '_blank', 'noopener'),
    },
  ]
}

const everything: Entry = {
  id: 'page-sites',
  group: 'pages',
  label: shell.allProperties,
  icon: <LayoutGrid />,
  target: '/',
}

const propertiesOf = (properties: readonly MyProperty[]): Entry[] =>
  properties.map(({ id, name }) => ({
    id: `property-${id}`,
    group: 'properties',
    label: name,
    icon: <Globe />,
    target: `/properties/${id}`,
  }))

/** Lower case and without accents: a property “Café” is found by “cafe”. */
const plain = (words: string): string =>
  words
    .normalize('NFKD')
    .replace(/\p{Mn}/gu, '')
    .toLowerCase()

/** Those that have every word of the search in them. */
export function matching(entries: readonly Entry[], search: string): readonly Entry[] {
  const words = plain(search).split(/\s+/).filter(Boolean)
  return entries.filter(({ label, detail = '' }) => {
    const shown = plain(`${label} ${detail}`)
    return words.every((word) => shown.includes(word))
  })
}

export interface Whereabouts {
  readonly session: Session | undefined
  readonly property: CurrentProperty | undefined
  /** Period and filters of the page that is shown. */
  readonly carried: string
}

export function useKnownEntries({ session, property, carried }: Whereabouts): readonly Entry[] {
  const canEdit = useCan('admin')
  return [
    ...(property ? pagesOf(property, carried) : []),
    ...(property && canEdit && !property.isShared ? creationsIn(property.id) : []),
    ...(session && session.properties.length > 1 ? [everything] : []),
    ...(session ? actionsEverywhere(session.user?.is_owner ?? false) : []),
    ...propertiesOf((session?.properties ?? []).filter(({ id }) => id !== property?.id)),
  ]
}

type Find = (property: string, search: string, signal: AbortSignal) => Promise<readonly Entry[]>
/** Its default; the clicks of the links are not shown. */
const anyTime = { period: null, date_from: null, date_to: null }
const few = { page: 1, per_page: MOST_EACH }

const findLinks: Find = async (property, search, signal) =>
  (await listLinks(property, { search, group_id: '', ...anyTime, ...few }, signal)).data.map(
    ({ id, name, short_url, destination_url }) => ({
      id,
      group: 'links',
      label: name ?? short_url.replace(/^https?:\/\//, ''),
      detail: name === null ? destination_url : short_url.replace(/^https?:\/\//, ''),
      icon: <Link2 />,
      target: `/properties/${property}/links/${id}`,
    }),
  )

const findForms: Find = async (property, search, signal) =>
  (await listForms(property, { search, ...few }, signal)).data.map(({ id, name }) => ({
    id,
    group: 'forms',
    label: name,
    icon: <TextCursorInput />,
    target: `/properties/${property}/forms/${id}`,
  }))

const findContacts: Find = async (property, search, signal) =>
  (await listContacts(property, { search, state: '', lifecycle_stage: '' }, 1, signal)).data
    .slice(0, MOST_EACH)
    .map((contact) => ({
      id: contact.id,
      group: 'contacts',
      label: [contact.first_name, contact.last_name].filter(Boolean).join(' ') || contact.email || contact.id,
      detail: contact.email ?? undefined,
      icon: <ContactRound />,
      target: `/properties/${property}/contacts/${contact.id}`,
    }))

const findBlocks: Find = async (property, search, signal) =>
  (await listBlocks(property, { search, ...few }, signal)).data.map(({ id, name }) => ({
    id,
    group: 'content',
    label: name,
    icon: <FlaskConical />,
    target: `/properties/${property}/content/${id}`,
  }))

const finds = { links: findLinks, forms: findForms, contacts: findContacts, content: findBlocks }

/** Below it nearly everything would be found. */
const LEAST_LETTERS = 2

export interface Found {
  readonly entries: readonly Entry[]
  readonly isSearching: boolean
}

/** @param property undefined where none is shown, and for visitors of a share link. */
export function useFoundEntries(property: string | undefined, search: string): Found {
  const isEnabled = property !== undefined && search.length >= LEAST_LETTERS
  const answers = useQueries({
    queries: Object.entries(finds).map(([kind, find]) => ({
      queryKey: ['palette', property, kind, search],
      queryFn: ({ signal }: { signal: AbortSignal }) => find(property ?? '', search, signal),
      enabled: isEnabled,
      placeholderData: keepPreviousData,
    })),
  })
  return {
    entries: isEnabled ? answers.flatMap(({ data = [] }) => data) : [],
    isSearching: isEnabled && answers.some(({ isFetching }) => isFetching),
  }
}
