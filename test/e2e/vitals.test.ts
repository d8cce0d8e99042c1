// vitals.js in a browser, against the real service: what pages with data-vitals tell, and what others do not.
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { AT_ONCE, openBrowser } from '../support/browser.ts'
import { buildLibraries } from '../support/libraries.ts'
import { startFootfall } from '../support/server.ts'
import { eventually, newVisitor, openSite, pageWith, pause, viewsOf } from '../support/site.ts'

buildLibraries()
const browser = await openBrowser({ after })
const footfall = await startFootfall({ after })

interface Stored {
  readonly path: string
  readonly lcp: number
  readonly inp: number
  readonly cls: number
  readonly fcp: number
  readonly ttfb: number
}

const vitalsOf = (property: string): Promise<Stored[]> =>
  footfall.context.facts.query<Stored>(
    'test.vitals',
    'SELECT path, lcp, inp, cls, fcp, ttfb FROM vitals FINAL WHERE property = {property:String} ORDER BY path',
    { property },
  )

/** A button that is slow to answer, and a text that is pushed down by what comes late. */
const slowPage = `<h1>A heading that is the largest thing here</h1><button id="slow">Work</button><p>A text below</p>
<script>
  document.getElementById('slow').addEventListener('click', () => {
    const end = performance.now() + 120
    while (performance.now() < end);
  })
  addEventListener('load', () => requestAnimationFrame(() => requestAnimationFrame(() => {
    const late = document.createElement('div')
    late.style.height = '300px'
    document.body.prepend(late)
  })))
</script>`

describe('side by side', { concurrency: AT_ONCE }, () => {
  test('a page with data-vitals tells once, when it is left, how fast it was', async (t) => {
    const { id, key } = await footfall.addProperty()
    const tag = { key, attributes: 'data-vitals' }
    const site = await openSite(t, {
      '/': { html: pageWith(footfall, [tag], slowPage) },
      '/next': { html: '<title>Next</title>' },
    })
    const { page, errors, requests } = await newVisitor(t, browser)
    await page.goto(`${site.url}?private=1#part`)
    await eventually(
      () => viewsOf(footfall, id),
      (views) => views.length > 0,
    )
    await page.waitForLoadState('networkidle')
    // What moves after a click is the visitor's own doing, and does not count.
    await page.locator('body > div').waitFor()
    await page.click('#slow')
    await page.evaluate(`new Promise((done) => requestAnimationFrame(() => setTimeout(done, 200)))`)
    assert.equal(requests.filter((url) => url.endsWith('/vitals')).length, 0)
    await page.goto(`${site.url}next`)
    const [row, ...more] = await eventually(
      () => vitalsOf(id),
      (rows) => rows.length > 0,
    )
    assert.ok(row)
    assert.deepEqual([row.path, more], ['/', []])
    for (const name of ['lcp', 'fcp', 'ttfb'] as const) assert.ok(row[name] >= 0 && row[name] < 60_000, name)
    assert.ok(row.lcp >= row.fcp && row.fcp >= row.ttfb, JSON.stringify(row))
    assert.ok(row.inp >= 100 && row.inp < 60_000, `${row.inp}`)
    assert.ok(row.cls > 0 && row.cls < 10_000, `${row.cls}`)
    assert.deepEqual(errors, [])
  })

  test('a page without it loads nothing and tells nothing', async (t) => {
    const { id, key } = await footfall.addProperty()
    const site = await openSite(t, {
      '/': { html: pageWith(footfall, [{ key, attributes: 'data-outbound' }], slowPage) },
      '/next': { html: '<title>Next</title>' },
    })
    const { page, requests } = await newVisitor(t, browser)
    await page.goto(site.url)
    await page.waitForLoadState('networkidle')
    await page.goto(`${site.url}next`)
    await pause(300)
    assert.deepEqual(
      requests.filter((url) => url.includes('vitals')),
      [],
    )
    assert.deepEqual(await vitalsOf(id), [])
  })

  test('nothing is told of somebody who has opted out', async (t) => {
    const { id, key } = await footfall.addProperty()
    const site = await openSite(t, {
      '/': { html: pageWith(footfall, [{ key, attributes: 'data-vitals' }], slowPage) },
      '/next': { html: '<title>Next</title>' },
    })
    const { page, requests } = await newVisitor(t, browser)
    await page.goto(`${site.url}?signals=off`)
    await page.waitForLoadState('networkidle')
    await page.click('#slow')
    await page.goto(`${site.url}next`)
    await pause(300)
    assert.equal(requests.filter((url) => url.includes('/v2/signal')).length, 0)
    assert.deepEqual(await vitalsOf(id), [])
  })
})
