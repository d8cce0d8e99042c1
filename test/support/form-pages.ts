// Pages with forms, on a site of their own, in front of a real service: opened by a browser, and what was
// sent read as its owner does.
import type { TestContext } from 'node:test'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { openBrowser, visitorsAgent } from './browser.ts'
import { flowOf, type Form } from './form-flow.ts'
import { buildLibraries } from './libraries.ts'
import { type Ending, type Footfall, startFootfall, type TestProperty } from './server.ts'
import { openSite, type Site } from './site.ts'
import { untilEqual } from './until.ts'

/** What somebody who fills in a form needs (filling.js) is there: without it the thanks are one word. */
export const untilFilling = (page: Page): Promise<void> =>
  untilEqual(() => page.evaluate<boolean>(`!!document.querySelector('script[src$="/filling.js"]')?.openFilling`), true)

/** A form of one field, and of a button with a value. */
export const simple = (key: string, more = ''): string =>
  `<form data-footfall="${key}" ${more}><input name="who"><button name="way" value="fast">Send</button></form>`

export interface FormPages {
  readonly footfall: Footfall
  /** Of this test alone, with a page at /form, and one at /taken for what goes elsewhere. */
  readonly site: Site
  /** Of this test alone. */
  readonly property: TestProperty
  /** A form that may stand on the site. */
  readonly create: (body?: Readonly<Record<string, unknown>>) => Promise<Form>
  /** Opens a page of that HTML, with form.js in its head. */
  readonly open: (html: string, options?: PageOptions) => Promise<Opened>
  /** A form of its own, opened, and filled in with Ada. */
  readonly fill: (html: (key: string) => string, options?: PageOptions) => Promise<Opened & { readonly form: Form }>
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

/** The service is. */
export const isAway: PageOptions = { before: (context) => context.route('**/v2/**', (route) => route.abort()) }

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
  t: TestContext,
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
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...visitorsAgent })
  t.after(() => context.close())
  await options.before?.(context)
  const page = await context.newPage()
  const errors: string[] = []
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()))
  page.on('pageerror', (error) => errors.push(String(error)))
  await page.goto(`${site.url}form`)
  return { page, errors, events: () => page.evaluate('window.heard') }
}

/**
 * For a file of tests, which share browser and service.
 * @returns what gives each of them a site and a property of its own, and another browser if it has one.
 */
export async function openFormWorld(file: Ending): Promise<(t: TestContext, browser?: Browser) => Promise<FormPages>> {
  buildLibraries()
  const usual = await openBrowser(file)
  const footfall = await startFootfall(file)
  const flow = flowOf(footfall)
  return async (t, browser = usual) => {
    const property = await footfall.addProperty()
    const site = await openSite(t, { '/taken': { html: 'taken' } })
    const create: FormPages['create'] = (body) => flow.create(property.id, { domains: ['127.0.0.1'], ...body })
    const open: FormPages['open'] = (html, options = {}) => openIn(t, browser, site, footfall, html, options)
    return {
      footfall,
      site,
      property,
      create,
      open,
      fill: async (html, options) => {
        const form = await create()
        const opened = await open(html(form.key), options)
        await opened.page.fill('[name=who]', 'Ada')
        return { form, ...opened }
      },
      sent: async ({ id }) => {
        const path = `/manage/properties/${property.id}/forms/${id}/submissions`
        const { json } = await footfall.call('GET', path, { query: { show: 'all' } })
        return json.data.data.toReversed()
      },
    }
  }
}
