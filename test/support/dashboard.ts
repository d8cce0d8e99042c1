// The dashboard in Chromium: a real service with its built files, people signed in by their cookie, and what
// every page has to hold to.
import { after, afterEach } from 'node:test'
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Browser, Page } from 'playwright-core'
import { makeOwner, type Person } from './accounts.ts'
import { openBrowser, visitorsAgent } from './browser.ts'
import { AHEAD_MS } from './clock.ts'
import { keepPages, type Making } from './kept-pages.ts'
import { buildPages } from './pages.ts'
import { startFootfall, type Ending, type Footfall, type FootfallOptions } from './server.ts'
import { eventually } from './site.ts'
import { untilStill } from './until.ts'

export interface DashboardPage {
  readonly page: Page
  /** What the console, the scripts and the policy complained about. */
  readonly errors: readonly string[]
}

export interface PageOptions {
  /** Signed in as; nobody when left out. */
  readonly as?: Person | undefined
  /** 1280 when left out; 360 is the smallest phone. */
  readonly width?: number
  readonly theme?: 'light' | 'dark'
  /** Asks ahead, as pages do for people. Left out, a test sees the questions of its own clicks alone. */
  readonly asksAhead?: boolean
  /** By a finger. */
  readonly hasTouch?: boolean
  /** As a phone shows it: by its own width and density, and by a finger. */
  readonly isPhone?: boolean
  /** Where the reader is; UTC when left out. */
  readonly timezone?: string
}

export interface Dashboard {
  readonly footfall: Footfall
  readonly browser: Browser
  /** Of the installation. */
  readonly owner: Person
  /**
   * A page that shares nothing with others that are open, and has nothing of those that were left.
   * @param path under the dashboard: `/sign-in`.
   */
  readonly open: (path: string, options?: PageOptions) => Promise<DashboardPage>
  /** After a test: pages go on asking for as long as they are open, and the next test may have them. */
  readonly leavePages: () => Promise<void>
}

/**
 * Builds the dashboard when it is stale. One in a test file, as there is one service in a process. Where that
 * is given a clock, its pages have the system's.
 */
export async function openDashboard(t: Ending, options: FootfallOptions = {}): Promise<Dashboard> {
  buildPages()
  const footfall = await startFootfall(t, options)
  const owner = await makeOwner(footfall)
  const browser = await openBrowser(t, options.now === undefined ? AHEAD_MS : 0)
  const pages = keepPages(browser, (making) => createPage(browser, making), `${footfall.url}/dashboard/icon.svg`)
  const open: Dashboard['open'] = async (path, how = {}) => showIn(await pages.take(makingOf(how)), footfall, path, how)
  return { footfall, browser, owner, open, leavePages: () => pages.giveBack() }
}

/**
 * For all tests of a file: what was opened last is closed first, and no test meets the pages of another.
 * @param options of its service.
 */
export async function openDashboardOfFile(options: FootfallOptions = {}): Promise<Dashboard> {
  const ends: (() => Promise<void>)[] = []
  after(async () => {
    for (const end of ends.toReversed()) await end()
  })
  const dashboard = await openDashboard({ after: (end) => ends.push(end) }, options)
  afterEach(() => dashboard.leavePages())
  return dashboard
}

const makingOf = ({
  asksAhead = false,
  isPhone = false,
  hasTouch = isPhone,
  timezone = 'UTC',
}: PageOptions): Making => ({ asksAhead, hasTouch, isPhone, timezone })

async function createPage(browser: Browser, { asksAhead, hasTouch, isPhone, timezone }: Making): Promise<Page> {
  const context = await browser.newContext({
    reducedMotion: 'reduce',
    locale: 'en-GB',
    timezoneId: timezone,
    hasTouch,
    isMobile: isPhone,
    ...visitorsAgent,
  })
  if (!asksAhead)
    await context.addInitScript(
      `navigator.connection && Object.defineProperty(navigator.connection, 'saveData', { value: true })`,
    )
  return context.newPage()
}

async function showIn(
  page: Page,
  footfall: Pick<Footfall, 'url'>,
  path: string,
  { as, width = 1280, theme = 'light' }: PageOptions,
): Promise<DashboardPage> {
  await page.setViewportSize({ width, height: width < 600 ? 740 : 860 })
  await page.emulateMedia({ colorScheme: theme })
  if (as) {
    const [name = '', value = ''] = as.cookie.split(/=(.*)/s)
    await page.context().addCookies([{ name, value, url: footfall.url }])
  }
  const errors: string[] = []
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()))
  page.on('pageerror', (error) => errors.push(String(error)))
  await page.goto(`${footfall.url}/dashboard${path}`)
  return { page, errors }
}

/** In a browser context of its own, which has nothing of the dashboard yet. */
export async function openPage(
  t: Ending,
  browser: Browser,
  footfall: Pick<Footfall, 'url'>,
  path: string,
  options: PageOptions = {},
): Promise<DashboardPage> {
  const page = await createPage(browser, makingOf(options))
  t.after(() => page.context().close())
  return showIn(page, footfall, path, options)
}

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

interface AxeResult {
  readonly violations: readonly { id: string; nodes: readonly { html: string; failureSummary?: string }[] }[]
}

/**
 * WCAG 2.2 A and AA, as far as a program can tell. The page's own policy would not let the checker in: it is
 * run beside the page's scripts.
 */
export async function assertAccessible(page: Page): Promise<void> {
  await page.locator('h1').first().waitFor() // a page without one is on its way
  await untilStill(page) // colours that are on their way to others are no colours that anybody reads
  if ((await page.evaluate('typeof axe')) === 'undefined') await page.evaluate(axeSource)
  const { violations } = await page.evaluate<AxeResult>(
    `axe.run(document, {
      runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
      // What nobody reads here takes half of its time.
      resultTypes: ['violations'],
      selectors: false,
      preload: false,
    }).then(({ violations }) => ({ violations }))`,
  )
  const words = violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html}\n${failureSummary}`),
  )
  assert.deepEqual(words, [])
}

/**
 * Resolves once the expression is true in the page. By `waitForFunction` the page itself would evaluate it,
 * which its policy forbids.
 */
export async function untilTrue(page: Page, expression: string): Promise<void> {
  assert.ok(await eventually(() => page.evaluate<boolean>(expression), Boolean), expression)
}

/** Nothing is wider than the window, once what follows its size has done so. */
export async function assertNoSidewaysScroll(page: Page): Promise<void> {
  const read = () =>
    page.evaluate<readonly [wide: number, width: number]>(
      '[document.documentElement.scrollWidth, document.documentElement.clientWidth]',
    )
  const [wide, width] = await eventually(read, ([found, window]) => found <= window)
  assert.ok(wide <= width, `${page.url()} is ${wide} pixels wide in a window of ${width}`)
}
