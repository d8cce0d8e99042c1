// The first load of the overview on a phone: nothing cached, a processor that is four times slower, and the
// network that Lighthouse calls slow 4G. When the first words and the numbers are there, and how far anything
// moved. Each load is one of a browser context of its own, so that nothing is left of the one before.
import { execFileSync } from 'node:child_process'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { openWholeBrowser } from '../test/support/browser.ts'
import { ADMIN_TOKEN, builder, findSite, ownerOf, type Site } from './dashboard.ts'
import { settingsFor } from './homes.ts'
import { askScript, startFootfall } from './processes.ts'
import { type Row, share } from './table.ts'

/** Enough for a median that one busy moment of the machine does not move. */
const RUNS = 11
const CPU_RATE = 4
/** 1.6 Mbit/s down, 750 kbit/s up, and the time from a request to the first byte of its answer. */
const SLOW_4G = { offline: false, latency: 150, downloadThroughput: 1_600_000 / 8, uploadThroughput: 750_000 / 8 }
/** After the numbers: what is loaded when the page is at rest must not move it either. */
const REST_MS = 4_000
const LOOK_MS = 250
const PHONE: BrowserContextOptions = {
  viewport: { width: 390, height: 844 },
  deviceScaleFactor: 3,
  isMobile: true,
  hasTouch: true,
}
const SESSIONS = 40_000
const DAYS = 365

/** Noted by the page itself: the browser tells of it only to those who listen. */
const notes = `(() => {
  const seen = (globalThis.firstLoad = { shift: 0, largestMs: 0, shifted: [], largest: '' })
  const nameOf = (node) => node?.nodeType === 1 ? node.tagName + '.' + node.className : (node?.parentElement?.tagName ?? '')
  new PerformanceObserver((list) => {
    for (const { startTime, element } of list.getEntries()) {
      seen.largestMs = startTime
      seen.largest = nameOf(element) + ' ' + (element?.textContent ?? '').slice(0, 40)
    }
  }).observe({ type: 'largest-contentful-paint', buffered: true })
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput, sources, startTime } of list.getEntries())
      if (!hadRecentInput) {
        seen.shift += value
        seen.shifted.push([Math.round(startTime), value, ...sources.map(({ node }) => nameOf(node))])
      }
  }).observe({ type: 'layout-shift', buffered: true })
  const look = () => {
    if (document.querySelector('[data-period]:not([data-stale])')) requestAnimationFrame(() => setTimeout(() => (seen.numbersMs = performance.now())))
    else requestAnimationFrame(look)
  }
  look()
})()`

interface Load {
  readonly paintMs: number
  readonly largestMs: number
  readonly numbersMs: number
  readonly shift: number
  /** What was largest, and what moved: for whoever mends it. */
  readonly largest: string
  readonly shifted: readonly unknown[]
}

const read = `({ ...globalThis.firstLoad, paintMs: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0 })`

async function slowDown(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  await session.send('Network.emulateNetworkConditions', SLOW_4G)
  await session.send('Emulation.setCPUThrottlingRate', { rate: CPU_RATE })
}

type Cookie = Awaited<ReturnType<typeof ownerOf>>

async function load(browser: Browser, { url, id }: Site, cookie: Cookie): Promise<Load> {
  const context = await browser.newContext(PHONE)
  try {
    await context.addCookies([cookie])
    const page = await context.newPage()
    await page.addInitScript(notes)
    await slowDown(page)
    await page.goto(`${url}/dashboard/properties/${id}`, { waitUntil: 'commit' })
    // Asked from outside: the policy of the page lets nobody evaluate texts in it.
    while (!(await page.evaluate<boolean>('globalThis.firstLoad?.numbersMs > 0'))) await page.waitForTimeout(LOOK_MS)
    await page.waitForTimeout(REST_MS)
    return await page.evaluate<Load>(read)
  } finally {
    await context.close()
  }
}

function rowsOf(loads: readonly Load[]): Row[] {
  const row = (name: string, of: (load: Load) => number): Row => {
    const sorted = loads.map(of).toSorted((a, b) => a - b)
    return { name, leastMs: sorted[0]!, p50Ms: share(sorted, 0.5), mostMs: sorted.at(-1)! }
  }
  const shifts = loads.map(({ shift }) => shift).toSorted((a, b) => a - b)
  return [
    row('first paint', ({ paintMs }) => paintMs),
    row('largest contentful paint', ({ largestMs }) => largestMs),
    row('numbers on screen', ({ numbersMs }) => numbersMs),
    { name: 'layout shift (median)', shift: share(shifts, 0.5) },
    { name: 'layout shift (most)', shift: shifts.at(-1)! },
  ]
}

export interface FirstLoad {
  readonly sessions: number
  readonly runs: number
  readonly loads: readonly Load[]
  readonly rows: Row[]
}

/** @param dataDir an empty folder. */
export async function measureFirstLoad(dataDir: string): Promise<FirstLoad> {
  const env = { ...settingsFor(dataDir), ADMIN_TOKEN }
  const args = ['demo', '--json', '--sessions', `${SESSIONS}`, '--days', `${DAYS}`]
  const { sessions } = await askScript<{ sessions: number }>('cli/footfall.ts', args, env)
  execFileSync(process.execPath, [builder], { stdio: 'pipe' })
  const endings: (() => Promise<void>)[] = []
  const after = (end: () => Promise<void>): unknown => endings.push(end)
  try {
    const server = await startFootfall(env)
    after(() => server.stop())
    const browser = await openWholeBrowser({ after }, 0)
    const site = await findSite(server.url)
    const cookie = await ownerOf(site)
    await load(browser, site, cookie) // The service's first answer is measured by "overview".
    const loads: Load[] = []
    for (let run = 0; run < RUNS; run++) loads.push(await load(browser, site, cookie))
    return { sessions, runs: RUNS, loads, rows: rowsOf(loads) }
  } finally {
    for (const end of endings.toReversed()) await end()
  }
}
