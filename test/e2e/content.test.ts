// Content in a real browser: the client of docs/api/content.md does what it says on a page of another origin,
// and no HTML that was saved runs, under either policy.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, test } from 'node:test'
import { sanitiseHtml } from '../../server/html/content-html.ts'
import { contentPolicies } from '../../server/properties/properties.ts'
import { openBrowser } from '../support/browser.ts'
import { impressionsOf } from '../support/content-calls.ts'
import { hostileAnswers, hostileHtml } from '../support/hostile-html.ts'
import { intercept } from '../support/intercept.ts'
import { startFootfall } from '../support/server.ts'
import { eventually, openSite, visit } from '../support/site.ts'

const browser = await openBrowser({ after })

const docs = readFileSync(new URL('../../docs/api/content.md', import.meta.url), 'utf8')
const [, sample = ''] = /^```html\n([\s\S]*?)^```$/m.exec(docs) ?? []

test('the documented page shows the block, and tells what was seen and clicked', async (t) => {
  const footfall = await startFootfall(t)
  const { id } = await footfall.addProperty({ domains: '["127.0.0.1"]' })
  const at = `/manage/properties/${id}/content`
  const { content } = (await footfall.call('POST', at, { body: { name: 'Banner' } })).json.data
  const version = { label: 'A', html: '<p>Save <b>20%</b></p>', ctas: [{ key: 'go', label: 'Prices', url: '#prices' }] }
  const made = await footfall.call('POST', `${at}/${content.id}/versions`, { body: version })
  assert.equal(made.status, 200, made.text)
  const html = sample.replace('http://127.0.0.1:8080', footfall.url).replace('CONTENT_KEY', content.key)
  assert.ok(html.includes(footfall.url) && html.includes(content.key))
  const { page, errors } = await visit(t, browser, (await openSite(t, { '/': { html } })).url)
  await page.waitForSelector('#banner a')
  assert.equal(await page.innerHTML('#banner p'), 'Save <b>20%</b>')
  const rows = (wanted: number) =>
    eventually(
      () => impressionsOf(footfall, content.id),
      ({ length }) => length >= wanted,
    )
  await rows(1)
  await page.click('#banner a')
  const told = await rows(2)
  assert.deepEqual(
    told.map(({ kind, cta_key }) => [kind, cta_key]),
    [
      ['view', ''],
      ['click', 'go'],
    ],
  )
  // Two looks at the page, with another tab in between.
  await page.evaluate(switchTabs)
  const [view] = await eventually(
    () => impressionsOf(footfall, content.id),
    ([first]) => Number(first?.dwell_ms) >= FIRST_LOOK_MS + SECOND_LOOK_MS,
  )
  const dwell = Number(view?.dwell_ms)
  assert.ok(dwell >= FIRST_LOOK_MS + SECOND_LOOK_MS, `both looks are counted: ${dwell}`)
  assert.ok(dwell < AWAY_MS, `the time away is not: ${dwell}`)
  assert.deepEqual(errors, [])
})

const FIRST_LOOK_MS = 20_000
const SECOND_LOOK_MS = 50_000
const AWAY_MS = 40_000_000

interface TabScope {
  readonly document: { dispatchEvent(event: Event): void }
}

/** Runs in the page, whose clock it moves. */
function switchTabs(): void {
  const { document } = globalThis as unknown as TabScope
  const now = Date.now.bind(Date)
  const set = (visibility: string, laterMs: number): void => {
    Date.now = () => now() + laterMs
    Object.defineProperty(document, 'visibilityState', { configurable: true, value: visibility })
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))
  }
  set('hidden', 20_000)
  set('visible', 20_000 + 40_000_000)
  set('hidden', 20_000 + 40_000_000 + 50_000)
}

interface Element {
  innerHTML: string
  readonly nodeName: string
  readonly attributes: Iterable<{ readonly name: string; readonly value: string }>
  readonly protocol?: string
  append(element: Element): void
  remove(): void
  querySelectorAll(selector: string): Iterable<Element>
}
interface PageScope {
  readonly document: { readonly body: Element; createElement(name: string): Element }
  readonly setTimeout: (work: () => void, ms: number) => void
  hits: number
  hit: () => void
}

/** Runs in the page: what is bad about the HTML once the browser has made elements of it. */
async function lookAt(htmls: readonly string[]): Promise<string[]> {
  const scope = globalThis as unknown as PageScope
  scope.hits = 0
  scope.hit = () => {
    scope.hits++
  }
  const bad: string[] = []
  for (const html of htmls) {
    const box = scope.document.createElement('div')
    scope.document.body.append(box)
    box.innerHTML = html
    for (const { attributes, nodeName, protocol = '' } of box.querySelectorAll('*')) {
      for (const { name, value } of attributes) {
        if (/^(on|id$|srcdoc|formaction)/.test(name)) bad.push(html)
        if (/^\s*(javascript|data|vbscript):/i.test(value) && /^(href|src|action|poster)$/.test(name)) bad.push(html)
      }
      if (/^(script|style|svg|math|object|embed|link|meta|base|template)$/i.test(nodeName)) bad.push(html)
      if (!['http:', 'https:', 'mailto:', 'tel:', 'about:', ':', ''].includes(protocol)) bad.push(html)
    }
    // A second parse of what the browser wrote out: where mutations come to light.
    const again = scope.document.createElement('div')
    again.innerHTML = box.innerHTML
    if (again.innerHTML !== box.innerHTML) bad.push(html)
    // Whatever would run when it fails to load has failed by then.
    await new Promise<void>((resolve) => scope.setTimeout(resolve, 0))
    if (scope.hits > 0) bad.push(html)
    scope.hits = 0
    box.remove()
  }
  return bad
}

test('nothing of hostile HTML runs under either policy, however it was narrowed or widened', async (t) => {
  const { page } = await visit(t, browser, 'about:blank')
  await intercept(page, '**', (route) => route.abort())
  const corpus = hostileHtml.flatMap((html) =>
    html.includes('%field%') ? hostileAnswers.map((answer) => html.replaceAll('%field%', () => answer)) : [html],
  )
  const kept = contentPolicies.flatMap((policy) => corpus.map((html) => sanitiseHtml(html, policy)))
  const narrowed = corpus.map((html) => sanitiseHtml(sanitiseHtml(html, 'wide'), 'standard'))
  assert.deepEqual(await page.evaluate(lookAt, [...new Set([...kept, ...narrowed])]), [])
  for (const html of [
    '<img src="https://evil.test/x" onerror="hit()">',
    '<a href="javascript:hit()">x</a>',
    '<svg></svg>',
  ])
    assert.ok((await page.evaluate(lookAt, [html])).length > 0, html)
})

/** A block in the middle of a page, between things of the page that somebody presses. */
const middle = (box: string): string => `
  <style>body { margin: 0 } .press { display: block; height: 40px } main { display: flex } #box { flex: 1; min-width: 0 }</style>
  <a class="press" id="above" href="#">above</a>
  <main><a class="press" id="before" href="#" style="width: 300px">before</a><div id="box" ${box}></div>
    <a class="press" id="behind" href="#" style="width: 300px">behind</a></main>
  <a class="press" id="below" href="#">below</a>`

/** Each covers something of the page around it when nobody looks through it. */
const covering: readonly string[] = [
  '<div style="height: 0; opacity: .99"><img width="600" height="600"></div>',
  '<div style="max-height: 1px; opacity: .99"><img width="600" height="600"></div>',
  '<div style="height: 0"><img width="600" height="600"></div>',
  '<div style="aspect-ratio: 1000; min-height: 0"><img width="600" height="600"></div>',
  '<div style="display: flex; height: 9px; align-items: center"><img width="600" height="600"></div>',
  '<div style="display: flex; flex-direction: column"><p style="flex: 0 0 1px; min-height: 1px"><img width="600" height="600"></p></div>',
  '<div style="display: flex; justify-content: center"><img width="1400" height="40" style="min-width: 1400px"></div>',
  '<div style="display: flex; justify-content: flex-end"><img width="1400" height="40" style="min-width: 1400px"></div>',
  '<div style="margin-top: -300px"><img width="600" height="600"></div>',
  '<span style="padding: 300px">x</span>',
  '<a style="border: 300px solid">x</a>',
  '<div style="display: inline; padding: 300px">x</div>',
  '<span style="color: /*; display: inline-block; font-family: */ red; padding: 300px">x</span>',
  '<span style="color: rgb(; display: inline-block; border-color: ); padding: 300px">x</span>',
  '<span style="display: inline-block; display: inline; padding: 300px">x</span>',
  '<div style="line-height: 0"><span style="font-size: 500px">XX</span></div>',
  '<div style="line-height: 1px"><span style="font-size: 500px">XX</span></div>',
]
/** Of this no policy says that it stays in its place. */
const wider = '<div dir="rtl"><img width="2000" height="40"></div>'

interface PressScope {
  readonly document: {
    querySelector(selector: string): {
      innerHTML: string
      getBoundingClientRect(): { left: number; top: number; width: number; height: number }
      scrollIntoView(options: { block: string }): void
      contains(other: unknown): boolean
    }
    elementFromPoint(x: number, y: number): unknown
  }
}

/** Runs in the page: which of its parts somebody who presses them does not meet. */
function coveredBy({ html, ids }: { html: string; ids: readonly string[] }): string[] {
  const { document } = globalThis as unknown as PressScope
  const box = document.querySelector('#box')
  box.innerHTML = html
  const covered = ids.filter((id) => {
    const part = document.querySelector(`#${id}`)
    part.scrollIntoView({ block: 'center' })
    const { left, top, width, height } = part.getBoundingClientRect()
    return box.contains(document.elementFromPoint(left + width / 2, top + height / 2))
  })
  box.innerHTML = ''
  return covered
}

test('what the wide policy leaves does not lie over what stands around it, and on a page that clips its box, as documented, nothing does', async (t) => {
  const { page } = await visit(t, browser, 'about:blank')
  const ids = ['above', 'before', 'below']
  const covered = (html: string, of = ids) => page.evaluate(coveredBy, { html, ids: of })
  await page.setContent(middle(''))
  for (const html of covering) {
    assert.notDeepEqual(await covered(html), [], `as it is written: ${html}`)
    assert.deepEqual(await covered(sanitiseHtml(html, 'wide')), [], html)
  }
  assert.deepEqual(await covered(sanitiseHtml(wider, 'standard')), ['before'])
  const [, clipped = ''] = /<div id="banner" (style="[^"]+")><\/div>/.exec(sample) ?? []
  await page.setContent(middle(clipped))
  for (const html of [...covering, wider]) assert.deepEqual(await covered(html, [...ids, 'behind']), [], html)
})
