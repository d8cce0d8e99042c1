// The documentation page in a real browser: it shows the endpoints, calls nobody outside, and its policy lets
// it work.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openBrowser } from '../support/browser.ts'
import { assertAccessible, assertNoSidewaysScroll } from '../support/dashboard.ts'
import { startFootfall } from '../support/server.ts'
import { openSite, visit } from '../support/site.ts'
import { untilEqual } from '../support/until.ts'

const browser = await openBrowser({ after })
const footfall = await startFootfall({ after })

test('guides are read, searched by keyboard, and lead to the endpoint that was looked for, without a request to anybody else', async (t) => {
  const { page, errors, requests } = await visit(t, browser, `${footfall.url}/docs`)
  await page.getByRole('heading', { level: 1, name: 'Getting started' }).waitFor()
  await assertAccessible(page)
  await page.keyboard.press('/')
  await page.keyboard.type('analytics metrics')
  const result = page.locator('#found').getByRole('link', { name: /POST \/v2\/property\/signals\/analytics\/metrics/ })
  await result.waitFor()
  await result.click()
  await page.getByRole('heading', { level: 1, name: 'API reference' }).waitFor()
  const operation = page.locator('details[open]').filter({ hasText: 'analytics/metrics' })
  await operation.getByText('curl -X POST').waitFor()
  await assertAccessible(page)
  await page.keyboard.press('/')
  await page.keyboard.type('web vitals')
  await page.keyboard.press('Enter')
  await page.waitForURL(/#web-vitals$/)
  await page.keyboard.press('/')
  await page.keyboard.type('recipes')
  await page.locator('#found a').first().waitFor()
  await page.keyboard.press('Escape')
  await page.keyboard.press('Enter')
  await page.getByRole('navigation', { name: 'Contents' }).getByRole('link', { name: 'Settings' }).click()
  await page.getByRole('cell', { name: 'PUBLIC_PATHS' }).waitFor()
  assert.deepEqual(errors, [])
  const outside = requests.filter((url) => !url.startsWith(footfall.url) && !url.startsWith('data:'))
  assert.deepEqual(outside, [])
  const left = requests.filter((url) => new URL(url).pathname === '/docs/recipes')
  assert.deepEqual(left, [], 'what was left with Escape is not opened')
})

test('Enter opens the first result though the index is still on its way; one that did not come is asked for again', async (t) => {
  const { page } = await visit(t, browser, `${footfall.url}/docs`)
  const arrival = Promise.withResolvers<void>()
  let asked = 0
  await page.route('**/search.json', async (route) => {
    asked += 1
    if (asked === 1) return route.abort()
    await arrival.promise
    return route.continue()
  })
  await page.keyboard.press('/')
  await page.keyboard.type('w')
  await page.getByText('The search could not be loaded.').waitFor()
  const again = page.waitForRequest('**/search.json')
  await page.keyboard.type('eb vitals')
  await page.keyboard.press('Enter')
  await again
  assert.equal(await page.locator('#found a').count(), 0)
  arrival.resolve()
  await page.waitForURL(/#web-vitals$/)
  assert.equal(asked, 2)
})

test('on a phone the contents fold away, and nothing is wider than the window', async (t) => {
  const context = await browser.newContext({ viewport: { width: 390, height: 800 }, colorScheme: 'dark' })
  t.after(() => context.close())
  const page = await context.newPage()
  for (const path of ['', '/definitions', '/reference', '/api/forms']) {
    await page.goto(`${footfall.url}/docs${path}`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await assertNoSidewaysScroll(page)
  }
  await assertAccessible(page)
  assert.equal(await page.getByRole('link', { name: 'Installing' }).isVisible(), false)
  await page.getByText('Contents', { exact: true }).click()
  await page.getByRole('link', { name: 'Installing' }).click()
  await page.getByRole('heading', { level: 1 }).waitFor()
})

interface Answer {
  readonly success: boolean
  readonly view_id: string
}

test('a browser on another site may load, ping and send events; the visit is that of the browser', async (t) => {
  // Of another origin, where the browser enforces what the server allows.
  const site = await openSite(t, { '/': { html: '<!doctype html><title>Somebody’s site</title>' } })
  const { page, errors } = await visit(t, browser, site.url)
  const answers = await page.evaluate(
    async ([url, key]) => {
      const headers = {
        'X-SVC-ID': key!,
        'X-SVC-LIB': 'signals/1.1.0',
        'X-SVC-PAGE': encodeURIComponent('https://example.com/naïve'),
      }
      const load = (await (await fetch(`${url}/v2/signal/load`, { headers })).json()) as Answer
      const ping = await fetch(`${url}/v2/signal/${load.view_id}/ping`, {
        method: 'POST',
        headers: { 'X-SVC-ID': key!, 'Content-Type': 'application/json' },
        body: JSON.stringify({ event: 'hide', tos: 7, max: 60 }),
      })
      // A beacon cannot set headers: the property's key travels in the body, as text.
      const { sendBeacon } = navigator as unknown as { sendBeacon: (url: string, body: string) => boolean }
      const sent = sendBeacon.call(
        navigator,
        `${url}/v2/signal/${load.view_id}/ping`,
        JSON.stringify({ event: 'unload', tos: 9, max: 75, site_id: key }),
      )
      return { load, ping: (await ping.json()) as Answer, sent }
    },
    [footfall.url, footfall.property.key],
  )
  assert.equal(answers.load.success, true)
  assert.equal(answers.ping.success, true)
  assert.equal(answers.sent, true)
  assert.deepEqual(errors, [])

  const sessions = async () =>
    (await footfall.call('POST', '/v2/property/signals/sessions', { body: { period: 'today' } })).json.data[0]
  // The beacon is on its way when the page goes on; there is no answer to wait for.
  await untilEqual(async () => (await sessions())?.time_on_site, 9)
  const session = await sessions()
  assert.equal(session.avg_max_scroll, 75)
  assert.equal(session.entry_path, '/na%C3%AFve')
})
