// The overview in Chromium, over demo traffic of a given size: from a click on a period to the painted
// answer. Measured for a first request, for an answer from the service's cache, after a new page view, and
// for an answer from the page's cache. And the first choice after a while on the overview, when the page has
// prefetched.
import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { openBrowser } from '../test/support/browser.ts'
import { settingsFor } from './homes.ts'
import { askScript, type Environment, startFootfall } from './processes.ts'
import { type Row, share } from './table.ts'

const RUNS = 7
export const builder = fileURLToPath(new URL('../tools/build-dashboard.mjs', import.meta.url))
export const ADMIN_TOKEN = 'an-administrator-token-for-the-bench'
/** How long the overview is looked at before the first choice. */
const LOOK_MS = 5_000
const AGENT =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36'

const periods = [
  { id: 'last_28', words: 'Last 28 days' },
  { id: 'last_12_months', words: 'Last 12 months' },
] as const

export interface Site {
  readonly url: string
  readonly id: string
  readonly key: string
  /** A share link: it shows the page without an account. */
  readonly shareUrl: string
}

async function manage<Answer>(url: string, path: string, body?: object): Promise<Answer> {
  const answer = await fetch(`${url}/manage/${path}`, {
    method: body ? 'POST' : 'GET',
    headers: { authorization: `Bearer ${ADMIN_TOKEN}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${(await answer.text()).slice(0, 300)}`)
  return ((await answer.json()) as { data: Answer }).data
}

export async function findSite(url: string): Promise<Site> {
  const { data } = await manage<{ data: { id: string; key: string }[] }>(url, 'properties')
  const [property] = data
  if (!property) throw new Error('the demo made no property')
  const made = await manage<{ url: string }>(url, `properties/${property.id}/shares`, { name: 'Bench' })
  // The service may be configured with another URL.
  return { url, ...property, shareUrl: new URL(new URL(made.url).pathname, url).href }
}

/** The cookie of a signed-in person: pages of share links prefetch nothing. */
export async function ownerOf({ url }: Site): Promise<{ name: string; value: string; url: string }> {
  const made = await manage<{ invitation_url: string }>(url, 'users', {
    email: 'bench@example.com',
    name: 'Bench',
    is_owner: true,
  })
  const answer = await fetch(`${url}/manage/invitation/accept`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
    body: JSON.stringify({ token: new URL(made.invitation_url).hash.slice(1), name: 'Bench', password: randomUUID() }),
  })
  const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(answer.headers.get('set-cookie') ?? '') ?? []
  if (name === '') throw new Error(`nobody is signed in: ${answer.status}`)
  return { name, value, url }
}

async function view({ url, key }: Site): Promise<void> {
  const headers = {
    'x-svc-id': key,
    'x-svc-lib': 'signals/1.1.0',
    'x-svc-page': 'https://example.com/',
    'user-agent': AGENT,
  }
  const answer = await fetch(`${url}/v2/signal/load`, { headers })
  if (!((await answer.json()) as { success: boolean }).success) throw new Error('a page view was not taken')
}

/**
 * Runs in the page, so that no time of the tool is included: a press on the period in the open picker, then a
 * check at each frame until the answer is complete, and one more frame, after which it is painted.
 */
const clickToPainted = (id: string, words: string): string => `new Promise((resolve) => {
  const choice = [...document.querySelectorAll('[popover]:popover-open li button')].find((button) => button.textContent.startsWith(${JSON.stringify(words)}))
  const start = performance.now()
  choice.click()
  const isShown = () => document.querySelector('[data-period="${id}"]:not([data-stale])') !== null
  const look = () => (isShown() ? requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - start))) : requestAnimationFrame(look))
  look()
})`

async function click(page: Page, { id, words }: (typeof periods)[number]): Promise<number> {
  await page.locator('button[aria-haspopup=dialog]').last().click()
  await page.locator('[popover]:popover-open li').first().waitFor()
  return page.evaluate<number>(clickToPainted(id, words))
}

/** Leaves the measured periods, so that the page has nothing of theirs. */
async function atToday(page: Page): Promise<void> {
  const address = new URL(page.url())
  address.search = '?period=today'
  await page.goto(address.href)
  await page.locator('[data-period=today]:not([data-stale])').waitFor()
}

async function openPage(browser: Browser, { shareUrl }: Site): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 860 }, reducedMotion: 'reduce' })
  // Starts at a period that is not measured: the usual one would be prefetched.
  await page.goto(`${shareUrl}?period=today`)
  await page.locator('[data-period=today]').waitFor()
  return page
}

/** With a service of its own, whose cache makes nothing else faster. */
async function measureFirstChoice(browser: Browser, env: Environment): Promise<Row> {
  const server = await startFootfall(env)
  try {
    return await chooseFirst(browser, await findSite(server.url))
  } finally {
    await server.stop()
  }
}

async function chooseFirst(browser: Browser, site: Site): Promise<Row> {
  const year = periods[1]
  const context = await browser.newContext({ viewport: { width: 1280, height: 860 }, reducedMotion: 'reduce' })
  await context.addCookies([await ownerOf(site)])
  const page = await context.newPage()
  await page.goto(`${site.url}/dashboard/properties/${site.id}`)
  await page.locator('[data-period]').waitFor()
  await page.waitForTimeout(LOOK_MS)
  const ms = await click(page, year)
  await context.close()
  return { name: `${year.words}: first choice after a look at the overview`, p50Ms: ms, p99Ms: ms }
}

async function times(taken: number, once: () => Promise<number>): Promise<number[]> {
  const found: number[] = []
  for (let run = 0; run < taken; run++) found.push(await once())
  return found.toSorted((a, b) => a - b)
}

type Measured = (typeof periods)[number]

const row = ({ words }: Measured, what: string, taken: readonly number[]): Row => ({
  name: `${words}: ${what}`,
  p50Ms: share(taken, 0.5),
  p99Ms: taken.at(-1)!,
})

async function fresh(page: Page, period: Measured, before: () => Promise<void> = async () => undefined) {
  await atToday(page)
  await before()
  return click(page, period)
}

async function measureAgain(page: Page, site: Site, period: Measured): Promise<Row[]> {
  const other = periods.find(({ id }) => id !== period.id)!
  const again = await times(RUNS, () => fresh(page, period))
  const written = await times(RUNS, () => fresh(page, period, () => view(site)))
  const inPage = await times(RUNS, async () => {
    await click(page, other)
    return click(page, period)
  })
  return [
    row(period, 'kept by the service', again),
    row(period, 'after a new view', written),
    row(period, 'kept by the page', inPage),
  ]
}

export interface Painted {
  readonly sessions: number
  readonly rows: Row[]
}

/** @param dataDir an empty folder. @param days over which the sessions are spread. */
export async function measureDashboard(dataDir: string, sessions: number, days: number): Promise<Painted> {
  const env = { ...settingsFor(dataDir), ADMIN_TOKEN }
  const args = ['demo', '--json', '--sessions', `${sessions}`, '--days', `${days}`]
  const demo = await askScript<{ sessions: number }>('cli/footfall.ts', args, env)
  execFileSync(process.execPath, [builder], { stdio: 'pipe' })
  const endings: (() => Promise<void>)[] = []
  const after = (end: () => Promise<void>): unknown => endings.push(end)
  try {
    const browser = await openBrowser({ after }, 0)
    const rows = [await measureFirstChoice(browser, env)]
    const server = await startFootfall(env)
    after(() => server.stop())
    const site = await findSite(server.url)
    const page = await openPage(browser, site)
    for (const period of periods) rows.push(row(period, 'never asked', [await fresh(page, period)]))
    for (const period of periods) rows.push(...(await measureAgain(page, site, period)))
    return { sessions: demo.sessions, rows }
  } finally {
    for (const end of endings.toReversed()) await end()
  }
}
