// Managed forms, drawn by form.js from their blueprint: on pages that would spoil them, or allow next to
// nothing.
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import type { Locator } from 'playwright-core'
import { AT_ONCE } from '../support/browser.ts'
import { openFormWorld } from '../support/form-pages.ts'
import { eventually } from '../support/site.ts'
import { untilEqual, untilStill } from '../support/until.ts'

const startFormPages = await openFormWorld({ after })

const field = (name: string, type: string, more: object = {}) => ({ name, type, label: `The ${name}`, ...more })

const managed = {
  kind: 'managed',
  fields: [
    field('name', 'text', { placeholder: 'Ada', help: 'As on your passport', autocomplete: 'name', width: 'half' }),
    field('email', 'email', { width: 'half' }),
    field('message', 'textarea', { rows: 3 }),
    field('size', 'select', { options: ['s', 'm'], placeholder: 'Choose' }),
    field('way', 'radio', {
      options: [
        { value: 'f', label: 'Fast' },
        { value: 's', label: 'Slow' },
      ],
    }),
    field('days', 'checkbox', { options: ['mo', 'tu'] }),
    field('terms', 'checkbox'),
    field('rating', 'range', { value: '3' }),
    field('ref', 'hidden', { value: '42' }),
  ],
  validation: {
    name: { required: 'Who are you?' },
    email: { required: null },
    terms: { accepted: null },
    rating: { 'min[1]': null, 'max[5]': null },
  },
  button: { label: 'Order', busy_label: 'Ordering…' },
  header: { title: 'An order <b>', text: 'Two minutes.' },
  footer: { text: 'No spam.' },
  theme: { accent: '#ffee00', radius_px: 11, font: 'serif', density: 'compact' },
  website_theme: 'light',
  success_html: '<p>Ordered, %name%.</p>',
}

const hostile = `<style>
  * { all: unset !important; display: none !important; color: red !important; font-size: 3px !important }
  html, body, main, [data-footfall-form] { display: block !important; visibility: visible !important; text-transform: uppercase !important;
    font-family: cursive !important; letter-spacing: 9px !important }
</style>`

const stylesOf = (element: Locator, ...properties: string[]): Promise<string[]> =>
  element.evaluate((found, wanted) => {
    const scope = globalThis as unknown as { getComputedStyle(element: unknown): Record<string, string> }
    const styles = scope.getComputedStyle(found)
    return wanted.map((property) => styles[property] ?? '')
  }, properties)

const place = (key: string): string =>
  `<main><div data-footfall-form="${key}"><a href="mailto:us@example.com">Write</a></div></main>`

describe('side by side', { concurrency: AT_ONCE }, () => {
  test('a managed form is drawn as its owner defined it, whatever the styles of the page, and sent', async (t) => {
    const { open, create, sent } = await startFormPages(t)
    const form = await create(managed)
    const { page, errors, events } = await open(hostile + place(form.key))
    await page.getByRole('form', { name: 'An order <b>' }).waitFor()
    assert.equal(await page.getByRole('heading', { name: 'An order <b>' }).count(), 1)
    const name = page.getByRole('textbox', { name: 'The name *' })
    assert.deepEqual(await stylesOf(name, 'fontSize', 'fontFamily', 'borderRadius'), ['16px', 'serif', '11px'])
    const inherited = await stylesOf(page.getByText('Two minutes.'), 'letterSpacing', 'textTransform', 'fontSize')
    assert.deepEqual(inherited, ['normal', 'none', '16px'])
    const button = page.getByRole('button', { name: 'Order' })
    // Black is what can be read on yellow.
    const colours = await stylesOf(button, 'color', 'backgroundColor')
    assert.deepEqual(colours, ['rgb(0, 0, 0)', 'rgb(255, 238, 0)'])
    const description = await name.getAttribute('aria-describedby')
    assert.equal(await page.locator(`#${description}`).textContent(), 'As on your passport')
    assert.equal(await page.getByRole('group', { name: 'The way' }).getByRole('radio').count(), 2)
    assert.deepEqual(
      [await page.getByRole('slider').getAttribute('min'), await page.getByRole('slider').inputValue()],
      ['1', '3'],
    )
    await button.click()
    await page.getByText('Who are you?').waitFor()
    await untilEqual(() => name.getAttribute('aria-invalid'), 'true')
    const hasFocus = () =>
      name.evaluate(
        (input) =>
          (input as unknown as { getRootNode(): { activeElement: unknown } }).getRootNode().activeElement === input,
      )
    await untilEqual(hasFocus, true)
    await name.fill('Ada')
    await page.getByLabel('The email').fill('ada@example.com')
    await page.getByLabel('The message').fill('Two lines\nof text')
    await page.getByLabel('The size').selectOption('m')
    await page.getByLabel('Slow').check()
    await page.getByLabel('tu').check()
    await page.getByLabel('The terms').check()
    await button.click()
    await page.getByText('Ordered, Ada.').waitFor()
    const [submission] = await sent(form)
    assert.deepEqual(Object.fromEntries(submission?.raw_fields.map(({ name: key, value }) => [key, value]) ?? []), {
      name: 'Ada',
      email: 'ada@example.com',
      message: 'Two lines\nof text',
      size: 'm',
      way: 's',
      days: ['tu'],
      terms: 'on',
      rating: '3',
      ref: '42',
    })
    assert.equal(submission?.verdict, 'clean')
    await untilEqual(events, ['ready', 'invalid', 'success'])
    assert.deepEqual(errors, [])
  })

  test('a form without a colour of its own has that of Footfall, whatever the variables of the page are called', async (t) => {
    const { open, create } = await startFormPages(t)
    const form = await create({ ...managed, theme: { ...managed.theme, accent: null } })
    const variables = '<style>:root { --a: red; --t: 7px; --r: 99px; --g: 99px }</style>'
    const { page } = await open(variables + place(form.key))
    const button = page.getByRole('button', { name: 'Order' })
    await button.waitFor()
    const styles = await stylesOf(button, 'color', 'backgroundColor', 'borderRadius')
    assert.deepEqual(styles, ['rgb(255, 255, 255)', 'rgb(11, 87, 208)', '11px'])
  })

  test('where colours are forced (high contrast), a button has an edge to be known by', async (t) => {
    const { open, create } = await startFormPages(t)
    const form = await create(managed)
    const { page } = await open(place(form.key))
    const button = page.getByRole('button', { name: 'Order' })
    await button.waitFor()
    await page.emulateMedia({ forcedColors: 'active' })
    await untilEqual(() => stylesOf(button, 'borderTopWidth'), ['1px'])
    await untilStill(page)
    const [width, colour, ground] = await stylesOf(button, 'borderTopWidth', 'borderTopColor', 'backgroundColor')
    assert.equal(width, '1px')
    assert.match(colour ?? '', /^rgb\(/) // not transparent
    assert.notEqual(colour, ground)
  })

  test('a page whose policy allows nothing but the service has its forms, with their styles', async (t) => {
    const { open, create, sent, footfall } = await startFormPages(t)
    const [plain, drawn] = [await create({ branding: false }), await create(managed)]
    const policy = `default-src 'none'; script-src ${footfall.url}; connect-src ${footfall.url}; form-action 'none'; base-uri 'none'`
    const { page, errors } = await open(
      `<form data-footfall="${plain.key}"><input name="only"><button>Go</button></form>${place(drawn.key)}`,
      { headers: { 'content-security-policy': policy } },
    )
    const button = page.getByRole('button', { name: 'Order' })
    await button.waitFor()
    assert.equal(
      await button.evaluate(
        (element) =>
          (globalThis as unknown as { getComputedStyle(element: unknown): Record<string, string> }).getComputedStyle(
            element,
          )['backgroundColor'],
      ),
      'rgb(255, 238, 0)',
    )
    const trap = page.locator('form >> input[aria-hidden]').first()
    assert.deepEqual(await stylesOf(trap, 'clipPath'), ['inset(50%)'])
    await page.fill('[name=only]', 'one')
    await page.click('text=Go')
    await page.waitForSelector('.footfall-success')
    assert.equal((await sent(plain)).length, 1)
    assert.equal(await page.locator('body > .footfall-branding').count(), 0)
    assert.deepEqual(errors, [])
  })

  test('a form behind a button opens a dialog that has its name, and Escape closes it', async (t) => {
    const { open, create, sent } = await startFormPages(t)
    const form = await create({ ...managed, form_type: 'popup' })
    const { page } = await open(place(form.key))
    await page.getByRole('button', { name: 'An order <b>' }).click()
    const dialog = page.getByRole('dialog', { name: 'An order <b>' })
    await dialog.waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })
    await page.getByRole('button', { name: 'An order <b>' }).click()
    await dialog.getByLabel('The name').fill('Ada')
    await dialog.getByLabel('The email').fill('ada@example.com')
    await dialog.getByLabel('The terms').check()
    await dialog.getByRole('button', { name: 'Order', exact: true }).click()
    await dialog.getByText('Ordered, Ada.').waitFor()
    assert.equal((await sent(form)).length, 1)
  })

  test('steps are filled in one after another, in the language of the visitor; a fault leads back to its step', async (t) => {
    const { open, create, sent } = await startFormPages(t)
    const fields = [
      field('name', 'text', { step: 'You' }),
      field('email', 'email', { step: 'Where we write' }),
      field('message', 'textarea', { step: 'Your wish' }),
    ]
    const validation = { name: { required: null, 'regex[^[A-Z]]': 'With a capital.' }, email: { required: null } }
    const form = await create({ ...managed, fields, validation, language: 'de' })
    const { page, errors } = await open(place(form.key))
    const [name, email, message] = ['The name *', 'The email *', 'The message'].map((label) => page.getByLabel(label))
    const heading = (words: string) => page.getByRole('heading', { name: words, exact: true })
    const [next, back] = [page.getByRole('button', { name: 'Weiter' }), page.getByRole('button', { name: 'Zurück' })]
    assert.ok(name && email && message)
    await heading('1/3 You').waitFor()
    assert.deepEqual([await email.isVisible(), await back.isVisible()], [false, false])
    // What is missing is said before the next step; Enter goes there as the button does.
    await next.click()
    await name.and(page.locator(':invalid')).waitFor()
    assert.equal(await email.isVisible(), false)
    await name.fill('ada')
    await name.press('Enter')
    await heading('2/3 Where we write').and(page.locator(':focus')).waitFor()
    await back.click()
    await heading('1/3 You').waitFor()
    await next.click()
    await email.fill('ada@example.com')
    await next.click()
    await message.fill('A lamp')
    const order = page.getByRole('button', { name: 'Order' })
    await order.click()
    // Only the service knows its rule.
    await page.getByText('With a capital.').waitFor()
    await heading('1/3 You').waitFor()
    await name.and(page.locator(':focus')).waitFor()
    await name.fill('Ada')
    await untilEqual(() => name.getAttribute('aria-invalid'), 'false')
    await next.click()
    await next.click()
    await order.click()
    await page.getByText('Ordered, Ada.').waitFor()
    assert.equal((await sent(form)).length, 1)
    assert.deepEqual(errors, [])
  })

  test('where a managed form cannot be drawn, what stood there stays', async (t) => {
    const { open, create } = await startFormPages(t)
    const form = await create({ ...managed, is_published: false })
    const warnings: string[] = []
    const { page } = await open(place(form.key), {
      before: async (context) => {
        context.on('console', (message) => message.type() === 'warning' && warnings.push(message.text()))
      },
    })
    await eventually(async () => warnings.length, Boolean)
    assert.match(warnings[0] ?? '', /^Footfall: The form is not published\./)
    await page.getByRole('link', { name: 'Write' }).waitFor()
  })
})
