// The documentation as the service hands it out: guides from docs/, the reference from the schemas, and an
// index to search both.
import { existsSync, readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { layout } from './layout.ts'
import { type Rendered, renderMarkdown, type Section } from './markdown.ts'
import { allPages, type GuidePage, guideFolder, linkFrom, REFERENCE } from './pages.ts'
import { type Description, referenceEntries, referenceHtml } from './reference.ts'

const assets = ['docs.css', 'docs.js', 'theme.js', 'icon.svg'] as const
export const readAsset = (name: (typeof assets)[number]): Promise<Buffer> =>
  readFile(fileURLToPath(new URL(`static/${name}`, import.meta.url)))

/** Of the dashboard, whose build has the file. Undefined when that has not been built. */
export function findTypeface(): string | undefined {
  const folder = fileURLToPath(new URL('../../dist/dashboard/assets/', import.meta.url))
  const names = existsSync(folder) ? readdirSync(folder) : []
  const name = names.find((each) => /^inter-latin-wght-normal-.*\.woff2$/.test(each))
  return name === undefined ? undefined : join(folder, name)
}

/**
 * Everything that the pages lead to, by its URL without the slash before it, with its name among static
 * files: hosts of these take a page without its ending for the file with it.
 */
export function filesByUrl(): ReadonlyMap<string, string> {
  const pages = [...allPages.map(({ path }) => path), REFERENCE].map((path) => (path === '' ? 'docs' : `docs/${path}`))
  const typeface = findTypeface() === undefined ? [] : ['inter.woff2']
  const others = [...assets, 'search.json', ...typeface].map((name) => `docs/static/${name}`)
  return new Map([
    ...pages.map((url) => [url, `${url}.html`] as const),
    ...[...others, 'openapi.json'].map((url) => [url, url] as const),
  ])
}

const FACE = `@font-face {
  font-family: Inter;
  src: url('inter.woff2') format('woff2');
  font-weight: 400 700;
  font-display: swap;
}
`

export const styles = async (hasTypeface: boolean): Promise<string> =>
  (hasTypeface ? FACE : '') + (await readAsset('docs.css')).toString()

async function renderGuide(page: GuidePage): Promise<Rendered> {
  return renderMarkdown(await readFile(join(guideFolder, page.file), 'utf8'), (href) => linkFrom(page, href))
}

export async function guideHtml(page: GuidePage): Promise<string> {
  const { title, html, sections } = await renderGuide(page)
  return layout({ path: page.path, title, html, sections })
}

export const referencePage = (description: Description): string =>
  layout({ path: REFERENCE, title: 'API reference', html: referenceHtml(description), sections: [] })

/** Enough to find a section by, and to recognise it. */
const MAX_TEXT = 600

/** [path with anchor, page, heading, text] */
type Entry = readonly [string, string, string, string]

const entryOf = (
  path: string,
  page: string,
  { id, heading, text }: Omit<Section, 'depth'>,
  isFirst: boolean,
): Entry => [isFirst ? path : `${path}#${id}`, page, heading, text.slice(0, MAX_TEXT)]

export async function searchIndex(description: Description): Promise<Entry[]> {
  const rendered = await Promise.all(allPages.map(async (page) => [page, await renderGuide(page)] as const))
  const guides = rendered.flatMap(([{ path, label }, { sections }]) =>
    sections.map((section, at) => entryOf(path, label, section, at === 0)),
  )
  const operations = referenceEntries(description).map((entry) => entryOf(REFERENCE, 'API reference', entry, false))
  return [...guides, ...operations]
}
