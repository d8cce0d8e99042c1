// signals.js in a browser, against the real service: what is a page view, how long it was looked at, and how far it was scrolled.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Page } from 'playwright-core'
import { openBrowser } from '../support/browser.ts'
import { buildLibraries } from '../support/libraries.ts'
import { startFootfall } from '../support/server.ts'
import { eventually, newVisitor, openSite, pageWith, pause, viewsOf } from '../support/site.ts'

buildLibraries()
const footfall = await startFootfall({ after })
const browser = await openBrowser({ after })
const long = '<div style="height:4000px">long</div>'

const stored = (property: string, count: number) =>
  eventually(
    () => viewsOf(footfall, property),
    (views) => views.length >= count,
  )

/** The page says that it is out of sight, as one in the background or rendered ahead does. */
const hideFirst = `let state = 'hidden'
  Object.defineProperty(document, 'visibilityState', { get: () => state })
  Object.defineProperty(document, 'hidden', { get: () => state === 'hidden' })
  window.show = (next) => { state = next; document.dispatchEvent(new Event('visibilitychange', { bubbles: true })) }`
const show = (page: Page, state: 'visible' | 'hidden') => page.evaluate(`show('${state}')`)

test('each page of a site is a view, with its title, its status and where the visitor came from', async (t) => {
  const { id, key } = await footfall.addProperty()
  const site = await openSite(t, {
    '/': { html: pageWith(footfall, [{ key }], '<a href="/prices?x=1#part">prices</a>', 'Grüße 大 🎈') },
    '/prices': { html: pageWith(footfall, [{ key, attributes: 'data-status="404"' }], '', 'Prices'), status: 404 },
  })
  const { page, errors } = await newVisitor(t, browser)
  await page.goto(site.url, { referer: 'https://www.google.com/' })
  await stored(id, 1)
  await page.click('a')
  const views = await stored(id, 2)
  assert.deepEqual(
    views.map(({ url, title, status, source }) => ({ url, title, status, source })),
    [
      { url: site.url, title: 'Grüße 大 🎈', status: 200, source: 'Google' },
      { url: `${site.url}prices?x=1`, title: 'Prices', status: 404, source: 'Direct' },
    ],
  )
  assert.deepEqual(
    errors.filter((error) => !error.includes('404')),
    [],
  )
})

test('the time and scroll that are stored are what a stopwatch says', async (t) => {
  const { id, key } = await footfall.addProperty()
  const html = pageWith(footfall, [{ key }], long)
  const site = await openSite(t, { '/': { html }, '/next': { html: 'not measured' } })
  const { page } = await newVisitor(t, browser)
  await page.goto(site.url)
  await stored(id, 1)
  const startMs = performance.now()
  await pause(1000)
  await page.evaluate('scrollTo(0, 2200)')
  await pause(2300)
  const seconds = (performance.now() - startMs) / 1000
  await page.goto(`${site.url}next`)
  const [view] = await eventually(
    () => viewsOf(footfall, id),
    ([first]) => (first?.seconds ?? 0) > 0,
  )
  assert.ok(Math.abs(view!.seconds - seconds) <= 1, `${view!.seconds} stored, ${seconds} measured`)
  assert.equal(view!.scroll, 75) // the screen of 800 pixels ended at 3000 of 4000
})

test('a page with nothing to scroll has an unknown scroll; one that is longer than the screen shows its first part at once', async (t) => {
  const { id, key } = await footfall.addProperty()
  const site = await openSite(t, {
    '/': { html: pageWith(footfall, [{ key }], 'short') },
    '/long': { html: pageWith(footfall, [{ key }], long) },
  })
  const { page } = await newVisitor(t, browser)
  await page.goto(site.url)
  await pause(700)
  await page.goto(`${site.url}long`)
  await stored(id, 2)
  await pause(400)
  await page.goto('about:blank')
  const views = await eventually(
    () => viewsOf(footfall, id),
    ([first, second]) => first!.seconds > 0 && second!.scroll > 0,
  )
  assert.deepEqual(
    views.map(({ scroll }) => scroll),
    [-1, 20],
  )
})

test('a page that is looked at for long reports at growing intervals', async (t) => {
  const { key } = await footfall.addProperty()
  const site = await openSite(t, { '/': { html: pageWith(footfall, [{ key }]) } })
  const { page } = await newVisitor(t, browser)
  await page.clock.install()
  const told: number[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/ping')) told.push(JSON.parse(request.postData() ?? '{}').tos)
  })
  await page.goto(site.url)
  await page.clock.runFor(250)
  await page.waitForFunction('signals.session')
  await page.clock.runFor(200_000)
  assert.deepEqual(told, [5, 10, 20, 40, 80, 140, 200])
})

test('a page that nobody has seen is no view, and becomes one when it is shown', async (t) => {
  const { id, key } = await footfall.addProperty()
  const site = await openSite(t, { '/': { html: pageWith(footfall, [{ key }]) } })
  const { page } = await newVisitor(t, browser)
  await page.addInitScript(hideFirst)
  await page.goto(site.url)
  await pause(1000)
  assert.deepEqual(await viewsOf(footfall, id), [])
  await show(page, 'visible')
  assert.equal((await stored(id, 1)).length, 1)
  await show(page, 'hidden')
  await show(page, 'visible')
  await pause(600)
  assert.equal((await viewsOf(footfall, id)).length, 1) // coming back to a tab is no new view
})

test('nothing is counted while the tab is hidden or another window has the focus, and both are reported at once', async (t) => {
  const { id, key } = await footfall.addProperty()
  const site = await openSite(t, { '/': { html: pageWith(footfall, [{ key }]) } })
  const { page } = await newVisitor(t, browser)
  await page.addInitScript(hideFirst)
  await page.goto(site.url)
  /** Three times up to a quarter of a second until the focus is seen, and half a second of rounding. */
  const toleranceMs = 1500
  let leastMs = 0
  let mostMs = 0
  /** Shows the page for a while; what is stored then is all the time for which it was shown, and nothing else. */
  const lookFor = async (ms: number, begin: () => Promise<unknown>, end: () => Promise<unknown>) => {
    const beginMs = performance.now()
    await begin()
    const shownMs = performance.now()
    await stored(id, 1)
    await pause(ms)
    leastMs += performance.now() - shownMs
    await end()
    mostMs += performance.now() - beginMs
    const isRight = (seconds: number) =>
      seconds * 1000 >= leastMs - toleranceMs && seconds * 1000 <= mostMs + toleranceMs
    const [view] = await eventually(
      () => viewsOf(footfall, id),
      ([first]) => isRight(first?.seconds ?? 0),
    )
    assert.ok(isRight(view!.seconds), `${view!.seconds} s stored, ${leastMs} to ${mostMs} ms looked at`)
    await pause(3000)
  }
  await lookFor(
    1200,
    () => show(page, 'visible'),
    () => show(page, 'hidden'),
  )
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('Emulation.setFocusEmulationEnabled', { enabled: false })
  const other = await page.context().newPage()
  await page.bringToFront()
  await lookFor(
    1200,
    () => show(page, 'visible'),
    () => other.bringToFront(), // the page stays on the screen, as in a window beside
  )
  await lookFor(
    1200,
    () => page.bringToFront(),
    () => page.goto('about:blank'),
  )
})

test('a page out of the back-forward cache is a new view that begins at nought', async (t) => {
  const { id, key } = await footfall.addProperty()
  const site = await openSite(t, { '/': { html: pageWith(footfall, [{ key }]) }, '/next': { html: 'next' } })
  const { page } = await newVisitor(t, browser)
  await page.goto(site.url)
  await page.waitForFunction('signals.session')
  await pause(1600)
  await page.goto(`${site.url}next`)
  await page.goBack({ waitUntil: 'commit' })
  await stored(id, 2)
  assert.equal(await page.evaluate('performance.getEntriesByType("navigation")[0].type'), 'navigate') // the same document
  await pause(600)
  await page.goto('about:blank')
  const views = await eventually(
    () => viewsOf(footfall, id),
    ([, second]) => (second?.seconds ?? 0) > 0,
  )
  assert.deepEqual(
    views.map(({ seconds }) => seconds),
    [2, 1],
  )
})

const app = (script: string): string => `${long}<script>
  const go = (path, title) => { history.pushState({}, '', path); setTimeout(() => { document.title = title }) }
  ${script}</script>`

test('navigation within a page is a view each with the title it then has, and its own time; redirects and queries are none', async (t) => {
  const { id, key } = await footfall.addProperty()
  const site = await openSite(t, { '/': { html: pageWith(footfall, [{ key }], app(''), 'Home') } })
  const { page } = await newVisitor(t, browser)
  await page.goto(site.url)
  await page.waitForFunction('signals.session')
  await pause(1200)
  await page.evaluate(`scrollTo(0, 3200); setTimeout(() => { scrollTo(0, 0); go('/a', 'A') }, 400)`)
  await stored(id, 2)
  await page.evaluate(`history.replaceState({}, '', '/a?page=2#part')`)
  await pause(800)
  await page.evaluate(`go('/b', 'B'); history.replaceState({}, '', '/c')`)
  await stored(id, 3)
  await page.goBack({ waitUntil: 'commit' })
  await stored(id, 4)
  await pause(600)
  const views = await viewsOf(footfall, id)
  assert.deepEqual(
    views.map(({ url, title }) => [url.replace(site.url, '/'), title]),
    [
      ['/', 'Home'],
      ['/a', 'A'],
      ['/c', 'B'],
      ['/a?page=2', 'B'],
    ],
  )
  assert.ok(views[0]!.seconds >= 1 && views[0]!.seconds <= 3)
  assert.deepEqual([views[0]!.scroll, views[1]!.scroll < 100], [100, true])
})

test('with data-hash each route behind # is a view; without it, and with data-spa="off", none is', async (t) => {
  const routes = ['/?1#/one', '/?1#/two', '/other']
  const seen = async (attributes: string): Promise<string[]> => {
    const { id, key } = await footfall.addProperty()
    const site = await openSite(t, { '/': { html: pageWith(footfall, [{ key, attributes }], app('')) } })
    const { page } = await newVisitor(t, browser)
    await page.goto(`${site.url}#/start`)
    await stored(id, 1)
    for (const route of routes) {
      await page.evaluate(`go('${route}', '')`)
      await pause(800)
    }
    return (await viewsOf(footfall, id)).map(({ url }) => url.replace(site.url, '/'))
  }
  assert.deepEqual(await seen('data-hash'), ['/#/start', '/?1#/one', '/?1#/two', '/other'])
  assert.deepEqual(await seen(''), ['/', '/other'])
  assert.deepEqual(await seen('data-spa="off"'), ['/'])
})

test('a title with half a character in it, and an address that is too long for a header, are counted all the same', async (t) => {
  const { id, key } = await footfall.addProperty()
  const script = `<script>document.title = 'half \\ud83c' + ' of it'</script>`
  const site = await openSite(t, { '/': { html: pageWith(footfall, [{ key }], script) } })
  const { page, errors } = await newVisitor(t, browser)
  await page.goto(`${site.url}?long=${'x'.repeat(5000)}`)
  const [view] = await stored(id, 1)
  assert.equal(view!.title, 'half  of it')
  assert.ok(view!.url.startsWith(`${site.url}?long=xxx`))
  assert.deepEqual(errors, [])
})

test('the longest title and address that the service keeps reach it in any script', async (t) => {
  const { id, key } = await footfall.addProperty()
  const title = '中'.repeat(2048)
  const site = await openSite(t, { '/': { html: pageWith(footfall, [{ key }], '', title) } })
  const { page, errors } = await newVisitor(t, browser)
  const path = `${site.url}?q=${'%E4%B8%AD'.repeat(220)}`
  await page.goto(path)
  const [first] = await stored(id, 1)
  assert.deepEqual([first?.title, first?.url], [title.slice(0, 512), path])
  // Every character of it three times as long, in the address and in the referrer.
  const slashes = `${site.url}?${'/'.repeat(3000)}`
  await page.goto(slashes, { referer: slashes })
  const views = await stored(id, 2)
  assert.equal(views[1]?.url, slashes.slice(0, 2048))
  assert.deepEqual(errors, [])
})

test('view() counts a page that the script cannot see', async (t) => {
  const { id, key } = await footfall.addProperty()
  const site = await openSite(t, {
    '/': { html: pageWith(footfall, [{ key, attributes: 'data-spa="off"' }], app('')) },
  })
  const { page } = await newVisitor(t, browser)
  await page.goto(site.url)
  await stored(id, 1)
  await page.evaluate(`history.pushState({}, '', '/gone'); signals.view(410)`)
  const views = await stored(id, 2)
  assert.deepEqual([views[1]!.url, views[1]!.status, views[1]!.source], [`${site.url}gone`, 410, 'Direct'])
})

test('the last report of a page gets through when its tab is closed', async (t) => {
  const { id, key } = await footfall.addProperty()
  const site = await openSite(t, { '/': { html: pageWith(footfall, [{ key }]) } })
  const closed = 20
  const { page } = await newVisitor(t, browser)
  const context = page.context()
  const tabs = await Promise.all(Array.from({ length: closed }, () => context.newPage()))
  for (const tab of tabs) {
    await tab.goto(site.url)
    await tab.waitForFunction('signals.session')
  }
  await pause(1000)
  for (const tab of tabs) await tab.close({ runBeforeUnload: true })
  const told = async () => (await viewsOf(footfall, id)).filter(({ seconds }) => seconds > 0).length
  const arrived = await eventually(told, (count) => count === closed)
  t.diagnostic(`${arrived} of ${closed} last reports arrived`)
  assert.equal(arrived, closed)
})

test('where fetch does not outlive its page, a beacon brings the last report', async (t) => {
  const { id, key } = await footfall.addProperty()
  const site = await openSite(t, { '/': { html: pageWith(footfall, [{ key }]) } })
  const { page } = await newVisitor(t, browser)
  const sent: string[] = []
  page.on('request', (request) => sent.push(`${request.resourceType()} ${request.headers()['content-type'] ?? ''}`))
  await page.addInitScript(`delete Request.prototype.keepalive
${hideFirst}`)
  await page.goto(site.url)
  await show(page, 'visible')
  await page.waitForFunction('signals.session')
  await pause(1000)
  await show(page, 'hidden')
  const [view] = await eventually(
    () => viewsOf(footfall, id),
    ([first]) => (first?.seconds ?? 0) > 0,
  )
  assert.ok(view!.seconds > 0)
  assert.ok(
    sent.some((request) => request.startsWith('ping')),
    sent.join(),
  )
})

test('on a slow network the page is never held up, and a view that was left before its answer came keeps its time', async (t) => {
  const { id, key } = await footfall.addProperty()
  const site = await openSite(t, { '/': { html: pageWith(footfall, [{ key }], '<p id="there">there</p>') } })
  const { page } = await newVisitor(t, browser)
  await page.addInitScript(hideFirst)
  await page.route('**/v2/signal/load', async (route) => {
    await pause(2500)
    await route.continue()
  })
  await page.goto(site.url)
  await show(page, 'visible')
  await page.waitForSelector('#there')
  await pause(1200)
  await show(page, 'hidden')
  assert.deepEqual(await viewsOf(footfall, id), [])
  const [view] = await eventually(
    () => viewsOf(footfall, id),
    ([first]) => (first?.seconds ?? 0) > 0,
  )
  assert.equal(view?.seconds, 1)
})
