// form.js on pages that are not made for it: that disable, veto and redraw as they like, or forbid what it
// needs.
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { AT_ONCE } from '../support/browser.ts'
import { isAway, openFormWorld, simple } from '../support/form-pages.ts'
import { eventually, openSite, pause } from '../support/site.ts'
import { untilEqual } from '../support/until.ts'

const startForm = await openFormWorld({ after })
const managed = { kind: 'managed', fields: [{ name: 'name', type: 'text', label: 'Name' }] }

describe('side by side', { concurrency: AT_ONCE }, () => {
  test('what is stored is what stood there when it was sent, though the page disables it right after', async (t) => {
    const { fill, sent } = await startForm(t)
    const { form, page } = await fill(
      (
        key,
      ) => `<form data-footfall="${key}"><fieldset><input name="who"><input name="more" value="1"></fieldset><button>Send</button></form>
      <script>document.forms[0].addEventListener('submit', () =>
        setTimeout(() => { document.querySelector('fieldset').disabled = true }))</script>`,
      {
        before: (context) =>
          context.route('**/init', async (route) => {
            await pause(500)
            await route.continue()
          }),
      },
    )
    await page.click('button')
    await page.waitForSelector('.footfall-success')
    assert.deepEqual((await sent(form))[0]?.fields, { who: 'Ada', more: '1' })
  })

  test('a page that says no, wherever it listens, is obeyed', async (t) => {
    const { fill, sent } = await startForm(t)
    const veto = '(event) => { event.preventDefault(); window.vetoed = 1 }'
    for (const script of [
      `document.addEventListener('submit', ${veto})`,
      `addEventListener('DOMContentLoaded', () => document.forms[0].addEventListener('submit', ${veto}))`,
    ]) {
      const { form, page, events } = await fill((key) => `${simple(key)}<script>${script}</script>`)
      await page.click('button')
      await untilEqual(() => page.evaluate('window.vetoed'), 1)
      await pause(300)
      assert.deepEqual([await sent(form), await page.inputValue('[name=who]'), await events()], [[], 'Ada', ['ready']])
      await page.context().close()
    }
  })

  test('a page that disables its form when it is sent still gets it to its action when the service is away', async (t) => {
    const { fill, site } = await startForm(t)
    for (const what of ['button', 'fieldset']) {
      const { page } = await fill(
        (
          key,
        ) => `<form data-footfall="${key}" action="/taken"><fieldset><input name="who"></fieldset><button name="way" value="fast">Send</button></form>
        <script>document.forms[0].addEventListener('submit', () => setTimeout(() => { document.querySelector('${what}').disabled = true }), { once: true })</script>`,
        isAway,
      )
      await page.click('button')
      await page.waitForURL(`${site.url}taken?who=Ada&way=fast`)
      await page.context().close()
    }
  })

  test('a service that is too busy to open a form has not opened it: nothing is furnished, and the next press may do', async (t) => {
    const { fill, sent, site } = await startForm(t)
    let isBusy = true
    const { form, page, events } = await fill((key) => simple(key, 'action="/taken"'), {
      before: (context) =>
        context.route('**/init', (route) =>
          isBusy
            ? route.fulfill({
                status: 503,
                headers: { 'access-control-allow-origin': '*' },
                json: { code: 503, status: 'Error', error_code: 'unavailable', message: 'busy' },
              })
            : route.continue(),
        ),
    })
    await page.click('button')
    await eventually(events, (heard) => heard.length > 0)
    await page.waitForSelector('[role=alert]')
    assert.deepEqual(
      [await events(), await page.locator('form [aria-hidden], .footfall-branding').count()],
      [['error'], 0],
    )
    assert.deepEqual([page.url(), await page.locator('[role=alert]').count()], [`${site.url}form`, 1])
    isBusy = false
    await page.click('button')
    await page.waitForSelector('.footfall-success')
    await untilEqual(events, ['error', 'ready', 'success'])
    assert.equal((await sent(form))[0]?.fields['who'], 'Ada')
  })

  test('elements of the page that take part in forms, and what is put in as they are sent, are sent as well', async (t) => {
    const { fill, sent } = await startForm(t)
    const { form, page } = await fill(
      (
        key,
      ) => `<form data-footfall="${key}"><input name="who"><my-field name="colour"></my-field><button>Send</button></form><script>
      class Field extends HTMLElement {
        static formAssociated = true
        constructor() { super(); this.attachInternals().setFormValue('red') }
      }
      customElements.define('my-field', Field)
      document.forms[0].addEventListener('formdata', ({ formData }) => {
        formData.append('rich', 'text'); formData.append('tags', ''); formData.append('tags', 'b')
      })</script>`,
    )
    await page.click('button')
    await page.waitForSelector('.footfall-success')
    const [submission] = await sent(form)
    assert.deepEqual(Object.fromEntries(submission?.raw_fields.map(({ name, value }) => [name, value]) ?? []), {
      who: 'Ada',
      colour: 'red',
      rich: 'text',
      tags: ['', 'b'],
    })
  })

  test('a page that has the script twice has each form once', async (t) => {
    const { create, open, sent, footfall } = await startForm(t)
    const [form, drawn] = [await create(), await create(managed)]
    const inits: string[] = []
    const { page, errors, events } = await open(
      `<script defer src="${footfall.url}/form.js?2"></script>${simple(form.key)}<div data-footfall-form="${drawn.key}">x</div>`,
      {
        before: async (context) => {
          context.on('request', (request) => request.url().endsWith('/init') && inits.push(request.url()))
        },
      },
    )
    await page.fill('[name=who]', 'Ada')
    await page.waitForSelector('input[name=name]')
    await eventually(events, (heard) => heard.length > 1)
    assert.equal(inits.length, 2)
    await untilEqual(() => page.locator('form[data-footfall] .footfall-branding').count(), 1)
    await page.click('form[data-footfall] button')
    await page.waitForSelector('.footfall-success')
    assert.deepEqual([(await sent(form)).length, errors], [1, []])
  })

  test('where the page takes no HTML of a script, the thanks are text, and what cannot be drawn leaves what stood there', async (t) => {
    const { create, open, sent } = await startForm(t)
    const [form, drawn] = [await create({ success_html: '<p>Thank <b>you</b>.</p>' }), await create(managed)]
    const { page, errors } = await open(`${simple(form.key)}<div data-footfall-form="${drawn.key}">stood</div>`, {
      headers: { 'content-security-policy': "require-trusted-types-for 'script'" },
    })
    await page.fill('[name=who]', 'Ada')
    await page.click('button')
    await page.waitForSelector('[role=alert], .footfall-success')
    assert.equal((await sent(form)).length, 1)
    assert.equal(await page.locator('text=Not sent').count(), 0)
    await untilEqual(() => page.locator('text=Sent.').count(), 1)
    await page.evaluate("document.body.append('more')")
    assert.equal(await page.textContent('[data-footfall-form]'), 'stood')
    assert.deepEqual(
      errors.filter((text) => !text.includes('TrustedScriptURL')),
      [],
    )
  })

  test('an element that can have no shadow root keeps what stands in it, and the console says so', async (t) => {
    const { create, open } = await startForm(t)
    const form = await create(managed)
    const warnings: string[] = []
    const { page, errors } = await open(`<ul data-footfall-form="${form.key}"><li>stood</ul>`, {
      before: async (context) => {
        context.on('console', (message) => message.type() === 'warning' && warnings.push(message.text()))
      },
    })
    await eventually(async () => warnings.length, Boolean)
    assert.match(warnings[0] ?? '', /^Footfall: .*attachShadow/)
    assert.deepEqual([await page.textContent('li'), errors], ['stood', []])
  })

  test('an error of the script itself is told to the owner, once, and neither the page nor its visitor hears of it', async (t) => {
    const { create, open, sent, footfall, property } = await startForm(t)
    const form = await create()
    const { page, errors } = await open(
      `<script>delete window.IntersectionObserver</script>${simple(form.key)}${simple(form.key, 'id="second"')}`,
      { attributes: `data-key="${property.key}"` },
    )
    const told = () => footfall.call('GET', `/manage/properties/${property.id}/lib-errors`)
    const { json } = await eventually(told, (answer) => answer.json.data.total > 0)
    assert.match(JSON.stringify(json.data.data), /"form\/1\.2\.0 ReferenceError/)
    await page.fill('#second [name=who]', 'Ada')
    await page.click('#second button')
    await page.waitForSelector('.footfall-success')
    assert.equal((await sent(form)).length, 1)
    assert.deepEqual([(await told()).json.data.data[0].count, errors], [1, []])
  })

  test('no page gets wider for it, in whichever direction it is written', async (t) => {
    const { create, open } = await startForm(t)
    const form = await create()
    for (const dir of ['ltr', 'rtl'])
      for (const css of ['', 'transform:translateZ(0)']) {
        const { page } = await open(
          `<style>input { min-width: 300px; display: block; left: 5000px }</style>
        <script>document.documentElement.dir = '${dir}'</script><div style="${css}">${simple(form.key)}</div>`,
        )
        await page.waitForSelector('form input[aria-hidden]', { state: 'attached' })
        await untilEqual(() => page.evaluate('[document.documentElement.scrollWidth, innerWidth]'), [1280, 1280])
        await page.context().close()
      }
  })

  test('a field that the page draws anew gets its note anew', async (t) => {
    const { fill } = await startForm(t)
    const { page } = await fill(
      (key) => `<form data-footfall="${key}"><div><input name="who" required></div><button>Send</button></form>`,
    )
    for (const name of ['one', 'two']) {
      await page.evaluate("document.querySelector('form div').innerHTML = '<input name=who required>'")
      await page.click('button')
      await page.waitForSelector('.footfall-note')
      const isDescribed = async (): Promise<boolean> => {
        const described = await page.getAttribute('[name=who]', 'aria-describedby')
        return described?.trim() === (await page.getAttribute('.footfall-note', 'id'))
      }
      await untilEqual(isDescribed, true, name)
    }
    await page.evaluate("document.querySelector('input[name=who]').outerHTML = '<input name=who required>'")
    await page.click('button')
    await page.waitForSelector('[name=who][aria-describedby]')
    await untilEqual(() => page.locator('.footfall-note').count(), 1)
  })

  test('notes have a look where the script is asked for it, under any policy of styles, and nowhere else', async (t) => {
    const { create, open, footfall } = await startForm(t)
    const form = await create()
    const html = `<form data-footfall="${form.key}"><input name="who" required><button>Send</button></form>`
    const policy = `default-src 'none'; script-src ${footfall.url}; connect-src ${footfall.url}`
    const strict = { 'content-security-policy': policy }
    const lookOf = async (attributes: string, style = '') => {
      const given = style === '' ? { headers: strict, attributes } : { attributes }
      const { page, errors } = await open(html + style, given)
      await page.locator('button').click()
      await page.locator('.footfall-note').waitFor()
      const read = () =>
        page.evaluate<{ color: string; border: string; sign: boolean; display: string }>(`(() => {
          const note = document.querySelector('.footfall-note')
          const { color, display } = getComputedStyle(note)
          const border = getComputedStyle(document.querySelector('input')).borderTopColor
          return { color, border, sign: getComputedStyle(note, '::before').content.startsWith('"!"'), display }
        })()`)
      if (attributes !== '') await eventually(read, ({ sign }) => sign)
      assert.deepEqual(errors, [])
      const seen = await read()
      await page.context().close()
      return seen
    }
    const red = { color: 'rgb(179, 38, 30)', border: 'rgb(179, 38, 30)', sign: true, display: 'block' }
    assert.deepEqual(await lookOf('data-style'), red)
    const plain = await lookOf('')
    assert.deepEqual([plain.color, plain.sign, plain.display], ['rgb(0, 0, 0)', false, 'inline'])
    const light = await lookOf('data-style', '<style>:root{color-scheme:dark}</style>')
    assert.equal(light.color, 'rgb(255, 156, 147)', 'in a dark page')
    const own = await lookOf(
      'data-style',
      '<style>:root{--footfall-error:#00f}form .footfall-note{display:flex}</style>',
    )
    assert.deepEqual(own, { color: 'rgb(0, 0, 255)', border: 'rgb(0, 0, 255)', sign: true, display: 'flex' })
  })

  test('a copy of a form, as Turbo puts in its place on the way back, is a form like the first one', async (t) => {
    const { open, create, sent } = await startForm(t)
    const form = await create()
    const { page, events } = await open(
      `<form data-footfall="${form.key}"><input name="who" required><button>Send</button></form>`,
    )
    await page.waitForSelector('.footfall-branding')
    await page.click('button')
    const said = await page.textContent('.footfall-note')
    for (const times of [2, 3]) {
      await page.evaluate('document.forms[0].replaceWith(document.forms[0].cloneNode(true))')
      await eventually(events, (heard) => heard.filter((name) => name === 'ready').length === times)
    }
    await untilEqual(() => page.locator('.footfall-branding').count(), 1)
    await page.click('button')
    await eventually(events, (heard) => heard.filter((name) => name === 'invalid').length === 2)
    await untilEqual(() => page.locator('.footfall-note').allTextContents(), [said ?? ''])
    await page.fill('[name=who]', 'Ada')
    await page.click('button')
    await page.waitForSelector('.footfall-success')
    assert.equal((await sent(form)).length, 1)
  })

  test('where scripts are known by a nonce alone, what is loaded later has that of the tag', async (t) => {
    const { open, create, sent, footfall } = await startForm(t)
    const [form, drawn] = [await create(), await create(managed)]
    const policy = `default-src 'none'; script-src 'nonce-n0'; connect-src ${footfall.url}`
    const { page, errors } = await open(`${simple(form.key)}<div data-footfall-form="${drawn.key}">x</div>`, {
      headers: { 'content-security-policy': policy },
      attributes: 'nonce="n0"',
    })
    await page.waitForSelector('input[name=name]')
    await page.fill('[name=who]', 'Ada')
    await page.click('form[data-footfall] button')
    await page.waitForSelector('.footfall-success')
    assert.deepEqual([(await sent(form))[0]?.fields['who'], errors], ['Ada', []])
  })

  test('a form in a frame of another site is sent for its own', async (t) => {
    const { open, create, sent, site } = await startForm(t)
    const form = await create()
    const { page } = await open(simple(form.key))
    const around = await openSite(t, { '/': { html: `<iframe src="${site.url}form"></iframe>` } }, 'localhost')
    await page.goto(around.url)
    const frame = page.frameLocator('iframe')
    await frame.locator('[name=who]').fill('Ada')
    await frame.locator('button').click()
    await frame.locator('.footfall-success').waitFor()
    assert.deepEqual(
      (await sent(form)).map(({ fields, source }) => [fields['who'], source]),
      [['Ada', `${new URL(site.url).host}/form`]],
    )
  })

  test('whoever writes on in a field is not asked about it at every pause', async (t) => {
    const { open, create } = await startForm(t)
    const form = await create()
    const asked: string[] = []
    const { page } = await open(simple(form.key), {
      before: async (context) => {
        context.on('request', (request) => request.url().endsWith('/validate') && asked.push(request.url()))
      },
    })
    await page.focus('[name=who]')
    await page.keyboard.type('Ada')
    await page.focus('button')
    await eventually(
      async () => asked.length,
      (count) => count > 0,
    )
    await page.focus('[name=who]')
    for (const word of ['one ', 'two ', 'three ']) {
      await page.keyboard.type(word)
      await pause(400)
    }
    assert.equal(asked.length, 1)
  })
})
