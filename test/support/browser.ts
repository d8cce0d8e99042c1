// Chromium for the tests of what people look at. `npm test` finds or installs it and says where; by hand, set FOOTFALL_CHROMIUM.
import { chromium, type Browser, type LaunchOptions } from 'playwright-core'
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
]

/** The one difference from a visitor's browser: it does not say that it is a headless one, which would make it a robot. */
export const VISITOR_AGENT =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36'

async function launch(t: Ending, options: LaunchOptions): Promise<Browser> {
  const executablePath = process.env['FOOTFALL_CHROMIUM'] ?? '/usr/bin/chromium'
  const browser = await chromium.launch({ executablePath, headless: true, args: flags, ...options })
  t.after(() => browser.close())
  return browser
}

/**
 * Started as a visitor's is, with the cache for going back, which Playwright turns off. To be opened before the service, so that it ends first: a service
 * that stops waits a minute for connections that a browser opened and never used.
 */
export const openBrowser = (t: Ending): Promise<Browser> =>
  launch(t, { ignoreDefaultArgs: ['--disable-back-forward-cache'] })

/** One in which nothing says that a program drives it, since a person is to be told from one by what is done. */
export const openUnmarkedBrowser = (t: Ending): Promise<Browser> =>
  launch(t, { args: [...flags, '--disable-blink-features=AutomationControlled'] })
