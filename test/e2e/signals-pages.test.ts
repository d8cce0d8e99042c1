// signals.js in a browser, against the real service, on pages that make it hard: they are counted, and never
// hear of an error.
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { AT_ONCE, openBrowser } from '../support/browser.ts'
import { buildLibraries } from '../support/libraries.ts'
import { startFootfall } from '../support/server.ts'
import { eventsOf, eventually, newVisitor, openSite, pageWith, pause, viewsOf } from '../support/site.ts'

buildLibraries()
const browser = await openBrowser({ after })
const footfall = await startFootfall({ after })

const views = (property: string, count: number) =>
  eventually(
    () => viewsOf(footfall, property),
    (found) => found.length >= count,
  )

const events = async (property: string) => {
  const found = await eventually(
    () => eventsOf(footfall, property),
    (stored) => stored.length > 0,
  )
  return found.map(({ name, value }) => [name, value])
}

const hostile = {
  'prototypes are frozen': `for (const of of [Object, Array, Function, Promise, String, History, Event, EventTarget, Element])
    Object.freeze(of.prototype); Object.freeze(history)`,
  'the page wraps fetch and history': `const own = fetch; window.fetch = (...given) => own(...given)
    const push = history.pushState; history.pushState = function (...given) { return push.apply(history, given) }`,
  'elements have the names of what the script uses': `document.write('<form id="signals"><input name="key"><input name="forEach"></form><i id="parent"></i><a id="status"></a>')`,
} as const

describe('side by side', { concurrency: AT_ONCE }, () => {
  for (const [what, script] of Object.entries(hostile)) {
    test(`a page is counted where ${what}`, async (t) => {
      const { id, key } = await footfall.addProperty()
      const html = pageWith(footfall, [{ key }]).replace('<title>', `<script>${script}</script><title>`)
      const site = await openSite(t, { '/': { html } })
      const { page, errors } = await newVisitor(t, browser)
      await page.goto(site.url)
      assert.equal((await views(id, 1)).length, 1)
      await page.evaluate(`history.pushState({}, '', '/next'); signals.event('a', 'b')`)
      assert.deepEqual([(await views(id, 2)).length, await events(id)], [2, [['a', 'b']]])
      assert.deepEqual(errors, [])
    })
  }

  const broken = {
    'there is no fetch': `delete window.fetch; window.fetch = undefined`,
    'fetch throws': `window.fetch = () => { throw new Error('no') }`,
    'fetch answers nonsense': `window.fetch = () => 'nothing'`,
    'there is no storage': `Object.defineProperty(window, 'localStorage', { get() { throw new Error('no') } })`,
  } as const

  for (const [what, script] of Object.entries(broken)) {
    test(`nothing is thrown at a page where ${what}`, async (t) => {
      const { key } = await footfall.addProperty()
      const html = pageWith(footfall, [{ key }], '<a href="#x">x</a>').replace(
        '<title>',
        `<script>${script}</script><title>`,
      )
      const site = await openSite(t, { '/': { html } })
      const { page, errors } = await newVisitor(t, browser)
      await page.goto(site.url)
      const circular = `(() => { const meta = {}; meta.meta = meta; return signals.event('a', 1, meta) })()`
      assert.equal(await page.evaluate(circular), null)
      await page.click('a')
      await pause(400)
      assert.deepEqual(errors, [])
    })
  }

  test('a service that is away, or refuses, is none of the business of the page', async (t) => {
    const site = await openSite(t, { '/': { html: pageWith(footfall, [{ key: 'ff_unknown' }]) } })
    const { page, errors } = await newVisitor(t, browser)
    await page.goto(site.url)
    assert.equal(await page.evaluate(`signals.event('a')`), null)
    await page.route('**/v2/**', (route) => route.abort())
    await page.goto(site.url)
    assert.equal(await page.evaluate(`signals.event('a')`), null)
    assert.deepEqual(
      errors.filter((error) => !error.includes('ERR_FAILED')), // the browser's own line
      [],
    )
  })

  test('an error of the script itself is reported once', async (t) => {
    const { id, key } = await footfall.addProperty()
    const site = await openSite(t, { '/': { html: pageWith(footfall, [{ key, attributes: 'data-outbound' }]) } })
    const { page, errors } = await newVisitor(t, browser)
    await page.goto(site.url)
    await page.waitForFunction('signals.session')
    await page.evaluate(`document.hasFocus = () => { throw new Error('broken') }`)
    const told = async () => (await footfall.call('GET', `/manage/properties/${id}/lib-errors`)).json.data
    await eventually(told, ({ total }) => total > 0)
    await pause(900) // the next looks fail as well
    const { total, data } = await told()
    const [day] = data
    assert.deepEqual([total, day?.count], [1, 1])
    assert.match(JSON.stringify(day), /"signals\/1\.2\.0 Error: broken"/)
    assert.deepEqual(errors, [])
  })

  test('an element of the page that stands in the place of document.currentScript leads nobody elsewhere', async (t) => {
    const { id, key } = await footfall.addProperty()
    const elsewhere = await openSite(t, {}, 'localhost')
    const image = `<img name="currentScript" data-key="other" data-base="${elsewhere.url}">`
    const site = await openSite(t, { '/': { html: pageWith(footfall, [{ key }], image) } })
    const { page, errors } = await newVisitor(t, browser)
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    await page.goto(site.url)
    await pause(600)
    assert.deepEqual(
      asked.filter((url) => url.startsWith(elsewhere.url)),
      [],
    )
    assert.deepEqual([errors, await viewsOf(footfall, id)], [[], []])
  })
})
