// Chromium for the tests of what people look at. `npm test` finds or installs it and says where; by hand, set FOOTFALL_CHROMIUM.
import type { TestContext } from 'node:test'
import { chromium, type Browser, type Page } from 'playwright-core'

/** No look at the outside: no updates, no sync, no first-run pages. */
const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** The one difference from a visitor's browser: it does not say that it is a headless one, which would make it a robot. */
export const VISITOR_AGENT =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36'

export interface Watched {
  readonly page: Page
  /** Errors of the page's console and scripts, in order. */
  readonly errors: readonly string[]
  /** Every URL that was asked for. */
  readonly requests: readonly string[]
}

/** Started as a visitor's is, with the cache for going back, which Playwright turns off. */
export async function openBrowser(t: { after(close: () => Promise<void>): unknown }): Promise<Browser> {
  const executablePath = process.env['FOOTFALL_CHROMIUM'] ?? '/usr/bin/chromium'
  const ignoreDefaultArgs = ['--disable-back-forward-cache']
  const browser = await chromium.launch({ executablePath, headless: true, args: flags, ignoreDefaultArgs })
  t.after(() => browser.close())
  return browser
}

export async function openPage(t: TestContext, url: string): Promise<Watched> {
  const browser = await openBrowser(t)
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, userAgent: VISITOR_AGENT })
  const errors: string[] = []
  const requests: string[] = []
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()))
  page.on('pageerror', (error) => errors.push(String(error)))
  page.on('request', (request) => requests.push(request.url()))
  await page.goto(url)
  return { page, errors, requests }
}
