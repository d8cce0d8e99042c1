// Moving about in the dashboard without loading it again, as its links do: a tenth of the work of an address
// that is opened.
import assert from 'node:assert/strict'
import type { Page, Request } from 'playwright-core'
import { PATIENCE_MS } from './patience.ts'
import { pause } from './site.ts'

/** @param path of the page, with `/dashboard`. */
export async function moveTo(page: Page, path: string): Promise<void> {
  await page.locator('#main').waitFor()
  await page.evaluate(
    `history.pushState(null, '', ${JSON.stringify(path)}); dispatchEvent(new PopStateEvent('popstate'))`,
  )
}

/** Nothing is on its way for as long before a page counts as complete. */
const QUIET_MS = 150

/** @returns a wait until everything that the page asked for has come. To be called before it asks. */
export function watchRequests(page: Page): () => Promise<void> {
  const open = new Set<Request>()
  let lastMs = 0
  const end = (request: Request) => {
    if (open.delete(request)) lastMs = Date.now()
  }
  page.on('request', (request) => {
    open.add(request)
    lastMs = Date.now()
  })
  page.on('requestfinished', end)
  page.on('requestfailed', end)
  return async () => {
    const beganMs = Date.now()
    lastMs = beganMs
    while (open.size > 0 || Date.now() - lastMs < QUIET_MS) {
      const urls = [...open].map((request) => request.url())
      assert.ok(Date.now() - beganMs < PATIENCE_MS, `the page is still waiting for ${urls.join(' ')}`)
      await pause(20)
    }
  }
}
