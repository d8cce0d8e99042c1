// What is left of HTML from outside. That nothing of it runs in a browser is shown in
// test/e2e/form-html.test.ts.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { hostileAnswers, hostileHtml } from '../../test/support/hostile-html.ts'
import { fillHtml, sanitiseHtml } from './form-html.ts'

/** Tags and attributes as they are written in well-formed output. */
function assertHarmless(html: string, from: string): void {
  for (const [, name = '', attributes = ''] of html.matchAll(/<\/?([^\s>/]+)([^>]*)>/g)) {
    assert.match(
      name,
      /^(a|abbr|b|blockquote|br|caption|cite|code|col|colgroup|dd|del|div|dl|dt|em|figcaption|figure|h[1-6]|hr|i|img|ins|kbd|li|mark|ol|p|pre|q|s|samp|small|span|strong|sub|sup|table|tbody|td|tfoot|th|thead|time|tr|u|ul|var|wbr)$/,
      `${from} → ${html}`,
    )
    for (const [, attribute = '', value = ''] of attributes.matchAll(/([^\s="]+)="([^"]*)"/g)) {
      assert.doesNotMatch(attribute, /^(on|style|id|name|srcset|form|data)/i, `${from} → ${html}`)
      if (attribute === 'href' || attribute === 'src')
        assert.match(value, /^(?!\/\/)(https?:|mailto:|tel:|(?![a-z][a-z0-9+.-]*:))/i, `${from} → ${html}`)
    }
  }
}

test('nothing that runs, loads, names or pretends is left, and doing it again changes nothing', () => {
  assert.ok(hostileHtml.length >= 100)
  for (const html of hostileHtml) {
    const once = sanitiseHtml(html)
    assertHarmless(once, html)
    assert.equal(sanitiseHtml(once), once, html)
  }
})

test('an answer becomes neither tag nor attribute nor script, wherever it stands', () => {
  for (const template of hostileHtml.filter((html) => html.includes('%field%')))
    for (const answer of hostileAnswers) {
      const filled = fillHtml(sanitiseHtml(template), { field: answer })
      assertHarmless(filled, `${template} with ${answer}`)
      assert.equal(filled.split('<').length, sanitiseHtml(template).split('<').length, `${template} with ${answer}`)
    }
})

test('any text at all leaves harmless HTML', () => {
  const pieces = fc.constantFrom(
    '<',
    '>',
    '"',
    "'",
    '=',
    '/',
    '&',
    '#',
    ';',
    ':',
    'a',
    'img',
    'svg',
    'style',
    'script',
    'onerror',
    'href',
    'src',
    'javascript:',
    '!--',
    '--',
    ' ',
    '\n',
    '%field%',
    '`',
    '\0',
  )
  const html = fc.array(pieces, { maxLength: 40 }).map((list) => list.join(''))
  fc.assert(
    fc.property(html, html, (template, answer) => {
      const stored = sanitiseHtml(template)
      assertHarmless(stored, template)
      assert.equal(sanitiseHtml(stored), stored)
      assertHarmless(fillHtml(stored, { field: answer }), `${template} with ${answer}`)
    }),
    { numRuns: 500 },
  )
})

test('what an owner writes is left: text, headings, lists, links, pictures, tables, classes', () => {
  for (const html of [
    '<h2 class="big">Thank <em>you</em></h2>',
    '<p>We write to <strong>you</strong> &amp; yours.<br />Soon.</p>',
    '<ul><li>one</li><li>two</li></ul>',
    '<img src="https://example.com/a.png" alt="A" width="10" height="20" />',
    '<table><thead><tr><th scope="col">A</th></tr></thead><tbody><tr><td colspan="2">1</td></tr></tbody></table>',
  ])
    assert.equal(sanitiseHtml(html), html)
})

test('a link keeps where it leads and opens nothing for it; its new tab knows no opener', () => {
  const rel = 'rel="noopener noreferrer nofollow"'
  assert.equal(sanitiseHtml('<a href="/thanks" rel="opener" target="_self">x</a>'), `<a href="/thanks" ${rel}>x</a>`)
  assert.equal(
    sanitiseHtml('<a href="mailto:a@example.com" target="_blank">x</a>'),
    `<a href="mailto:a@example.com" target="_blank" ${rel}>x</a>`,
  )
})

test('answers are put in as text: several with commas, unknown names and single signs left alone', () => {
  const answers = { name: '<b>Bo & "Co"</b>', colours: ['red', 'blue'], 'first name': 'Ann', 'a<b': 'odd', empty: '' }
  const template = '<p>100 % of %name%, %colours%; %first name%%name% %a&lt;b% [%empty%] %unknown% %%</p>'
  assert.equal(
    fillHtml(template, answers),
    '<p>100 % of &lt;b&gt;Bo &amp; "Co"&lt;/b&gt;, red, blue; Ann&lt;b&gt;Bo &amp; "Co"&lt;/b&gt; odd [] %unknown% %%</p>',
  )
  assert.equal(fillHtml('<p>%a%</p>', { a: '%b%', b: 'again' }), '<p>%b%</p>', 'an answer is not looked into')
  for (const name of ['constructor', 'toString']) assert.equal(fillHtml(`%${name}%`, {}), `%${name}%`)
  assert.equal(fillHtml('', { a: 'x' }), '')
})

test('in the query of a URL an answer stays one value, in its path it begins no query, and as the whole of a URL it is left as it is', () => {
  const answers = {
    name: 'A&B=C #1 ü%',
    page: 'a b/c?d#e',
    site: 'https://example.com/?a=1&b=2',
    mail: 'ann@example.com?bcc=x',
  }
  const hrefOf = (href: string): string | undefined =>
    /href="([^"]*)"/.exec(fillHtml(sanitiseHtml(`<a href="${href}">%name%</a>`), answers))?.[1]
  assert.equal(hrefOf('/thanks?n=%name%&amp;m=1'), '/thanks?n=A%26B%3DC%20%231%20%C3%BC%25&amp;m=1')
  assert.equal(hrefOf('/thanks?of=20%25&amp;n=%name%'), '/thanks?of=20%25&amp;n=A%26B%3DC%20%231%20%C3%BC%25')
  assert.equal(hrefOf('/thanks#%name%'), '/thanks#A%26B%3DC%20%231%20%C3%BC%25')
  assert.equal(hrefOf('https://example.com/%page%?x=%page%'), 'https://example.com/a%20b/c%3Fd%23e?x=a%20b%2Fc%3Fd%23e')
  assert.equal(hrefOf('%site%'), 'https://example.com/?a=1&amp;b=2')
  assert.equal(hrefOf('%site%&amp;n=%name%'), 'https://example.com/?a=1&amp;b=2&amp;n=A%26B%3DC%20%231%20%C3%BC%25')
  assert.equal(hrefOf('mailto:%mail%'), 'mailto:ann@example.com%3Fbcc=x')
  assert.equal(hrefOf('/%unknown%?a=%unknown%'), '/%unknown%?a=%unknown%')
  assert.equal(
    fillHtml(sanitiseHtml('<p title="?%name%">?%name% href="?%name%"</p><img src="/i?%name%">'), { name: 'A&B' }),
    '<p title="?A&amp;B">?A&amp;B href="?A&amp;B"</p><img src="/i?A%26B" />',
  )
})

test('a field is filled in whatever its name is made of, in a text and in an attribute', () => {
  const names = [`a"b`, `it's`, 'a<b', 'R&D', 'x>y', '&amp;', '&lt;b>', `&quot;"'&#39;`, 'a&nbsp;b', 'größe 🎈']
  const anything = fc.string({ unit: fc.constantFrom(...`"'<>&;#aq `), minLength: 1, maxLength: 12 })
  const written = (name: string) => name.replaceAll(/[&<>"]/g, (letter) => `&#${letter.charCodeAt(0)};`)
  const check = (name: string) => {
    const template = sanitiseHtml(`<p title="%${written(name)}%">%${written(name)}%</p>`)
    assert.equal(fillHtml(template, { [name]: 'Q' }), '<p title="Q">Q</p>', name)
  }
  for (const name of names) check(name)
  fc.assert(fc.property(anything, check), { numRuns: 300 })
})

test('however often a template names an answer, what comes out has an end', () => {
  const template = sanitiseHtml('%a%'.repeat(6000))
  const filled = fillHtml(template, { a: '&'.repeat(20_000) })
  assert.ok(filled.length <= 50_000, String(filled.length))
})
