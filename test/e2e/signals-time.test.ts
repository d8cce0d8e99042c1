// signals.js in a browser, against the real service: how long a page was looked at, how far it was scrolled,
// and that this arrives when it is left.
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { AT_ONCE, openBrowser, openWholeBrowser } from '../support/browser.ts'
import { buildLibraries } from '../support/libraries.ts'
import { startFootfall } from '../support/server.ts'
import { eventually, hideFirst, newVisitor, openSite, pageWith, pause, show, viewsOf } from '../support/site.ts'
import { isNear, stopwatch, watched } from '../support/stopwatch.ts'

buildLibraries()
const browser = await openBrowser({ after })
const footfall = await startFootfall({ after })
const long = '<div style="height:4000px">long</div>'

const stored = (property: string, count: number) =>
  eventually(
    () => viewsOf(footfall, property),
    (views) => views.length >= count,
  )

describe('side by side', { concurrency: AT_ONCE }, () => {
  test('the time and scroll that are stored are what a stopwatch says', async (t) => {
    const { id, key } = await footfall.addProperty()
    const html = pageWith(footfall, [{ key }], stopwatch('DOMContentLoaded') + long)
    const site = await openSite(t, { '/': { html }, '/next': { html: 'not measured' } })
    const { page } = await newVisitor(t, browser)
    await page.goto(site.url)
    await stored(id, 1)
    await pause(1000)
    await page.evaluate('scrollTo(0, 2200)')
    await pause(2300)
    await page.goto(`${site.url}next`)
    const [seconds] = await watched(page)
    const [view] = await eventually(
      () => viewsOf(footfall, id),
      ([first]) => isNear(first?.seconds, seconds),
    )
    assert.ok(isNear(view?.seconds, seconds), `${view?.seconds} stored, ${seconds} measured`)
    assert.equal(view?.scroll, 75) // the screen of 800 pixels ended at 3000 of 4000
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

  test('nothing is counted while the tab is hidden or another window has the focus, and both are reported at once', async (t) => {
    const { id, key } = await footfall.addProperty()
    const site = await openSite(t, { '/': { html: pageWith(footfall, [{ key }]) } })
    const { page } = await newVisitor(t, await openWholeBrowser(t))
    await page.addInitScript(hideFirst)
    await page.goto(site.url)
    /** Three times up to a quarter of a second until the focus is seen, and half a second of rounding. */
    const toleranceMs = 1500
    let leastMs = 0
    let mostMs = 0
    /**
     * Shows the page for a while; what is stored then is all the time for which it was shown, and nothing
     * else.
     */
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
    }
    const awayMs = 2 * toleranceMs
    await lookFor(
      1200,
      () => show(page, 'visible'),
      () => show(page, 'hidden'),
    )
    await pause(awayMs)
    const cdp = await page.context().newCDPSession(page)
    await cdp.send('Emulation.setFocusEmulationEnabled', { enabled: false })
    const other = await page.context().newPage()
    await page.bringToFront()
    await lookFor(
      1200,
      () => show(page, 'visible'),
      () => other.bringToFront(), // the page stays on the screen, as in a window beside
    )
    await pause(awayMs)
    await lookFor(
      1200,
      () => page.bringToFront(),
      () => page.goto('about:blank'),
    )
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
    const html = pageWith(footfall, [{ key }], `${stopwatch('DOMContentLoaded')}<p id="there">there</p>`)
    const site = await openSite(t, { '/': { html } })
    const { page } = await newVisitor(t, browser)
    await page.addInitScript(hideFirst)
    let answer = (): void => undefined
    const slow = new Promise<void>((resolve) => {
      answer = resolve
    })
    await page.route('**/v2/signal/load', async (route) => {
      await slow
      await route.continue()
    })
    await page.goto(site.url)
    await page.evaluate(`show('visible'); begin()`)
    await page.waitForSelector('#there')
    await pause(1200)
    await page.evaluate(`show('hidden'); end()`)
    assert.deepEqual(await viewsOf(footfall, id), [])
    answer()
    const [seconds] = await watched(page)
    const [view] = await eventually(
      () => viewsOf(footfall, id),
      ([first]) => (first?.seconds ?? 0) > 0,
    )
    assert.ok(view!.seconds > 0 && isNear(view!.seconds, seconds), `${view!.seconds} stored, ${seconds} measured`)
  })
})
