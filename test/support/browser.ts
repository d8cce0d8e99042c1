// Chromium for the tests of what people look at. `npm test` finds or installs it and says where; by hand, set
// FOOTFALL_CHROMIUM (and FOOTFALL_CHROMIUM_SHELL to its headless shell).
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type Browser, type BrowserContextOptions, type LaunchOptions } from 'playwright-core'
import { AHEAD_MS } from './clock.ts'
import { PATIENCE_MS } from './patience.ts'
import type { Ending } from './server.ts'

/** How many tests of a file look at their pages at a time: mostly they wait. */
export const AT_ONCE = 3

/** No look at the outside: no updates, no sync, no first-run pages. */
const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-blink-features=AutomationControlled', // or nobody in it would be taken for a person
]

/** No work that pays only for pages that are open for longer than here. */
const briefly = [
  '--js-flags=--no-opt --no-maglev', // nothing runs often enough to be compiled twice
  '--renderer-process-limit=1', // the next address of a page finds the scripts of the last one compiled
]

/** A headless browser says that it is one, which would make it a robot. */
const VISITOR_AGENT =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36'

const chromiumPath = process.env['FOOTFALL_CHROMIUM'] ?? '/usr/bin/chromium'
/** The same engine without the frame of a browser: half the work, and enough for nearly all. */
const shellPath = process.env['FOOTFALL_CHROMIUM_SHELL'] ?? chromiumPath

/**
 * Runs in every page before its own scripts. Playwright's clock, where a test has put it in a page, counts
 * from the system's.
 */
const clockAhead = (aheadMs: number) => `{
  const system = Date.now
  Date.now = () => system() + (globalThis.__pwClock ? 0 : ${aheadMs})
  globalThis.Date = new Proxy(Date, {
    construct: (target, given, made) => Reflect.construct(target, given.length > 0 ? given : [target.now()], made),
  })
}`

async function launch(t: Ending, aheadMs: number, options: LaunchOptions): Promise<Browser> {
  const browser = await chromium.launch({ headless: true, args: flags, timeout: PATIENCE_MS, ...options })
  t.after(() => browser.close())
  const newContext = browser.newContext.bind(browser)
  return Object.assign(browser, {
    newContext: async (contextOptions?: BrowserContextOptions) => {
      const context = await newContext(contextOptions)
      context.setDefaultTimeout(PATIENCE_MS)
      if (aheadMs !== 0) await context.addInitScript(clockAhead(aheadMs))
      return context
    },
  })
}

/** @param aheadMs of the system's clock, in its pages: as the services in tests have it when left out. */
export const openBrowser = (t: Ending, aheadMs = AHEAD_MS): Promise<Browser> =>
  launch(t, aheadMs, { executablePath: shellPath, args: [...flags, ...briefly] })

/** Started as a visitor's is: with a frame, and with the cache for going back, which Playwright turns off. */
export const openWholeBrowser = (t: Ending, aheadMs = AHEAD_MS): Promise<Browser> =>
  launch(t, aheadMs, { executablePath: chromiumPath, ignoreDefaultArgs: ['--disable-back-forward-cache'] })

/** A browser on one page that nobody drives: one that is driven renders no page ahead. */
export function openLoneBrowser(t: Ending, url: string): void {
  const folder = mkdtempSync(join(tmpdir(), 'footfall-chromium-'))
  const own = ['--headless=new', `--user-agent=${VISITOR_AGENT}`, `--user-data-dir=${folder}`, url]
  const browser = spawn(chromiumPath, [...flags, ...own], { stdio: 'ignore' })
  const gone = once(browser, 'close')
  t.after(async () => {
    browser.kill()
    await gone
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
  })
}

/** A visitor's agent, in what scripts are told and in what every request says. */
export const visitorsAgent: BrowserContextOptions = {
  userAgent: VISITOR_AGENT,
  extraHTTPHeaders: { 'sec-ch-ua': '"Chromium";v="142", "Not_A Brand";v="99"' },
}
