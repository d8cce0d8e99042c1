// The pages of the documentation in their order: guides first, then what each part of the interface takes.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Beside the program in a clone, above it in an archive or image. */
const folders = ['../../docs/', '../../../docs/'].map((path) => fileURLToPath(new URL(path, import.meta.url)))
export const guideFolder = folders.find((path) => existsSync(join(path, 'start.md'))) ?? folders[0] ?? ''

export interface GuidePage {
  /** Path below /docs; '' for the first. */
  readonly path: string
  /** Below docs/ in the repository. */
  readonly file: string
  /** In the navigation. */
  readonly label: string
}

export interface PageGroup {
  readonly label: string
  readonly pages: readonly GuidePage[]
}

const guide = (path: string, label: string): GuidePage => ({ path, file: `${path}.md`, label })

export const REFERENCE = 'reference'

const known: readonly PageGroup[] = [
  {
    label: 'Start',
    pages: [
      { path: '', file: 'start.md', label: 'Getting started' },
      guide('recipes', 'Recipes'),
      guide('migrate', 'Migrating from another tool'),
      guide('privacy', 'Privacy and contracts'),
    ],
  },
  {
    label: 'Guides',
    pages: [
      guide('overview', 'Overview'),
      guide('goals', 'Goals'),
      guide('links', 'Short links'),
      guide('forms', 'Forms'),
      guide('contacts', 'Contacts'),
      guide('automations', 'Automations'),
      guide('experiments', 'Experiments'),
      guide('email', 'Email'),
      guide('accounts', 'Accounts and teams'),
    ],
  },
  {
    label: 'Add it to your site',
    pages: [
      guide('browser', 'Browser libraries'),
      guide('form-js', 'form.js'),
      guide('html-forms', 'Plain HTML forms'),
      guide('react', 'React and Next.js'),
      guide('wordpress', 'WordPress'),
      guide('tag-manager', 'Google Tag Manager'),
    ],
  },
  {
    label: 'Reference',
    pages: [
      guide('definitions', 'What each number means'),
      guide('webhooks', 'Webhooks'),
      guide('contacts-csv', 'Contacts as CSV'),
      guide('links-csv', 'Links as CSV'),
      guide('glossary', 'Glossary'),
    ],
  },
  {
    label: 'Run it',
    pages: [
      guide('install', 'Installing'),
      guide('settings', 'Settings'),
      guide('proxies', 'Behind a proxy'),
      guide('backups', 'Backups'),
      guide('upgrade', 'Upgrading'),
      guide('move', 'Moving'),
      guide('monitoring', 'Monitoring'),
      guide('grafana', 'Grafana'),
      guide('reliability', 'Reliability'),
      guide('scale', 'Scale'),
    ],
  },
  {
    label: 'API',
    pages: [
      { path: 'api', file: 'api/README.md', label: 'Overview' },
      guide('api/analytics', 'Analytics'),
      guide('api/dashboard', 'Dashboard'),
      guide('api/contacts', 'Contacts'),
      guide('api/links', 'Links'),
      guide('api/redirect', 'Redirects'),
      guide('api/forms', 'Forms'),
      guide('api/automations', 'Automations'),
      guide('api/content', 'Content'),
      guide('api/exports', 'Exports'),
      guide('api/facts', 'Stored facts'),
      guide('api/accounts', 'Accounts'),
      guide('api/diagnostics', 'Diagnostics'),
      guide('errors', 'Errors'),
    ],
  },
]

const headingOf = (file: string): string => /^# (.+)$/m.exec(readFileSync(join(guideFolder, file), 'utf8'))?.[1] ?? file

/** Guides that nobody has given a place yet: a new one is a page at once. */
function unplaced(): PageGroup[] {
  const placed = new Set(known.flatMap(({ pages }) => pages.map(({ file }) => file)))
  const namesIn = (folder: string) => readdirSync(join(guideFolder, folder)).map((name) => join(folder, name))
  const files = [...namesIn(''), ...namesIn('api')].filter((file) => file.endsWith('.md') && !placed.has(file))
  const pages = files.toSorted().map((file) => guide(file.slice(0, -'.md'.length), headingOf(file)))
  return pages.length === 0 ? [] : [{ label: 'More', pages }]
}

export const groups: readonly PageGroup[] = [...known, ...unplaced()]
export const allPages: readonly GuidePage[] = groups.flatMap(({ pages }) => pages)

/** Where the sources are read by people who want to know more than the pages say. */
const SOURCES = 'https://github.com/footfall/footfall/blob/main'

/** A relative address from one page to another: the service may be below a path of its host. */
export function hrefFrom(from: string, to: string): string {
  const up = from === '' ? 'docs/' : '../'.repeat(from.split('/').length - 1)
  if (to === '') return from === '' ? 'docs' : `${'../'.repeat(from.split('/').length)}docs`
  return up + to
}

/** What a link of a page's source leads to. @param file below docs/ */
export function linkFrom({ path, file }: Pick<GuidePage, 'path' | 'file'>, href: string): string {
  if (/^(?:[a-z]+:|#)/i.test(href)) return href
  const { pathname, hash } = new URL(href, `http://docs/docs/${file}`)
  const target = allPages.find((page) => `/docs/${page.file}` === pathname)
  return target ? hrefFrom(path, target.path) + hash : SOURCES + pathname + hash
}
