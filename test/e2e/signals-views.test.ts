// signals.js in a browser, against the real service: what is a page view, and where one ends and the next
// begins.
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { AT_ONCE, openBrowser, openLoneBrowser, openWholeBrowser } from '../support/browser.ts'
import { buildLibraries } from '../support/libraries.ts'
import { startFootfall } from '../support/server.ts'
import {
  eventually,
  hideFirst,
  newVisitor,
  openSite,
  pageWith,
  pause,
  show,
  type StoredView,
  viewsOf,
} from '../support/site.ts'
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

  test('a page that the browser has rendered ahead is a view once it is shown, and not before', async (t) => {
    const { id, key } = await footfall.addProperty()
    const rules = '{"prerender": [{"urls": ["/next"], "eagerness": "immediate"}]}'
    // As soon as the test has seen what was counted until then: how long that takes is the machine's
    // business.
    const leave = `<script>
      const leave = async () => (await fetch('/leave')).ok ? (location.href = '/next') : setTimeout(leave, 100)
      void leave()
    </script>`
    const say = `<script>document.title = document.prerendering ? 'ahead' : 'not ahead'</script>`
    const site = await openSite(t, {
      '/': { html: pageWith(footfall, [{ key }], `<script type="speculationrules">${rules}</script>${leave}`) },
      '/next': { html: pageWith(footfall, [{ key }], say) },
    })
    openLoneBrowser(t, site.url)
    await stored(id, 1)
    await pause(1500)
    assert.equal((await viewsOf(footfall, id)).length, 1)
    site.pages.set('/leave', { html: '' })
    const [, next] = await stored(id, 2)
    if (next?.title === 'not ahead') return t.skip('this browser renders nothing ahead')
    assert.deepEqual([next?.url, next?.title], [`${site.url}next`, 'ahead'])
  })

  test('a page out of the back-forward cache is a new view that begins at nought', async (t) => {
    const { id, key } = await footfall.addProperty()
    const html = pageWith(footfall, [{ key }], stopwatch('DOMContentLoaded'))
    const site = await openSite(t, { '/': { html }, '/next': { html: 'next' } })
    const { page } = await newVisitor(t, await openWholeBrowser(t))
    await page.goto(site.url)
    await page.waitForFunction('signals.session')
    await pause(1800)
    await page.goto(`${site.url}next`)
    await page.goBack({ waitUntil: 'commit' })
    await stored(id, 2)
    // The same document.
    assert.equal(await page.evaluate('performance.getEntriesByType("navigation")[0].type'), 'navigate')
    await pause(600)
    await page.goto(`${site.url}next`)
    const seconds = await watched(page)
    assert.equal(seconds.length, 2)
    const isRight = (views: readonly StoredView[]): boolean =>
      views.length === 2 && views.every((view, at) => isNear(view.seconds, seconds[at]))
    const views = await eventually(() => viewsOf(footfall, id), isRight)
    assert.ok(isRight(views), `${views.map((view) => view.seconds).join()} stored, ${seconds.join()} measured`)
  })

  const app = `${long}<script>
    const go = (path, title) => { history.pushState({}, '', path); setTimeout(() => { document.title = title }) }
  </script>`

  test('navigation within a page is a view each with the title it then has, and its own time; redirects and queries are none', async (t) => {
    const { id, key } = await footfall.addProperty()
    const html = pageWith(footfall, [{ key }], stopwatch('DOMContentLoaded') + app, 'Home')
    const site = await openSite(t, { '/': { html } })
    const { page } = await newVisitor(t, browser)
    await page.goto(site.url)
    await page.waitForFunction('signals.session')
    await pause(1200)
    await page.evaluate(`scrollTo(0, 3200); setTimeout(() => { scrollTo(0, 0); end(); go('/a', 'A') }, 400)`)
    await stored(id, 2)
    await page.evaluate(`history.replaceState({}, '', '/a?page=2#part')`)
    await pause(800)
    await page.evaluate(`go('/b', 'B'); history.replaceState({}, '', '/c')`)
    await stored(id, 3)
    await page.goBack({ waitUntil: 'commit' })
    await stored(id, 4)
    const [seconds] = await watched(page)
    const views = await eventually(
      () => viewsOf(footfall, id),
      ([first]) => isNear(first?.seconds, seconds),
    )
    await pause(600)
    assert.equal((await viewsOf(footfall, id)).length, 4)
    assert.deepEqual(
      views.map(({ url, title }) => [url.replace(site.url, '/'), title]),
      [
        ['/', 'Home'],
        ['/a', 'A'],
        ['/c', 'B'],
        ['/a?page=2', 'B'],
      ],
    )
    assert.ok(isNear(views[0]?.seconds, seconds), `${views[0]?.seconds} stored, ${seconds} measured`)
    assert.deepEqual([views[0]!.scroll, views[1]!.scroll < 100], [100, true])
  })

  test('with data-hash each route behind # is a view; without it, and with data-spa="off", none is', async (t) => {
    const routes = ['/?1#/one', '/?1#/two', '/other']
    const steps = [...routes.slice(0, 2), '/?1#/two?page=2', ...routes.slice(2)]
    const check = async (attributes: string, first: string, expected: readonly string[]): Promise<void> => {
      const { id, key } = await footfall.addProperty()
      const site = await openSite(t, { '/': { html: pageWith(footfall, [{ key, attributes }], app) } })
      const { page } = await newVisitor(t, browser)
      await page.goto(`${site.url}#/start`)
      await stored(id, 1)
      for (const route of steps) {
        await page.evaluate(`go('${route}', '')`)
        if (expected.includes(route)) await stored(id, 2 + expected.indexOf(route))
        else await pause(800)
      }
      const views = await viewsOf(footfall, id)
      assert.deepEqual(
        views.map(({ url }) => url.replace(site.url, '/')),
        [first, ...expected],
        attributes,
      )
    }
    await check('data-hash', '/#/start', routes)
    await check('', '/', ['/other'])
    await check('data-spa="off"', '/', [])
  })

  test('a title with half a character in it, and an address that is too long for a header, are counted all the same', async (t) => {
    const { id, key } = await footfall.addProperty()
    const script = `<script>document.title = 'half \\ud83c' + ' of it'</script>`
    const site = await openSite(t, { '/': { html: pageWith(footfall, [{ key }], script) } })
    const { page, errors } = await newVisitor(t, browser)
    await page.goto(`${site.url}?long=${'x'.repeat(5000)}`)
    const [view] = await stored(id, 1)
    assert.equal(view!.title, 'half \ufffd of it')
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
      '/': { html: pageWith(footfall, [{ key, attributes: 'data-spa="off"' }], app) },
    })
    const { page } = await newVisitor(t, browser)
    await page.goto(site.url)
    await stored(id, 1)
    await page.evaluate(`history.pushState({}, '', '/gone'); signals.view(410)`)
    const views = await stored(id, 2)
    assert.deepEqual([views[1]!.url, views[1]!.status, views[1]!.source], [`${site.url}gone`, 410, 'Direct'])
  })
})
