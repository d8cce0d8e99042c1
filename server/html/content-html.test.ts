// How far the HTML of content may go: under no policy does anything run, and whoever writes is told what
// went.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { hostileAnswers, hostileHtml } from '../../test/support/hostile-html.ts'
import { type ContentPolicy, contentPolicies } from '../properties/properties.ts'
import { anyCharacter } from '../../test/support/texts.ts'
import { htmlPolicies, sanitiseContent, sanitiseHtml } from './content-html.ts'

/** Every template with everything that a visitor could put in its place. */
const corpus = hostileHtml.flatMap((html) =>
  html.includes('%field%') ? hostileAnswers.map((answer) => html.replaceAll('%field%', () => answer)) : [html],
)

const never =
  /^(script|style|object|embed|applet|base|link|meta|svg|math|template|noscript|frame|frameset|slot|portal|dialog|marquee|body|html|title|xmp|plaintext|textarea)$/

const goodAddress = /^(?!\/\/)(https?:|mailto:|tel:|(?![a-z][a-z0-9+.-]*:))/i

/** Tags and attributes as they are written in well-formed output. */
function assertHarmless(html: string, policy: ContentPolicy, from: string): void {
  const { tags, attributes: allowed } = htmlPolicies[policy]
  const says = `${policy}: ${from} → ${html}`
  for (const [, name = '', attributes = ''] of html.matchAll(/<\/?([^\s>/]+)([^>]*)>/g)) {
    assert.ok(tags.includes(name), says)
    if (name !== 'textarea') assert.doesNotMatch(name, never, says)
    for (const [, attribute = '', value = ''] of attributes.matchAll(/([^\s="]+)="([^"]*)"/g)) {
      assert.doesNotMatch(attribute, /^(on|id$|srcdoc|form|xlink|is$|slot|part|nonce|http)/i, says)
      assert.ok([...(allowed['*'] ?? []), ...(allowed[name] ?? [])].includes(attribute), says)
      if (['href', 'src', 'action', 'poster'].includes(attribute)) assert.match(value, goodAddress, says)
      if (name === 'iframe' && attribute === 'src') assert.match(value, /^https:/i, says)
      if (attribute === 'style') assert.doesNotMatch(value, /url|expression|position|[\\@:]\s*[\\@:]|javascript/i, says)
    }
  }
}

test('nothing that runs, names or pretends is left under either policy, and doing it again changes nothing', () => {
  assert.ok(corpus.length >= 300)
  for (const policy of contentPolicies)
    for (const html of corpus) {
      const once = sanitiseHtml(html, policy)
      assertHarmless(once, policy, html)
      assert.equal(sanitiseHtml(once, policy), once, html)
      assert.equal(sanitiseContent(html, policy).html, once, html)
    }
})

test('what standard lets through, wide leaves as it is; what wide let through is harmless when the policy was narrowed', () => {
  for (const html of corpus) {
    const standard = sanitiseHtml(html, 'standard')
    assert.equal(sanitiseHtml(standard, 'wide'), standard, html)
    assertHarmless(sanitiseHtml(sanitiseHtml(html, 'wide'), 'standard'), 'standard', html)
  }
})

const pieces = fc.constantFrom(
  ...'< > " \' = / & # ; : - ! a img svg style script onerror href src javascript: data: iframe form input textarea select option video action srcdoc </ /> <!-- --> <![CDATA['.split(
    ' ',
  ),
  ' ',
  '\n',
  '\0',
  '\ud800',
  'https://x.test/',
  'color:red;',
  'position:fixed',
  'url(x)',
)

test('any text at all leaves harmless HTML', () => {
  const anything = fc.oneof(
    fc.string({ unit: anyCharacter }),
    fc.array(pieces, { maxLength: 40 }).map((parts) => parts.join('')),
  )
  fc.assert(
    fc.property(anything, fc.constantFrom(...contentPolicies), (html, policy) => {
      const { html: kept, removed } = sanitiseContent(html, policy)
      assertHarmless(kept, policy, html)
      assert.equal(sanitiseHtml(kept, policy), kept)
      assert.ok(removed.length <= 21 && removed.every((line) => line.length < 200 && /^[\x20-\x7e…]*$/.test(line)))
    }),
    { numRuns: 1500 },
  )
})

/**
 * Elements that parsers read in ways of their own, one in another, closed or not, with text that is escaped
 * or looks like it.
 */
const nested = fc
  .array(
    fc.constantFrom(
      ...'iframe table tr td caption select option optgroup textarea title noscript noembed noframes xmp plaintext button form p ruby rt li details summary svg math template style script pre a'
        .split(' ')
        .flatMap((tag) => [`<${tag}>`, `</${tag}>`]),
      '<iframe src="https://a.test/">',
      '<iframe src="https://a.test/"/>',
      '<iframe src="http://a.test/">',
      '<p style="color: red; height: 0">',
      'a &amp; b',
      'a & b',
      '&lt;b&gt;',
      '&amp;lt;',
      '<!--',
      '-->',
      '<b>x</b>',
      '<',
      '>',
      '\n',
    ),
    { minLength: 1, maxLength: 25 },
  )
  .map((parts) => parts.join(''))

test('what a policy let through, it leaves as it is, however its elements are nested: what was read can be saved again', () => {
  fc.assert(
    fc.property(nested, fc.constantFrom(...contentPolicies), (html, policy) => {
      const once = sanitiseHtml(html, policy)
      assertHarmless(once, policy, html)
      assert.deepEqual(sanitiseContent(once, policy), { html: once, removed: [] })
      assert.equal(sanitiseHtml(once, policy), once)
      assert.equal(sanitiseContent(html, policy).html, once)
      if (policy === 'standard') assert.equal(sanitiseHtml(once, 'wide'), once)
    }),
    { numRuns: 3000, examples: [['<p><optgroup><p>', 'standard']] },
  )
})

const inFrames = [
  'a & b <b>x</b>',
  '&amp;lt;',
  '<p>unclosed',
  '<iframe src="https://y.test/">',
  '<script>hit()</script>',
  '<!--',
]

test('text inside a frame goes, and whoever wrote it is told', () => {
  const frame = sanitiseHtml('<iframe src="https://x.test/"></iframe>', 'wide')
  for (const text of inFrames)
    for (const [before, after] of [
      ['', ''],
      ['<table><tbody><tr><td>', '</td></tr></tbody></table>'],
      ['<ruby>', '</ruby>'],
    ]) {
      const written = `${before}<iframe src="https://x.test/">${text}</iframe>${after}`
      const { html, removed } = sanitiseContent(written, 'wide')
      assert.equal(html, `${before}${frame}${after}`, written)
      assert.deepEqual(removed, ['text in <iframe>'], written)
    }
  assert.deepEqual(sanitiseContent('<iframe src="https://x.test/">\n</iframe>', 'wide'), { html: frame, removed: [] })
})

const kept: readonly (readonly [ContentPolicy, string])[] = [
  [
    'standard',
    '<main><section><nav><a href="/">x</a></nav><aside>x</aside><address>x</address></section></main><search></search><menu><li>x</li></menu>',
  ],
  [
    'standard',
    '<hgroup><h2>x</h2></hgroup><p><dfn>x</dfn> <bdi>x</bdi> <bdo dir="rtl">x</bdo> <ruby>x<rp>(</rp><rt>y</rt></ruby></p>',
  ],
  ['wide', '<a style="display: inline-block; padding: 0.5em 1em; border: 1px solid rgb(0 0 0 / 50%)">x</a>'],
  ['wide', '<span style="background-color: hsl(10 20% 30%); border-radius: 4px; letter-spacing: .1em">x</span>'],
  ['wide', '<img style="height: 40px; width: auto; object-fit: cover; aspect-ratio: 16 / 9" />'],
  ['wide', '<p style="font-size: 1.25rem; line-height: 1.5; text-decoration: underline dotted">x</p>'],
  [
    'wide',
    '<div style="display: flex; gap: 1rem; align-items: center; justify-content: safe center; flex-wrap: wrap">x</div>',
  ],
  ['wide', '<div style="display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); min-height: 50vh">x</div>'],
  ['wide', '<p style="color: RED !important">x</p>'],
  ['standard', '<h2 class="big">Save <b>20%</b></h2>'],
  ['standard', '<a href="/prices" data-cta="prices">Prices</a>'],
  ['standard', '<a href="https://example.com/" target="_blank" rel="noopener">x</a>'],
  ['standard', '<a href="#faq">x</a>'],
  ['standard', '<img src="/a.png" srcset="/a.png 1x, /b.png 2x" alt="A" width="10" height="20" loading="lazy" />'],
  ['standard', '<table><tbody><tr><td colspan="2">x</td></tr></tbody></table>'],
  ['standard', '<div role="note" aria-label="Offer" data-element="offer">x</div>'],
  ['wide', '<p style="color: #0a66c2; margin: 0 auto; width: 60%; max-width: 40rem">x</p>'],
  ['wide', '<p style="color: var(--brand)">x</p>'],
  [
    'wide',
    '<form action="https://example.com/join" method="post"><input type="email" name="mail" required /><button type="submit">Join</button></form>',
  ],
  ['wide', '<form action="/login" method="post"><input type="text" name="user" /></form>'],
  ['wide', '<form><button>x</button></form>'],
  ['wide', '<video src="/a.mp4" controls></video>'],
  ['wide', '<details><summary>More</summary><p>x</p></details>'],
]

test('what each policy is there for stays as it is written, and nothing is said to be gone', () => {
  for (const [policy, html] of kept) assert.deepEqual(sanitiseContent(html, policy), { html, removed: [] })
  const frame = sanitiseContent('<iframe src="https://player.example/1"></iframe>', 'wide')
  assert.match(frame.html, /sandbox="allow-scripts allow-same-origin allow-popups allow-forms allow-presentation"/)
  const strict = sanitiseHtml(
    '<iframe src="https://player.example/1" sandbox="allow-top-navigation allow-forms"></iframe>',
    'wide',
  )
  assert.match(strict, /sandbox="allow-forms"/)
})

const gone: readonly (readonly [ContentPolicy, string, string, readonly string[]])[] = [
  ['standard', '<p onclick="x()">a</p><script>x()</script>', '<p>a</p>', ['onclick of <p>', '<script>']],
  ['standard', '<p style="color: red">a</p>', '<p>a</p>', ['style color of <p>']],
  ['standard', '<a href="javascript:x()">a</a>', '<a>a</a>', ['href of <a>']],
  ['standard', '<iframe src="https://x.test/"></iframe>', '', ['<iframe>', 'src of <iframe>']],
  ['wide', '<iframe src="http://x.test/"></iframe>', '', ['<iframe>', 'src of <iframe>']],
  ['wide', '<p style="position: fixed; color: red">a</p>', '<p style="color: red">a</p>', ['style position of <p>']],
  ['wide', '<p style="background: url(x)">a</p>', '<p>a</p>', ['style background of <p>']],
  ['wide', '<p style="margin-top: -999px">a</p>', '<p>a</p>', ['style margin-top of <p>']],
  ['wide', '<form action="http://x.test/"></form>', '<form></form>', ['action of <form>']],
  ['wide', '<input type="password" name="p">', '<input name="p" />', ['type of <input>']],
  ['standard', '<b><script></script><script></script></b>', '<b></b>', ['<script> (2 times)']],
]

/** What each is good for stands in test/e2e/content.test.ts, where a browser shows it. */
const outOfPlace: readonly (readonly [tag: string, style: string, left: string])[] = [
  ['div', 'opacity: .99; position: relative; z-index: 9; transform: none; filter: none; float: left', ''],
  ['div', 'height: 0; max-height: 1px; aspect-ratio: 1000; min-height: 0', 'min-height: 0'],
  ['button', 'height: 0', ''],
  ['div', 'width: 0', ''],
  ['div', 'max-width: 0.5px', ''],
  ['div', 'width: calc(1px * 0)', ''],
  ['div', 'width: 9px; width: 4%', ''],
  ['div', 'flex: 0 0 0; flex-basis: 0; flex-direction: column', ''],
  ['div', 'justify-content: center', ''],
  ['div', 'justify-content: flex-end', ''],
  ['div', 'flex-wrap: wrap-reverse', ''],
  ['div', 'margin: inherit; padding: inherit; height: inherit', ''],
  ['div', 'line-height: 0', ''],
  ['div', 'line-height: 1px', ''],
  ['div', 'letter-spacing: -90px', ''],
  ['div', 'text-decoration: underline 400px red', ''],
  ['div', 'vertical-align: -300px', ''],
  ['span', 'padding: 300px; border: 300px solid', ''],
  ['img', 'padding-top: 300px; border-top-width: 3px; border-width: 300px', ''],
  ['div', 'display: inline; padding-bottom: 300px', 'display: inline'],
  ['span', 'display: inline-block; display: inline; padding: 300px', 'display: inline-block; display: inline'],
  [
    'span',
    'color: /*; display: inline-block; font-family: */ red; padding: 300px',
    'display: inline-block; padding: 300px',
  ],
  [
    'span',
    'color: rgb(; display: inline-block; border-color: ); padding: 300px',
    'display: inline-block; padding: 300px',
  ],
  ['span', 'display: contents; padding: 300px', ''],
  ['p', 'constructor: x; __proto__: x; --brand: red', ''],
]

test('no style takes an element out of its place', () => {
  for (const [tag, style, left] of outOfPlace) {
    const html = sanitiseHtml(`<${tag} style="${style}">`, 'wide')
    assert.equal(/style="([^"]*)"/.exec(html)?.[1] ?? '', left, `${tag}: ${style}`)
  }
})

test('whoever writes is told what was taken out', () => {
  for (const [policy, html, left, removed] of gone)
    assert.deepEqual(sanitiseContent(html, policy), { html: left, removed }, html)
  const many = Array.from({ length: 50 }, (_, at) => `<x-${at}></x-${at}>`).join('')
  const { removed } = sanitiseContent(many, 'standard')
  assert.equal(removed.length, 21)
  assert.equal(removed.at(-1), 'and 30 more kinds of things')
})

/** What is written to the console while `work` runs. */
function consoleOf(work: () => void): unknown[] {
  const written: unknown[] = []
  const before = console.log
  console.log = (...args: unknown[]) => written.push(args)
  try {
    work()
  } finally {
    console.log = before
  }
  return written
}

test('what of a srcset cannot be read goes, and nothing of it is written to the console', () => {
  const cases: readonly (readonly [string, string])[] = [
    ['a.png 1x,\nFAKE {"level":"fatal"}\n9', 'a.png 1x'],
    ['a.png 1x, b.png bad, c.png 2x', 'a.png 1x, c.png 2x'],
    ['/w_1,h_2/a.png 100w, b.png 0.5x', '/w_1,h_2/a.png 100w, b.png 0.5x'],
    ['a.png, b.png 2x,', 'a.png, b.png 2x'],
    ['a.png (1x, 2x), b.png', 'b.png'],
    ['a.png 0w, b.png 10w 5h', 'b.png 10w 5h'],
    ['a.png 1w 2x', ''],
    [' , ,', ''],
  ]
  const found = new Map<string, string>()
  const written = consoleOf(() => {
    for (const [given] of cases) found.set(given, sanitiseHtml(`<img srcset='${given}' />`, 'standard'))
  })
  assert.deepEqual(written, [])
  for (const [given, kept] of cases)
    assert.equal(found.get(given), kept === '' ? '<img />' : `<img srcset="${kept}" />`, given)
})

test('no srcset at all makes the sanitiser write to the console', () => {
  const piece = fc.oneof(
    fc.constantFrom(
      ' ',
      ',',
      '\n',
      '\t',
      '(',
      ')',
      '1x',
      '2w',
      '0w',
      '-1x',
      '1e9x',
      '3h',
      'a.png',
      '\u00a0',
      '\f',
      '+1x',
      '.5x',
    ),
    fc.string({ maxLength: 3 }),
  )
  const text = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join('').replaceAll(/[<>"&]/g, ''))
  fc.assert(
    fc.property(text, (srcset) => {
      const written = consoleOf(() => sanitiseHtml(`<source srcset="${srcset}" />`, 'wide'))
      assert.deepEqual(written, [])
    }),
    { numRuns: 1_000 },
  )
})
