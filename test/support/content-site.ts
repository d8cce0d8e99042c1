// Pages with content.js for a browser, and what is stored of the blocks on them.
import type { Browser, Page } from 'playwright-core'
import { addBlock, type BlockOptions, impressionsOf, type TestBlock } from './content-calls.ts'
import type { Ending, Footfall } from './server.ts'
import { eventually, newVisitor, type Visitor } from './site.ts'

export interface Interaction {
  readonly kind: 'view' | 'click'
  readonly version: string
  readonly dwell_ms: number
  readonly cta_key: string
  readonly element_key: string
  readonly is_bot: number
}

export interface ContentWorld {
  /** A block of a property whose site is on 127.0.0.1 and localhost. */
  add(options?: BlockOptions): Promise<TestBlock>
  /** With the key of the property. */
  page(body: string, head?: string): string
  /** What is stored of a block, as soon as that are `count` rows or more. */
  stored(block: TestBlock, count: number): Promise<Interaction[]>
  /** The same, as soon as it is right. */
  until(block: TestBlock, isRight: (rows: readonly Interaction[]) => boolean): Promise<Interaction[]>
  readonly key: string
}

/** Of one version: who comes makes no difference. */
export const one = (html: string, more: object = {}): BlockOptions => ({ versions: [{ html, ...more }] })

export async function openContentWorld(footfall: Footfall): Promise<ContentWorld> {
  const { id, key } = await footfall.addProperty({ domains: '["127.0.0.1","localhost"]' })
  const tag = `<script defer src="${footfall.url}/content.js" data-key="${key}"></script>`
  const until: ContentWorld['until'] = (block, isRight) =>
    eventually(async () => (await impressionsOf(footfall, block.id)) as unknown as Interaction[], isRight)
  return {
    key,
    add: (options) => addBlock(footfall.context.records, id, options),
    page: (body, head = tag) =>
      `<!doctype html><html><head><title>Page</title>${head}</head><body style="margin:0">${body}</body></html>`,
    until,
    stored: (block, count) => until(block, (rows) => rows.length >= count),
  }
}

export const place = ({ key }: Pick<TestBlock, 'key'>, fallback = '<p>Before</p>', more = ''): string =>
  `<div data-footfall-content="${key}" ${more}>${fallback}</div>`

/** To be set up before the page: `happened` is every answer that the page was told of. */
export const listening = `window.happened = []
  document.addEventListener('footfall:content', ({ target, detail }) => happened.push([target.dataset.footfallContent, detail]))`

/** The answers that the page was told of, as soon as that are `count`. */
export function happened(page: Page, count: number): Promise<[string, Record<string, unknown> | null][]> {
  return eventually(
    () => page.evaluate<[string, Record<string, unknown> | null][]>('happened'),
    (told) => told.length >= count,
  )
}

/**
 * A page that can be told that it is on the screen or not: `show('hidden')`; as long as it is not told, it is
 * as it is.
 */
export const screen = `let shown
  const real = Object.getOwnPropertyDescriptor(Document.prototype, 'visibilityState').get
  const state = () => shown || real.call(document)
  Object.defineProperty(document, 'visibilityState', { get: state })
  Object.defineProperty(document, 'hidden', { get: () => state() === 'hidden' })
  window.show = (next) => { shown = next; document.dispatchEvent(new Event('visibilitychange', { bubbles: true })) }`

/**
 * Somebody to whom no answer comes too late: on a busy machine one may well take the two seconds after which
 * content.js leaves what stands there.
 */
export async function newReader(t: Ending, browser: Browser): Promise<Visitor> {
  const visitor = await newVisitor(t, browser)
  await visitor.page.addInitScript(`const wait = setTimeout
    window.setTimeout = (act, ms, ...given) => wait(act, ms === 2000 ? 60_000 : ms, ...given)`)
  return visitor
}
