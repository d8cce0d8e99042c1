// content.js on pages that make it hard: what stood there stays when anything fails, nothing on the page
// jumps, and the page never hears of an error.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, describe, test, type TestContext } from 'node:test'
import type { Page } from 'playwright-core'
import { AT_ONCE, openBrowser } from '../support/browser.ts'
import { addBlock } from '../support/content-calls.ts'
import { happened, listening, newReader, one, openContentWorld, place } from '../support/content-site.ts'
import { buildLibraries } from '../support/libraries.ts'
import { startFootfall } from '../support/server.ts'
import { newVisitor, openSite, pause, type SitePage } from '../support/site.ts'
import { untilEqual } from '../support/until.ts'

buildLibraries()
const browser = await openBrowser({ after })
const footfall = await startFootfall({ after })
const world = await openContentWorld(footfall)

/** What a browser says of its own of requests that come to nothing is none of the script's. */
const thrown = (errors: readonly string[]): string[] =>
  errors.filter((error) => !/^Failed to load resource|^Access to fetch/.test(error))

const inside = (page: Page) =>
  page.locator('[data-footfall-content]').evaluateAll((all) => all.map((el) => el.innerHTML))

interface Visit {
  readonly page: Page
  readonly errors: readonly string[]
  readonly url: string
}

/** A visitor on a site of one page. */
async function visit(
  t: TestContext,
  given: SitePage,
  scripts: readonly string[] = [],
  come: typeof newVisitor = newReader,
): Promise<Visit> {
  const site = await openSite(t, { '/': given })
  const { page, errors } = await come(t, browser)
  for (const script of [listening, ...scripts]) await page.addInitScript(script)
  await page.goto(site.url)
  return { page, errors, url: site.url }
}

describe('side by side', { concurrency: AT_ONCE }, () => {
  test('what stood there stays, and the page is told why, when the service shows nothing', async (t) => {
    const resting = await world.add({ versions: [{ is_active: false }] })
    const stranger = await footfall.addProperty()
    const foreign = await addBlock(footfall.context.records, stranger.id)
    const html = world.page(
      [{ key: 'ck_nothing' }, { key: '../x?y#"z' }, resting, foreign].map((b) => place(b)).join(''),
    )
    const { page, errors } = await visit(t, { html })
    const told = await happened(page, 4)
    assert.deepEqual(await inside(page), Array(4).fill('<p>Before</p>'))
    const messages = new Map(told.map(([key, answer]) => [key, answer?.['message']]))
    assert.equal(messages.get('ck_nothing'), 'Content not found')
    assert.equal(messages.get(resting.key), 'No active version')
    assert.equal(messages.get(foreign.key), 'Domain not authorized')
    assert.deepEqual(thrown(errors), [])
  })

  test('a key is a key and no path: nothing but a block is ever asked for', async (t) => {
    const key = '../../../uploads/evil.json?'
    const site = await openSite(t, { '/': { html: world.page(place({ key })) } })
    const { page } = await newReader(t, browser)
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    await page.addInitScript(listening)
    await page.goto(site.url)
    await happened(page, 1)
    const own = asked.filter((url) => url.startsWith(footfall.url) && !url.endsWith('/content.js'))
    assert.deepEqual(own, [`${footfall.url}/v2/content/${encodeURIComponent(key)}/render`])
  })

  test('a place that cannot be filled, or has fields of any name, leaves the others alone', async (t) => {
    const block = await world.add(one('<p>Hello</p>'))
    const fields = (name: string): string => `<form data-footfall-content="${block.key}"><input name="${name}"></form>`
    const strange = `<script>document.body.append(document.createElementNS('urn:x', 'x'))
    document.body.lastChild.setAttribute('data-footfall-content', 'x')</script>`
    const body = fields('innerHTML') + fields('style') + strange + fields('footfall') + place(block)
    const { page, errors } = await visit(t, { html: world.page(body) })
    const last = page.locator('div[data-footfall-content]')
    await last.getByText('Hello').waitFor()
    await untilEqual(() => page.locator('form').last().innerHTML(), '<p>Hello</p>')
    await pause(1200)
    assert.deepEqual(thrown(errors), [])
  })

  /** A service that takes requests and answers as `answer` says, after the script. */
  async function strangeService(t: TestContext, body: string | undefined): Promise<string> {
    const server = createServer((_, response) => {
      if (body !== undefined) response.writeHead(200, { 'access-control-allow-origin': '*' }).end(body)
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    t.after(() => {
      server.closeAllConnections()
      server.close()
    })
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }

  const tagFor = (base: string): string =>
    `<script defer src="${footfall.url}/content.js" data-key="${world.key}" data-base="${base}"></script>`

  test('what stood there stays when the service is away, answers nonsense, or not within two seconds', async (t) => {
    const away = 'http://127.0.0.1:9'
    for (const [what, base] of [
      ['away', away],
      ['nonsense', await strangeService(t, '<p>Gateway</p>')],
      ['null', await strangeService(t, 'null')],
      ['silent', await strangeService(t, undefined)],
    ] as const) {
      const { page, errors } = await visit(t, { html: world.page(place({ key: 'x' }), tagFor(base)) }, [], newVisitor)
      assert.deepEqual(await happened(page, 1), [['x', null]], what)
      assert.deepEqual(await inside(page), ['<p>Before</p>'], what)
      assert.deepEqual(thrown(errors), [], what)
    }
  })

  test('an answer that comes after two seconds changes nothing: somebody reads there', async (t) => {
    const block = await world.add(one('<p>Late</p>'))
    const site = await openSite(t, { '/': { html: world.page(place(block)) } })
    const { page } = await newVisitor(t, browser)
    await page.addInitScript(listening)
    await page.route('**/render', async (route) => {
      await pause(2600)
      await route.continue()
    })
    const answered = page.waitForResponse('**/render')
    await page.goto(site.url)
    assert.equal((await happened(page, 1)).length, 1)
    await answered
    await pause(1500)
    assert.deepEqual(await inside(page), ['<p>Before</p>'])
    assert.equal((await happened(page, 1)).length, 1)
    assert.deepEqual(await world.stored(block, 0), [])
  })

  /** Sum of the layout shifts since the page began, as Chromium counts them. */
  const shifts = `window.shifted = 0
  new PerformanceObserver((list) => list.getEntries().forEach((entry) => { shifted += entry.value }))
    .observe({ type: 'layout-shift', buffered: true })`

  test('nothing jumps: a shorter version keeps the room of what stood there, and a taller one that which the page keeps', async (t) => {
    const lines = (count: number): string => '<p style="margin:0;height:50px">line</p>'.repeat(count)
    const html = (count: number): string => `<div class="lines">${'<p>line</p>'.repeat(count)}</div>`
    const head = `<style>.lines p { margin: 0; height: 50px }</style>`
    const measure = async (count: number, more = ''): Promise<number> => {
      const block = await world.add(one(html(count)))
      const body = `${head}${place(block, lines(4), more)}<p>${'below '.repeat(2000)}</p>`
      const site = await openSite(t, { '/': { html: world.page(body) } })
      const { page } = await newReader(t, browser)
      await page.addInitScript(listening)
      await page.addInitScript(shifts)
      // After the first paint: what comes before is never a jump.
      await page.route('**/render', async (route) => {
        await pause(500)
        await route.continue()
      })
      await page.goto(site.url)
      await happened(page, 1)
      await page.waitForSelector('.lines', { state: 'attached' })
      await pause(400)
      return page.evaluate<number>('shifted')
    }
    const padded = 'style="padding:20px;border:3px solid;box-sizing:border-box"'
    const shifted = {
      shorter: await measure(1),
      empty: await measure(0),
      same: await measure(4),
      padded: await measure(1, 'style="padding:20px;border:3px solid"'),
      borderBox: await measure(1, padded),
      tallerInItsRoom: await measure(6, 'style="min-height:300px"'),
    }
    for (const [what, sum] of Object.entries(shifted)) assert.equal(sum, 0, what)
    const taller = await measure(6)
    t.diagnostic(`100 pixels taller without room for it: ${taller.toFixed(3)}`)
    assert.ok(taller > 0, 'the measure measures')
  })

  test('pages with a strict policy, and pages that tell nobody where they are, get their content', async (t) => {
    const block = await world.add(one('<p>Hello</p>'))
    const policy = `default-src 'none'; script-src ${footfall.url}; connect-src ${footfall.url}`
    const headers = { 'content-security-policy': policy, 'referrer-policy': 'no-referrer' }
    const { page, errors } = await visit(t, { html: world.page(place(block)), headers })
    await happened(page, 1)
    await untilEqual(() => inside(page), ['<p>Hello</p>'])
    assert.equal((await world.stored(block, 1)).length, 1)
    assert.deepEqual(
      errors.filter((error) => !/inline style|favicon/.test(error)), // the page's own style, as it should be
      [],
    )
  })

  test('where the page forbids HTML from scripts, what stood there stays, and the owner is told once', async (t) => {
    const block = await world.add(one('<p>Hello</p>'))
    const headers = { 'content-security-policy': `require-trusted-types-for 'script'` }
    const site = await openSite(t, { '/': { html: world.page(place(block) + place(block)), headers } })
    const { page, errors } = await newReader(t, browser)
    const reports: unknown[] = []
    page.on('request', (request) => request.url().endsWith('/v2/lib/error') && reports.push(request.postDataJSON()))
    await page.addInitScript(listening)
    const answered = page.waitForResponse('**/v2/lib/error')
    await page.goto(site.url)
    assert.equal((await answered).status(), 200)
    await pause(1000)
    assert.deepEqual(await inside(page), ['<p>Before</p>', '<p>Before</p>'])
    const untold = [block.key, null]
    assert.deepEqual(await happened(page, 2), [untold, untold])
    const kept = page.locator('[data-footfall-content]')
    assert.deepEqual(await kept.evaluateAll((all) => all.map((el) => el.getAttribute('style'))), [null, null])
    assert.equal(reports.length, 1)
    const [report] = reports as { property_id: string; lib: string; error: string }[]
    assert.deepEqual([report?.property_id, report?.lib], [world.key, 'signals'])
    assert.match(report?.error ?? '', /^content\/\d+\.\d+\.\d+ TypeError/)
    assert.ok(
      errors.every((error) => !/^(Type|Reference)Error/.test(error)),
      errors.join('\n'),
    )
  })

  test('nothing is thrown at a page that has taken away what the script needs', async (t) => {
    const block = await world.add(one('<p>Hello</p>'))
    for (const missing of ['fetch', 'IntersectionObserver', 'CustomEvent']) {
      const { page, errors } = await visit(t, { html: world.page(place(block)) }, [`delete window.${missing}`])
      await pause(800)
      assert.deepEqual(thrown(errors), [], missing)
      if (missing === 'fetch') assert.deepEqual(await inside(page), ['<p>Before</p>'])
    }
  })

  test('a page that is still being read is filled when it is whole, also by a script that did not wait', async (t) => {
    const block = await world.add(one('<p>Hello</p>'))
    const tag = `<script async src="${footfall.url}/content.js"></script>`
    const [first = '', second = ''] = world.page(place(block, '<p>one</p>|<p>two</p>'), tag).split('|')
    const server = createServer((request, response) => {
      if (request.url !== '/') return response.writeHead(204).end()
      response.writeHead(200, { 'content-type': 'text/html' }).write(first.padEnd(4000))
      return setTimeout(() => response.end(second), 900)
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    t.after(() => {
      server.closeAllConnections()
      server.close()
    })
    const { page } = await newReader(t, browser)
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
    await page.waitForSelector('text=Hello')
    await untilEqual(() => inside(page), ['<p>Hello</p>'])
  })
})
