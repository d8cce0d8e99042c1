// Pages with forms, on a site of their own, in front of a real service: opened by a browser, and what was sent read as its owner does.
import type { TestContext } from 'node:test'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { VISITOR_AGENT } from './browser.ts'
import { flowOf, type Form } from './form-flow.ts'
import { buildLibraries } from './libraries.ts'
import { type Footfall, startFootfall } from './server.ts'
import { openSite, type Site } from './site.ts'

/** A browser in which nothing says that a program drives it, since a person is to be told from one by what is done. */
async function openUnmarkedBrowser(t: TestContext): Promise<Browser> {
  const executablePath = process.env['FOOTFALL_CHROMIUM'] ?? '/usr/bin/chromium'
  const quiet = ['--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync']
  const args = [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    ...quiet,
    '--disable-blink-features=AutomationControlled',
  ]
  const browser = await chromium.launch({ executablePath, headless: true, args })
  t.after(() => browser.close())
  return browser
}

export interface FormPages {
  readonly footfall: Footfall
  readonly site: Site
  readonly browser: Browser
  /** A form that may stand on the site. */
  readonly create: (body?: Readonly<Record<string, unknown>>) => Promise<Form>
  /** Opens a page of that HTML, with form.js in its head. */
  readonly open: (html: string, options?: PageOptions) => Promise<Opened>
  /** What its owner has been sent, the oldest first. */
  readonly sent: (form: Form) => Promise<Sent[]>
}

interface PageOptions {
  readonly headers?: Readonly<Record<string, string>>
  /** Attributes of the script tag. */
  readonly attributes?: string
  readonly script?: boolean
  /** Before the page is there. */
  readonly before?: (context: BrowserContext) => Promise<unknown>
}

export interface Opened {
  readonly page: Page
  readonly errors: string[]
  /** Names of the events of forms, in order. */
  readonly events: () => Promise<string[]>
}

export interface Sent {
  readonly fields: Readonly<Record<string, string>>
  readonly raw_fields: readonly { readonly name: string; readonly type: string; readonly value: unknown }[]
  readonly verdict: string
  readonly score: number
  readonly reasons: readonly { readonly reason: string }[]
  readonly source: string
  readonly lib: string
  readonly session_id: string | null
}

const noteEvents = `<script>
  window.heard = []
  for (const name of ['ready', 'error', 'invalid', 'success'])
    addEventListener('footfall:' + name, (event) => heard.push(name))
</script>`

async function openIn(
  browser: Browser,
  site: Site,
  footfall: Footfall,
  html: string,
  options: PageOptions,
): Promise<Opened> {
  const tag = `<script defer src="${footfall.url}/form.js" ${options.attributes ?? ''}></script>`
  const head = `<title>A page</title>${options.headers ? '' : noteEvents}${options.script === false ? '' : tag}`
  site.pages.set('/form', {
    html: `<!doctype html><html lang="en"><head>${head}</head><body>${html}</body></html>`,
    ...(options.headers && { headers: options.headers }),
  })
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, userAgent: VISITOR_AGENT })
  await options.before?.(context)
  const page = await context.newPage()
  const errors: string[] = []
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()))
  page.on('pageerror', (error) => errors.push(String(error)))
  await page.goto(`${site.url}form`)
  return { page, errors, events: () => page.evaluate('window.heard') }
}

export async function startFormPages(t: TestContext): Promise<FormPages> {
  buildLibraries()
  // First, so that it ends first: a service that stops waits a minute for connections that a browser opened and never used.
  const browser = await openUnmarkedBrowser(t)
  const footfall = await startFootfall(t)
  const site = await openSite(t)
  const flow = flowOf(footfall)
  return {
    footfall,
    site,
    browser,
    create: (body) => flow.create(footfall.property.id, { domains: ['127.0.0.1'], ...body }),
    open: (html, options = {}) => openIn(browser, site, footfall, html, options),
    sent: async ({ id }) => {
      const path = `/manage/properties/${footfall.property.id}/forms/${id}/submissions`
      const { json } = await footfall.call('GET', path, { query: { show: 'all' } })
      return json.data.data.toReversed()
    },
  }
}
