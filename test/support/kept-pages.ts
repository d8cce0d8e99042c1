// Pages that go from test to test of a file: one that is left is cleaned for the next test. To open it costs
// half as much there as in a browser context of its own: the scripts of the dashboard and of the
// accessibility checker are compiled already.
import type { Browser, BrowserContext, Page } from 'playwright-core'

/** What a context is made with; all else of a page can be set again. */
export interface Making {
  /** Asks ahead, as pages do for people. */
  readonly asksAhead: boolean
  /** By a finger. */
  readonly hasTouch: boolean
  readonly isPhone: boolean
  /** In which its reader is. */
  readonly timezone: string
}

interface KeptPages {
  /** A page that nobody has, at no address of a test. */
  take(making: Making): Promise<Page>
  /** All pages of the browser are left: those that are as they were made are kept, the others closed. */
  giveBack(): Promise<void>
}

/** What tests listen to. */
const HEARD = [
  'console',
  'dialog',
  'download',
  'pageerror',
  'popup',
  'request',
  'requestfailed',
  'requestfinished',
  'response',
]

/** @returns whether a test has put something into the page that stays there for good. */
function watchSpoiling(page: Page): () => boolean {
  let isSpoiled = false
  const note = <Owner extends object>(owner: Owner, names: readonly (keyof Owner)[]): void => {
    for (const name of names) {
      const act = owner[name] as (...given: unknown[]) => unknown
      const value = (...given: unknown[]): unknown => {
        isSpoiled = true
        return act.apply(owner, given)
      }
      Object.defineProperty(owner, name, { value })
    }
  }
  note(page, ['addInitScript', 'exposeBinding', 'exposeFunction'])
  note(page.context(), ['addInitScript', 'exposeBinding', 'exposeFunction', 'setOffline'])
  note(page.clock, ['install', 'setFixedTime', 'setSystemTime'])
  return () => isSpoiled
}

/**
 * @param create a context with a page.
 * @param blank an address of the service that runs nothing: what pages have stored there is forgotten on it.
 */
export function keepPages(browser: Browser, create: (making: Making) => Promise<Page>, blank: string): KeptPages {
  const makings = new Map<BrowserContext, { readonly key: string; readonly page: Page; isSpoiled: () => boolean }>()
  const free = new Map<string, Page>()

  const clean = async (page: Page): Promise<void> => {
    const context = page.context()
    for (const event of HEARD) page.removeAllListeners(event)
    await Promise.all([page, context].map((one) => one.unrouteAll({ behavior: 'ignoreErrors' })))
    await page.goto(blank)
    await page.evaluate('localStorage.clear(); sessionStorage.clear()')
    await context.clearCookies()
    await page.mouse.move(-1, -1) // nothing of the next test is under it
  }

  const leave = async (context: BrowserContext): Promise<void> => {
    const made = makings.get(context)
    const [page, ...others] = context.pages()
    if (made && made.page === free.get(made.key)) return
    if (!made || page !== made.page || others.length > 0 || made.isSpoiled() || free.has(made.key))
      return context.close()
    free.set(made.key, page)
    return clean(page)
  }

  return {
    async take(making) {
      const key = JSON.stringify(making)
      const kept = free.get(key)
      free.delete(key)
      if (kept) return kept
      const page = await create(making)
      makings.set(page.context(), { key, page, isSpoiled: watchSpoiling(page) })
      return page
    },
    async giveBack() {
      await Promise.all(browser.contexts().map(leave))
    },
  }
}
