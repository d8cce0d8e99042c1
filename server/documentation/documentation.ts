// The documentation as the service hands it out: guides from docs/, the reference from the schemas, and an
// index to search both.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { layout } from './layout.ts'
import { type Rendered, renderMarkdown, type Section } from './markdown.ts'
import { allPages, type GuidePage, guideFolder, linkFrom, REFERENCE } from './pages.ts'
import { type Description, referenceEntries, referenceHtml } from './reference.ts'

const assets = ['docs.css', 'docs.js'] as const
export const readAsset = (name: (typeof assets)[number]): Promise<Buffer> =>
  readFile(fileURLToPath(new URL(`static/${name}`, import.meta.url)))

async function renderGuide(page: GuidePage): Promise<Rendered> {
  return renderMarkdown(await readFile(join(guideFolder, page.file), 'utf8'), (href) => linkFrom(page, href))
}

export async function guideHtml(page: GuidePage): Promise<string> {
  const { title, html } = await renderGuide(page)
  return layout({ path: page.path, title, html })
}

export const referencePage = (description: Description): string =>
  layout({ path: REFERENCE, title: 'API reference', html: referenceHtml(description) })

/** Enough to find a section by, and to recognise it. */
const MAX_TEXT = 600

/** [path with anchor, page, heading, text] */
type Entry = readonly [string, string, string, string]

const entryOf = (path: string, page: string, { id, heading, text }: Section, isFirst: boolean): Entry => [
  isFirst ? path : `${path}#${id}`,
  page,
  heading,
  text.slice(0, MAX_TEXT),
]

export async function searchIndex(description: Description): Promise<Entry[]> {
  const rendered = await Promise.all(allPages.map(async (page) => [page, await renderGuide(page)] as const))
  const guides = rendered.flatMap(([{ path, label }, { sections }]) =>
    sections.map((section, at) => entryOf(path, label, section, at === 0)),
  )
  const operations = referenceEntries(description).map((entry) => entryOf(REFERENCE, 'API reference', entry, false))
  return [...guides, ...operations]
}
