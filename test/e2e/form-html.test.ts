// Success HTML in a real browser: whatever somebody wrote, nothing of what is left of it runs, and nothing
// leads to a script.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { fillHtml, sanitiseHtml } from '../../server/html/form-html.ts'
import { openBrowser } from '../support/browser.ts'
import { hostileAnswers, hostileHtml } from '../support/hostile-html.ts'
import { intercept } from '../support/intercept.ts'
import { visit } from '../support/site.ts'

const browser = await openBrowser({ after })

/** As much of the page's own types as the look needs. */
interface Element {
  innerHTML: string
  readonly nodeName: string
  readonly attributes: Iterable<{ readonly name: string }>
  readonly protocol?: string
  readonly complete: boolean
  addEventListener(name: string, heard: () => void): void
  append(element: Element): void
  remove(): void
  querySelectorAll(selector: string): Iterable<Element>
}
interface PageScope {
  readonly document: { readonly body: Element; createElement(name: string): Element }
  hits: number
  hit: () => void
}

/**
 * Runs in the page: what is bad about the HTML once the browser has made elements of it and loaded what it
 * can.
 */
async function lookAt(htmls: readonly string[]): Promise<string[]> {
  const scope = globalThis as unknown as PageScope
  scope.hits = 0
  scope.hit = () => {
    scope.hits++
  }
  const bad: string[] = []
  for (const html of htmls) {
    const before = scope.hits
    const box = scope.document.createElement('div')
    scope.document.body.append(box)
    box.innerHTML = html
    for (const image of box.querySelectorAll('img')) {
      if (image.complete) continue
      await new Promise<void>((resolve) => {
        image.addEventListener('error', resolve)
        image.addEventListener('load', resolve)
      })
    }
    for (const { attributes, nodeName, protocol = '' } of box.querySelectorAll('*')) {
      if ([...attributes].some(({ name }) => /^(on|style$|id$|name$|form|srcdoc)/.test(name))) bad.push(html)
      if (/^(script|style|iframe|form|input|svg|math|object|embed|link|meta|base)$/i.test(nodeName)) bad.push(html)
      if (!['http:', 'https:', 'mailto:', 'tel:', 'about:', ':', ''].includes(protocol)) bad.push(html)
    }
    // A second parse of what the browser wrote out: where mutations come to light.
    const again = scope.document.createElement('div')
    again.innerHTML = box.innerHTML
    if (again.innerHTML !== box.innerHTML) bad.push(html)
    if (scope.hits !== before) bad.push(html)
    box.remove()
  }
  return bad
}

test('nothing of hostile HTML runs in a page that shows it, with any answer put in', async (t) => {
  const { page, errors } = await visit(t, browser, 'about:blank')
  await intercept(page, '**', (route) => route.abort())
  const stored = hostileHtml.map(sanitiseHtml)
  const filled = stored
    .filter((html) => html.includes('%field%'))
    .flatMap((html) => hostileAnswers.map((field) => fillHtml(html, { field })))
  assert.deepEqual(await page.evaluate(lookAt, [...stored, ...filled]), [])
  assert.deepEqual(
    errors.filter((text) => !text.includes('ERR_FAILED')),
    [],
  )
})

test('the look finds what was not sanitised', async (t) => {
  const { page } = await visit(t, browser, 'about:blank')
  await intercept(page, '**', (route) => route.abort())
  for (const html of [
    '<img src="https://evil.test/x" onerror="hit()">',
    '<a href="javascript:hit()">x</a>',
    '<svg onload="hit()"></svg>',
    '<form><input name="x"></form>',
  ])
    assert.ok((await page.evaluate(lookAt, [html])).length > 0, html)
})
