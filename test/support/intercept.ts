// Requests of a page that is open already, held back or answered by a test. Chromium says that it intercepts
// before the page has been told: a request that follows at once may still go to the service.
import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { eventually } from './site.ts'

/** As `page.route`; resolves once the next request of the page is intercepted. */
export async function intercept(page: Page, ...given: Parameters<Page['route']>): Promise<void> {
  await page.route(...given)
  if (page.url() === 'about:blank') await page.goto('about:blank') // asks nobody, and is told as it opens
  else await untilIntercepted(page)
}

/** By a question of its own, which the service answers as harmlessly as the test. */
async function untilIntercepted(page: Page): Promise<void> {
  const probe = new URL(page.url())
  probe.search = '?intercepted'
  probe.hash = ''
  let isIntercepted = false
  await page.route(probe.href, (route) => {
    isIntercepted = true
    return route.fulfill({ status: 204 })
  })
  const ask = `fetch('${probe.href}', { method: 'HEAD' }).then(() => undefined, () => undefined)`
  await eventually(async () => {
    await page.evaluate(ask)
    return isIntercepted
  }, Boolean)
  await page.unroute(probe.href)
  assert.ok(isIntercepted, 'the page asks without being intercepted')
}
