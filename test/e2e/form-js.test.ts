// form.js in a browser, on a page of another origin, against the real service: people fill in forms, and what
// they wrote is with the owner.
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { AT_ONCE, openWholeBrowser } from '../support/browser.ts'
import { openFormWorld } from '../support/form-pages.ts'
import { eventually } from '../support/site.ts'
import { untilEqual, untilMatch } from '../support/until.ts'

const startFormPages = await openFormWorld({ after })
/** Has plugins, as the browsers of people have: one without them is a little like a robot. */
const persons = await openWholeBrowser({ after })

const contact = (key: string, more = ''): string => `<form data-footfall="${key}" ${more}>
  <label>Name <input name="name" required autocomplete="name"></label>
  <label for="e">E-mail</label> <input id="e" name="email" type="email" required autocomplete="email">
  <label for="m">Message</label> <textarea id="m" name="message" minlength="10"></textarea>
  <button>Send</button>
</form>`

interface Box {
  getBoundingClientRect(): { left: number; top: number; width: number; height: number }
}

/** Of an element: whether it is there to be clicked on, and what of it is to be seen. */
function sightOf(element: Box): { isHit: boolean; clipPath: string } {
  const page = globalThis as unknown as {
    document: { elementFromPoint(x: number, y: number): unknown }
    getComputedStyle(of: Box): { clipPath: string }
  }
  const { left, top, width, height } = element.getBoundingClientRect()
  const isHit = page.document.elementFromPoint(left + width / 2, top + height / 2) === element
  return { isHit, clipPath: page.getComputedStyle(element).clipPath }
}

const MESSAGE = 'I would like to know what the smaller one costs,\nand whether it comes in green. Many thanks!'

describe('side by side', { concurrency: AT_ONCE }, () => {
  test('a form with a redirect leads there once it is sent', async (t) => {
    const { open, create, site } = await startFormPages(t, persons)
    const form = await create({ redirect_url: `${site.url}/?thanks` })
    const { page } = await open(contact(form.key))
    await page.fill('[name=name]', 'Ada')
    await page.fill('[name=email]', 'ada@example.com')
    await page.click('button')
    await page.waitForURL(/\?thanks$/)
  })

  test('what a person types is stored as it was typed, clean, with the words of thanks in place of the form and the focus on them', async (t) => {
    const { open, create, sent, site } = await startFormPages(t, persons)
    const form = await create({ success_html: '<p>Thank you, %name%.</p>' })
    const { page, errors, events } = await open(contact(form.key))
    await page.click('[name=name]')
    await page.keyboard.type('Ada & <b>Bob</b>', { delay: 12 })
    await page.click('[name=email]')
    await page.keyboard.type('ada@example.com', { delay: 12 })
    await page.click('[name=message]')
    await page.keyboard.type(MESSAGE, { delay: 12 })
    await page.click('button')
    const done = page.locator('.footfall-success')
    await done.waitFor()
    assert.equal(await done.textContent(), 'Thank you, Ada & <b>Bob</b>.')
    await untilEqual(() => page.evaluate('document.activeElement.className'), 'footfall-success')
    await untilEqual(() => page.locator('form').count(), 0)
    await untilEqual(events, ['ready', 'success'])
    const [submission, ...others] = await sent(form)
    assert.equal(others.length, 0)
    assert.ok(submission)
    assert.deepEqual(submission.fields, { name: 'Ada & <b>Bob</b>', email: 'ada@example.com', message: MESSAGE })
    assert.deepEqual([submission.verdict, submission.reasons], ['clean', []])
    assert.equal(submission.source, `${new URL(site.url).host}/form`)
    assert.match(submission.lib, /^form\/\d/)
    assert.deepEqual(errors, [])
  })

  test('with the keyboard alone a form is filled in and sent, and never is the focus where nothing can be seen', async (t) => {
    const { open, create, sent } = await startFormPages(t, persons)
    const form = await create()
    const { page } = await open(contact(form.key))
    const stops: unknown[] = []
    const tab = async (): Promise<void> => {
      await page.keyboard.press('Tab')
      stops.push(await page.evaluate('document.activeElement.name || document.activeElement.tagName'))
    }
    await page.waitForSelector('.footfall-branding')
    await tab()
    await page.keyboard.type('Ada', { delay: 10 })
    await tab()
    await page.keyboard.type('ada@example.com', { delay: 10 })
    await tab()
    await page.keyboard.type(MESSAGE, { delay: 10 })
    await tab()
    await tab()
    assert.deepEqual(stops, ['name', 'email', 'message', 'BUTTON', 'A']) // the honeypot is not among them
    await page.keyboard.press('Shift+Tab')
    await page.keyboard.press('Enter')
    await page.waitForSelector('.footfall-success')
    const [submission] = await sent(form)
    assert.deepEqual([submission?.verdict, submission?.fields['message']], ['clean', MESSAGE])
  })

  test('autofill, which presses no key, is a person; a browser that says it is driven is scored for it', async (t) => {
    const { open, create, sent } = await startFormPages(t, persons)
    const form = await create()
    const autofill = async (isDriven: boolean, name: string): Promise<void> => {
      const { page } = await open(contact(form.key), {
        before: async (context) => {
          if (isDriven)
            await context.addInitScript('Object.defineProperty(navigator, "webdriver", { get: () => true })')
        },
      })
      await page.waitForSelector('.footfall-branding')
      await page.fill('[name=name]', name)
      await page.fill('[name=email]', 'ada@example.com')
      await page.click('button')
      await page.waitForSelector('.footfall-success')
    }
    await autofill(false, 'Ada Lovelace')
    await autofill(true, 'Bob Smith')
    const [one, two] = await sent(form)
    assert.equal(one?.verdict, 'clean')
    const isDriven = one?.reasons.some(({ reason }) => reason === 'webdriver')
    assert.deepEqual([isDriven, two?.reasons[0]?.reason], [false, 'webdriver'])
  })

  test('the honeypot is nothing to people and assistive technology, and who fills it in is refused', async (t) => {
    const { open, create, sent } = await startFormPages(t)
    const form = await create()
    const { page, events } = await open(
      `<style>* { position: static !important; display: block !important; left: 0 !important }</style>${contact(form.key)}`,
    )
    await page.waitForSelector('.footfall-branding')
    const trap = page.locator('form input[aria-hidden=true]')
    assert.deepEqual(await trap.evaluate(sightOf), { isHit: false, clipPath: 'inset(50%)' })
    assert.deepEqual(
      await trap.evaluate((input: { tabIndex: number; autocomplete: string }) => [input.tabIndex, input.autocomplete]),
      [-1, 'off'],
    )
    const tree = await page.locator('body').ariaSnapshot()
    assert.doesNotMatch(tree, /extra_/)
    assert.equal((tree.match(/textbox/g) ?? []).length, 3)
    await page.fill('[name=name]', 'Ada')
    await page.fill('[name=email]', 'ada@example.com')
    await trap.evaluate((input: { value: string }) => (input.value = 'https://spam.example'))
    await page.click('button')
    await page.waitForSelector('[role=alert]')
    await untilEqual(events, ['ready', 'error'])
    assert.deepEqual(await sent(form), [])
    assert.equal(await page.inputValue('[name=name]'), 'Ada')
    // What filled it in may have been a tool of a person's: once more is fine.
    await page.click('button')
    await page.waitForSelector('.footfall-success')
    assert.equal((await sent(form)).length, 1)
  })

  test('faults are said next to the field once it is left, to screen readers too, and go when they are put right', async (t) => {
    const { open, create, sent } = await startFormPages(t)
    const form = await create()
    const { page, events } = await open(`<form data-footfall="${form.key}">
    <label for="n">Name</label> <input id="n" name="name" required data-message="Who are you?">
    <label for="c">Code</label> <input id="c" name="code" pattern="[A-Z]{2}" aria-describedby="hint"> <i id="hint">two letters</i>
    <label for="p">Phone</label> <input id="p" name="phone" data-rules="phone max_length[12] regex[^[+0-9 ]+$]" data-message="A number, please.">
    <label>Mail <input name="mail" type="email"></label>
    <fieldset><legend>Size</legend><label><input type="radio" name="size" value="s" required> S</label>
    <label><input type="radio" name="size" value="m" required> M</label></fieldset>
    <button>Send</button></form>`)
    const noteOf = async (name: string): Promise<string> => {
      const ids = await page.locator(`[name=${name}]`).first().getAttribute('aria-describedby')
      const id = ids?.split(' ').at(-1)
      return id?.startsWith('footfall') ? ((await page.textContent(`#${id}`)) ?? '') : ''
    }
    const isInvalid = (name: string): Promise<string | null> =>
      page.locator(`[name=${name}]`).first().getAttribute('aria-invalid')
    await page.waitForSelector('.footfall-branding')
    await page.focus('#n')
    await page.focus('#c')
    await untilEqual(() => noteOf('name'), 'Who are you?')
    await untilEqual(() => isInvalid('name'), 'true')
    // A field that nobody has been in is left in peace.
    assert.deepEqual([await noteOf('code'), await isInvalid('code'), await noteOf('size')], ['', null, ''])
    await page.fill('#n', 'Ada')
    await untilEqual(() => noteOf('name'), '')
    await untilEqual(() => isInvalid('name'), 'false')
    // A rule that the browser does not know is the service's to check.
    await page.fill('#p', 'call me')
    await page.focus('#c')
    await untilMatch(() => noteOf('phone'), /^A number, please\./)
    await page.fill('#p', '+41 31 555')
    await page.focus('#c')
    await untilEqual(() => noteOf('phone'), '')
    assert.deepEqual(await sent(form), []) // nothing of that is kept
    // All at once when it is sent, and the first one has the focus.
    await page.fill('#c', 'ab')
    await page.fill('[name=mail]', 'not an address')
    await page.click('button')
    await untilEqual(() => page.evaluate('document.activeElement.name'), 'code')
    await untilEqual(events, ['ready', 'invalid'])
    assert.equal(
      await page.getAttribute('#c', 'aria-describedby'),
      `hint ${await page.locator('.footfall-note[role=alert]').evaluateAll((notes: { id: string; textContent: string }[]) => notes.find(({ textContent }) => /format/.test(textContent))?.id)}`,
    )
    assert.deepEqual(
      [await isInvalid('mail'), await isInvalid('size'), await isInvalid('name')],
      ['true', 'true', 'false'],
    )
    // No note is part of what a control is called.
    assert.equal(await page.getByRole('textbox', { name: 'Mail', exact: true }).count(), 1)
    assert.deepEqual(await sent(form), [])
  })

  test('every kind of control is sent as a browser would: lists, boxes, disabled ones, those elsewhere on the page, the button', async (t) => {
    const { open, create, sent } = await startFormPages(t)
    const form = await create()
    const { page } = await open(`<form id="f" data-footfall="${form.key}" data-source="the shop">
    <input name="constructor" value="own">
    <input name="submit" value="a field called submit">
    <input name="action" value="a field called action">
    <input type="hidden" name="ref" value="42">
    <select name="one"><option>a<option selected>b</select>
    <select name="many" multiple><option selected>a<option>b<option selected>c</select>
    <select name="few" multiple><option selected>a<option>b</select>
    <input type="checkbox" name="news"> <input type="checkbox" name="terms" checked>
    <input type="checkbox" name="days" value="mo"> <input type="checkbox" name="days" value="tu" checked>
    <input type="radio" name="size" value="s"> <input type="radio" name="size" value="m" checked>
    <input name="town" list="towns"> <datalist id="towns"><option>Bern</datalist>
    <input name="amount" type="number" min="1" max="9" step="0.5" value="2.5"> <input name="day" type="date" value="2026-02-28">
    <input name="fixed" readonly value="as it is" required> <input name="off" disabled value="x" required>
    <fieldset disabled><input name="off2" value="x"></fieldset>
    <input value="no name"> <button type="button" name="b1" value="x">No</button> <output name="o">x</output>
    <button name="way" value="slow">Slow</button> <button name="way" value="fast">Fast</button></form>
    <textarea name="outside" form="f"></textarea>`)
    await page.waitForSelector('.footfall-branding')
    await page.fill('[name=outside]', 'far away')
    await page.fill('[name=town]', 'Bern')
    await page.click('text=Fast')
    await page.waitForSelector('.footfall-success')
    const [submission] = await sent(form)
    assert.ok(submission)
    assert.deepEqual(
      Object.fromEntries(submission.raw_fields.map(({ name, value }) => [name, value])),
      Object.fromEntries([
        ['constructor', 'own'],
        ['submit', 'a field called submit'],
        ['action', 'a field called action'],
        ['ref', '42'],
        ['one', 'b'],
        ['many', ['a', 'c']],
        ['few', ['a']],
        ['news', ''],
        ['terms', 'on'],
        ['days', ['tu']],
        ['size', 'm'],
        ['town', 'Bern'],
        ['amount', '2.5'],
        ['day', '2026-02-28'],
        ['fixed', 'as it is'],
        ['way', 'fast'],
        ['outside', 'far away'],
      ]),
    )
    assert.equal(submission.source, 'the shop')
  })

  test('two forms on a page, one of them put in later, are each their own; pressing twice sends once', async (t) => {
    const { open, create, sent } = await startFormPages(t)
    const [one, two] = [await create(), await create({ name: 'Second' })]
    const { page } = await open(contact(one.key))
    await page.evaluate((html) => {
      const { document } = globalThis as unknown as {
        document: { body: { insertAdjacentHTML(where: string, html: string): void } }
      }
      document.body.insertAdjacentHTML('beforeend', html)
    }, `<form id="late" data-footfall="${two.key}"><input name="only" required><button>Go</button></form>`)
    await page.waitForSelector('#late .footfall-branding')
    await page.fill('#late [name=only]', 'late')
    await page.fill('[name=name]', 'Ada')
    await page.fill('[name=email]', 'ada@example.com')
    await page.dblclick('#late button')
    await page.waitForSelector('.footfall-success')
    await page.click('text=Send')
    await eventually(
      () => page.locator('.footfall-success').count(),
      (count) => count === 2,
    )
    assert.deepEqual(
      (await sent(one)).map(({ fields }) => fields['name']),
      ['Ada'],
    )
    assert.deepEqual(
      (await sent(two)).map(({ fields }) => fields['only']),
      ['late'],
    )
  })
})
