// content.js in a browser, against the real service: what it shows, and that what it tells of it is what a
// visitor saw and did.
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { AT_ONCE, openBrowser, openWholeBrowser } from '../support/browser.ts'
import type { TestBlock } from '../support/content-calls.ts'
import {
  happened,
  type Interaction,
  listening,
  newReader,
  one,
  openContentWorld,
  place,
  screen,
} from '../support/content-site.ts'
import { buildLibraries } from '../support/libraries.ts'
import { startFootfall } from '../support/server.ts'
import { openSite, pause } from '../support/site.ts'
import { stopwatch, watched } from '../support/stopwatch.ts'

buildLibraries()
const browser = await openBrowser({ after })
const footfall = await startFootfall({ after })
const world = await openContentWorld(footfall)

/** Longer than it takes to be seen. */
const SEEN_MS = 2000
/** Of which nothing may be counted: more than twice what the two clocks may differ by. */
const AWAY_MS = 1200
const tall = '<div style="height:3000px"></div>'

/** What is told of a block is one view, as long as the stopwatch of its page says. */
async function toldAsWatched(page: Page, block: TestBlock): Promise<void> {
  const seconds = (await watched(page)).reduce((sum, time) => sum + time)
  const isRight = (rows: readonly Interaction[]): boolean =>
    rows.length === 1 && Math.abs((rows[0]?.dwell_ms ?? 0) / 1000 - seconds) < 0.5
  const rows = await world.until(block, isRight)
  assert.ok(isRight(rows), `${rows.map((row) => row.dwell_ms).join()} told, ${seconds} s measured`)
}

describe('side by side', { concurrency: AT_ONCE }, () => {
  test('every place is filled with its block in the version for the visitor, and the page is told which', async (t) => {
    const [first, second] = [await world.add(), await world.add(one('<b class="x">Second</b>', { label: 'Only' }))]
    const site = await openSite(t, {
      '/': { html: world.page(place(first) + place(second) + place(first, 'again', 'id="again"')) },
    })
    const { page, errors } = await newReader(t, browser)
    await page.addInitScript(listening)
    await page.goto(site.url)
    const told = await happened(page, 3)
    const shown = await page.locator('[data-footfall-content]').evaluateAll((found) => found.map((el) => el.innerHTML))
    const label = String(told.find(([key]) => key === first.key)?.[1]?.['version_label'])
    // One visitor, one version.
    assert.deepEqual(shown, [`<p>${label}</p>`, '<b class="x">Second</b>', `<p>${label}</p>`])
    const [, answer] = told.find(([key]) => key === second.key) ?? []
    assert.deepEqual(
      [answer?.['success'], answer?.['version_label'], answer?.['version_id']],
      [true, 'Only', second.versions[0]],
    )
    const [view] = await world.stored(second, 1)
    assert.deepEqual([view?.kind, view?.version, view?.is_bot], ['view', second.versions[0], 0])
    assert.deepEqual(errors, [])
  })

  test('what is out of sight, and what is scrolled over, is not seen; what half of is in the window for a second is', async (t) => {
    const [passed, seen, last] = [await world.add(), await world.add(), await world.add()]
    const block = (of: typeof passed, id: string) => place(of, '', `id="${id}" style="height:600px"`)
    const body = tall + block(passed, 'passed') + tall + block(seen, 'seen') + tall + block(last, 'last')
    const site = await openSite(t, { '/': { html: world.page(body) } })
    const { page } = await newReader(t, browser)
    await page.addInitScript(listening)
    await page.goto(site.url)
    await happened(page, 3)
    // Within the page, so that it is short however busy the machine is; then ten pixels less than half of the
    // last one.
    await page.evaluate(`new Promise((resolve) => {
      scrollTo(0, passed.offsetTop)
      setTimeout(() => { scrollTo(0, last.offsetTop - 800 + 290); resolve() }, 400)
    })`)
    await pause(SEEN_MS)
    await page.evaluate('scrollTo(0, seen.offsetTop - 800 + 310)')
    assert.equal((await world.stored(seen, 1)).length, 1)
    await page.goto('about:blank')
    await pause(300)
    assert.deepEqual([await world.stored(passed, 0), await world.stored(last, 0)], [[], []])
  })

  test('what the page makes transparent or invisible is not seen before it appears', async (t) => {
    const [clear, invisible] = [await world.add(one('<p>Clear</p>')), await world.add(one('<p>Invisible</p>'))]
    const box = (style: string, of: typeof clear): string => `<div class="box" style="${style}">${place(of)}</div>`
    const body = box('opacity:0', clear) + box('visibility:hidden', invisible)
    const site = await openSite(t, { '/': { html: world.page(body) } })
    const { page } = await newReader(t, browser)
    await page.addInitScript(listening)
    await page.goto(site.url)
    await happened(page, 2)
    await pause(SEEN_MS)
    assert.deepEqual([await world.stored(clear, 0), await world.stored(invisible, 0)], [[], []])
    await page.evaluate(`document.querySelectorAll('.box').forEach((box) => box.removeAttribute('style'))`)
    assert.equal((await world.stored(clear, 1)).length, 1)
    assert.equal((await world.stored(invisible, 1)).length, 1)
  })

  test('a block that is larger than the window is seen when it fills half of the window', async (t) => {
    const block = await world.add(one('<div>long</div>'))
    const long = place(block, '', 'id="long" style="height:24000px"')
    const site = await openSite(t, { '/': { html: world.page(tall + long) } })
    const { page } = await newReader(t, browser)
    await page.addInitScript(listening)
    await page.goto(site.url)
    await happened(page, 1)
    await page.evaluate('scrollTo(0, 3000 - 800 + 100)') // an eighth of the window
    await pause(SEEN_MS)
    assert.deepEqual(await world.stored(block, 0), [])
    await page.evaluate('scrollTo(0, 3000 - 800 + 700)')
    assert.equal((await world.stored(block, 1)).length, 1)
  })

  test('the time of a view is that for which it was on the screen, by a stopwatch, and is told when it ends', async (t) => {
    const block = await world.add(one('<p>Hello</p>'))
    const html = world.page(stopwatch('footfall:content') + place(block) + tall)
    const site = await openSite(t, { '/': { html }, '/next': { html: 'next' } })
    const { page } = await newReader(t, browser)
    await page.addInitScript(screen)
    await page.addInitScript(listening)
    await page.goto(site.url)
    await happened(page, 1)
    await pause(1700)
    await page.evaluate(`show('hidden'); end()`)
    await pause(AWAY_MS)
    await toldAsWatched(page, block)
    await page.evaluate('show(); begin()')
    await pause(1200)
    await page.evaluate('scrollTo(0, 2000); end()')
    await pause(AWAY_MS)
    await toldAsWatched(page, block)
    await page.evaluate('scrollTo(0, 0); begin()')
    await pause(800)
    await page.goto(`${site.url}next`)
    await toldAsWatched(page, block)
  })

  test('clicks are told with the name that the HTML or the address of the link gives them; other clicks are not', async (t) => {
    const html = `<p>Text</p><a href="#buy"><i>Buy</i></a> <a href="#other" data-element="foot">Other</a>
    <span data-cta="more" data-element="teaser"><b>More</b></span> <a href="#buy" data-cta="own">Own</a>`
    const ctas = [
      { key: 'later', label: 'Later', url: null },
      { key: 'buy', label: 'Buy', url: '#buy' },
    ]
    const block = await world.add(one(html, { ctas }))
    // Else the middle button opens the page in a tab, where the block is seen as well.
    const still = `<script>addEventListener('auxclick', (click) => click.preventDefault())</script>`
    const body = `<a href="#out">${place(block)}</a><i id="out">o</i>${still}`
    const site = await openSite(t, { '/': { html: world.page(body) } })
    const { page } = await newReader(t, browser)
    await page.goto(site.url)
    await page.click('[data-footfall-content] p') // the link around the block is none of its
    await page.click('i:text("Buy")')
    await page.click('text=Other', { button: 'middle' })
    await page.click('text=Other', { button: 'right' })
    await page.click('text=More')
    await page.click('text=Own')
    await page.click('#out')
    const rows = await world.stored(block, 5)
    const clicks = rows
      .filter(({ kind }) => kind === 'click')
      .map(({ cta_key, element_key }) => `${cta_key}/${element_key}`)
    assert.deepEqual(clicks.toSorted(), ['/foot', 'buy/', 'more/teaser', 'own/'])
    assert.equal(rows.filter(({ kind }) => kind === 'view').length, 1)
  })

  test('whoever clicks at once and is led away has seen the block and clicked it', async (t) => {
    const block = await world.add(one('<a href="/next" data-cta="go">Go</a>'))
    const site = await openSite(t, { '/': { html: world.page(place(block, '')) }, '/next': { html: 'next' } })
    const { page } = await newReader(t, browser)
    await page.goto(site.url)
    await page.click('text=Go')
    await page.waitForURL('**/next')
    const rows = await world.stored(block, 2)
    assert.deepEqual(rows.map(({ kind }) => kind).toSorted(), ['click', 'view'])
    assert.equal(rows.find(({ kind }) => kind === 'click')?.cta_key, 'go')
  })

  test('in a page that does its own navigation, places that come are filled, and those that go are told of', async (t) => {
    const [first, second] = [await world.add(one('<p>First</p>')), await world.add(one('<p>Second</p>'))]
    const site = await openSite(t, { '/': { html: world.page(`<main>${place(first)}</main>`) } })
    const { page } = await newReader(t, browser)
    await page.goto(site.url)
    await page.waitForSelector('text=First')
    await pause(1800)
    await page.evaluate(`document.querySelector('main').innerHTML = ${JSON.stringify(place(second))}`)
    await page.waitForSelector('text=Second')
    const [view] = await world.until(first, ([told]) => (told?.dwell_ms ?? 0) > 1400)
    assert.ok((view?.dwell_ms ?? 0) > 1400, `${view?.dwell_ms}`)
    assert.equal((await world.stored(second, 1)).length, 1)
  })

  test('two copies of the script show and count a block once', async (t) => {
    const block = await world.add(one('<p>Hello</p>'))
    const tag = `<script defer src="${footfall.url}/content.js"></script>`
    const site = await openSite(t, { '/': { html: world.page(place(block), tag + tag) } })
    const { page } = await newReader(t, browser)
    const asked: string[] = []
    page.on('request', (request) => request.url().endsWith('/render') && asked.push(request.url()))
    await page.goto(site.url)
    assert.equal((await world.stored(block, 1)).length, 1)
    assert.equal(asked.length, 1)
  })

  test('closed tabs: the time until the close arrives', async (t) => {
    const TABS = 20
    const block = await world.add(one('<p>Hello</p>'))
    const site = await openSite(t, { '/': { html: world.page(place(block)) } })
    const { page } = await newReader(t, browser)
    const tabs = [page]
    while (tabs.length < TABS) tabs.push(await page.context().newPage())
    for (const tab of tabs) {
      await tab.bringToFront()
      await tab.goto(site.url)
      await tab.waitForSelector('text=Hello')
    }
    await world.stored(block, TABS)
    await pause(1000)
    for (const tab of tabs) {
      // Chromium waits for what a tab does at its end, but not for long: one after the other.
      const closed = tab.waitForEvent('close')
      await tab.close({ runBeforeUnload: true })
      await closed
    }
    // The first telling is at 1.0 to 1.5 s.
    const told = (rows: readonly Interaction[]): number => rows.filter(({ dwell_ms }) => dwell_ms > 1700).length
    const arrived = told(await world.until(block, (rows) => told(rows) === TABS))
    t.diagnostic(`${arrived} of ${TABS} last tellings arrived`)
    assert.equal(arrived, TABS)
  })
  test('in a frame of another site a block is shown for its own site, and seen when the frame is on the screen', async (t) => {
    const block = await world.add(one('<p>Framed</p>'))
    const site = await openSite(t, { '/': { html: world.page(place(block)) } })
    const frame = `<iframe src="${site.url}" style="display:block;height:200px"></iframe>`
    const around = await openSite(t, { '/': { html: `<!doctype html><body>${tall}${frame}` } }, 'localhost')
    const { page } = await newReader(t, browser)
    await page.goto(around.url)
    await page.frameLocator('iframe').getByText('Framed').waitFor({ state: 'attached' })
    await pause(SEEN_MS)
    assert.deepEqual(await world.stored(block, 0), [])
    await page.evaluate('scrollTo(0, 3000)')
    assert.equal((await world.stored(block, 1)).length, 1)
  })

  test('a page out of the back-forward cache goes on counting where it was, and not the time in between', async (t) => {
    const block = await world.add(one('<p>Hello</p>'))
    const html = world.page(stopwatch('footfall:content') + place(block))
    const site = await openSite(t, { '/': { html }, '/next': { html: 'next' } })
    const { page } = await newReader(t, await openWholeBrowser(t))
    await page.goto(site.url)
    await page.waitForSelector('text=Hello')
    await page.evaluate('window.kept = true')
    await pause(1500)
    await page.goto(`${site.url}next`)
    await pause(AWAY_MS)
    await toldAsWatched(page, block)
    await page.goBack({ waitUntil: 'commit' })
    assert.equal(await page.evaluate('window.kept'), true, 'the page was kept')
    await pause(800)
    await page.goto(`${site.url}next`)
    await toldAsWatched(page, block)
  })
})
