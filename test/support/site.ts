// A web site for the browser libraries: pages on an origin of its own, visited by a browser, measured by a
// real service.
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, Page } from 'playwright-core'
import { visitorsAgent } from './browser.ts'
import { PATIENCE_MS } from './patience.ts'
import type { Ending, Footfall } from './server.ts'

export interface SitePage {
  readonly html: string
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
}

export interface Site {
  /** With a slash at its end. */
  readonly url: string
  /** By path; one may be put in later. */
  readonly pages: Map<string, SitePage>
}

function answer(pages: Site['pages'], request: IncomingMessage, response: ServerResponse): void {
  const path = (request.url ?? '/').split('?', 1)[0] ?? '/'
  const page = path === '/favicon.ico' ? { html: '' } : pages.get(path)
  const { html, status = 200, headers = {} } = page ?? { html: 'nothing here', status: 404 }
  response.writeHead(status, { 'content-type': 'text/html; charset=utf-8', ...headers }).end(html)
}

/** On a free port of `host`, which may be localhost to be another site than one on 127.0.0.1. */
export async function openSite(t: Ending, pages: Record<string, SitePage> = {}, host = '127.0.0.1'): Promise<Site> {
  const known = new Map(Object.entries(pages))
  const server = createServer((request, response) => answer(known, request, response)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(async () => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://${host}:${(server.address() as AddressInfo).port}/`, pages: known }
}

export interface Tag {
  readonly key: string
  /** Attributes as they stand in the tag. */
  readonly attributes?: string
}

/** A page with the library. @param filling is HTML behind it: what makes the page long, or does something. */
export function pageWith(
  footfall: Pick<Footfall, 'url'>,
  tags: readonly Tag[],
  filling = '',
  title = 'A page',
): string {
  const scripts = tags.map(
    ({ key, attributes = '' }) =>
      `<script defer src="${footfall.url}/signals.js" data-key="${key}" ${attributes}></script>`,
  )
  return `<!doctype html><html><head><title>${title}</title>${scripts.join('')}</head><body style="margin:0">${filling}</body></html>`
}

export interface Visitor {
  readonly page: Page
  /** What the console and the scripts complained about. */
  readonly errors: readonly string[]
  /** Every URL that was asked for. */
  readonly requests: readonly string[]
}

/** Somebody new, known by an address of their own. */
export async function newVisitor(t: Ending, browser: Browser): Promise<Visitor> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...visitorsAgent })
  t.after(() => context.close())
  const page = await context.newPage()
  const errors: string[] = []
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()))
  page.on('pageerror', (error) => errors.push(String(error)))
  const requests: string[] = []
  page.on('request', (request) => requests.push(request.url()))
  return { page, errors, requests }
}

/** Somebody new who opens a page. */
export async function visit(t: Ending, browser: Browser, url: string): Promise<Visitor> {
  const visitor = await newVisitor(t, browser)
  await visitor.page.goto(url)
  return visitor
}

/**
 * The page says that it is out of sight, as one in the background or rendered ahead does; to be set up before
 * it.
 */
export const hideFirst = `let state = 'hidden'
  Object.defineProperty(document, 'visibilityState', { get: () => state })
  Object.defineProperty(document, 'hidden', { get: () => state === 'hidden' })
  window.show = (next) => { state = next; document.dispatchEvent(new Event('visibilitychange', { bubbles: true })) }`

export const show = (page: Page, state: 'visible' | 'hidden') => page.evaluate(`show('${state}')`)

export interface StoredView {
  readonly url: string
  readonly title: string
  readonly source: string
  readonly seconds: number
  readonly scroll: number
  readonly status: number
}

export const viewsOf = ({ context }: Footfall, propertyId: string): Promise<StoredView[]> =>
  context.facts.query<StoredView>(
    'test.views',
    'SELECT url, title, source, seconds, scroll, status FROM views FINAL WHERE property = {property:String} ORDER BY at, view',
    { property: propertyId },
  )

export interface StoredEvent {
  readonly name: string
  readonly value: string | null
}

export const eventsOf = ({ context }: Footfall, propertyId: string): Promise<StoredEvent[]> =>
  context.facts.query<StoredEvent>(
    'test.events',
    'SELECT name, value FROM events FINAL WHERE property = {property:String} ORDER BY at',
    { property: propertyId },
  )

/**
 * Asks until the answer is as it should be. @returns the last answer, for the assertion that says what is
 * wrong with it.
 */
export async function eventually<T>(
  ask: () => Promise<T>,
  isRight: (answer: T) => boolean,
  withinMs = PATIENCE_MS,
): Promise<T> {
  const endMs = Date.now() + withinMs
  // Most of what is waited for is nearly there; asking for it is work as well.
  for (let pauseMs = 20; ; pauseMs = Math.min(pauseMs * 2, 160)) {
    const found = await ask()
    if (isRight(found) || Date.now() > endMs) return found
    await pause(pauseMs)
  }
}

export const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms)
  })
