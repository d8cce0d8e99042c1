// form.js and what strangers have written: keys, tokens, names, texts. None of it leads anywhere, runs, or is
// lost.
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { AT_ONCE } from '../support/browser.ts'
import { openFormWorld, simple } from '../support/form-pages.ts'
import { hostileAnswers, hostileHtml } from '../support/hostile-html.ts'
import { intercept } from '../support/intercept.ts'
import { eventually, pause } from '../support/site.ts'
import { untilEqual, untilMatch } from '../support/until.ts'

const startForm = await openFormWorld({ after })
const managed = { kind: 'managed', fields: [{ name: 'name', type: 'text', label: 'Name' }] }

describe('side by side', { concurrency: AT_ONCE }, () => {
  test('a key, or a token, is no path: nothing but the service is asked, and only web addresses become links', async (t) => {
    const { open, site } = await startForm(t)
    const asked: string[] = []
    // What users of the site may upload.
    site.pages.set('/uploads/init.json', {
      html: JSON.stringify({
        error_type: false,
        token: '../../../uploads/process.json?',
        hp: 'hp',
        branding: 'Sent by x',
        branding_link: 'javascript:window.owned=2',
      }),
    })
    site.pages.set('/uploads/process.json', {
      html: JSON.stringify({ validated: true, ty: '<img src=x onerror="window.owned=1">', original: {} }),
    })
    const hostile = '../../../uploads/init.json?'
    const { page } = await open(`${simple(hostile)}<div data-footfall-form="${hostile}">old</div>`, {
      attributes: `data-base="${site.url}stats"`,
      before: async (context) => {
        context.on('request', (request) => asked.push(new URL(request.url()).pathname))
      },
    })
    await page.fill('[name=who]', 'Ada')
    await page.click('button')
    await page.waitForSelector('[role=alert]')
    assert.equal(await page.evaluate('window.owned'), undefined)
    assert.deepEqual(
      asked.filter((path) => path.startsWith('/uploads')),
      [],
    )
    // The answer of a service that has been tampered with.
    await intercept(page, '**/init', (route) =>
      route.fulfill({
        headers: { 'access-control-allow-origin': '*' },
        json: {
          error_type: false,
          token: '../../x',
          hp: 'hp',
          branding: 'by',
          branding_link: 'javascript:window.owned=2',
        },
      }),
    )
    await page.click('button')
    await eventually(
      async () => asked.filter((path) => path.endsWith('/process')),
      (paths) => paths.length > 0,
    )
    assert.deepEqual(
      asked.filter((path) => path.endsWith('/process')),
      ['/stats/v2/form/..%2F..%2Fx/process'],
    )
    assert.equal(await page.locator('[href^="javascript"]').count(), 0)
  })

  test('controls may be called as they like', async (t) => {
    const { fill, sent } = await startForm(t)
    const names =
      'elements dataset addEventListener append setAttribute dispatchEvent replaceWith constructor toString action noValidate toggleAttribute method matches reportValidity'
    const inputs = names.split(' ').map((name) => `<input name="${name}" value="v">`)
    const { form, page, errors, events } = await fill(
      (key) =>
        `<form data-footfall="${key}"><input name="who" required>${inputs.join('')}<button id="b">Send</button></form>`,
    )
    // Each of them is left once, and asked about.
    for (const name of names.split(' ')) await page.focus(`[name=${name}]`)
    await page.fill('[name=who]', '')
    await page.click('#b')
    await page.waitForSelector('.footfall-note')
    await page.fill('[name=who]', 'Ada')
    await page.click('#b')
    await page.waitForSelector('.footfall-success')
    const fields = (await sent(form))[0]?.raw_fields ?? []
    assert.deepEqual(
      Object.fromEntries(fields.map(({ name, value }) => [name, value])),
      Object.fromEntries([['who', 'Ada'], ...names.split(' ').map((name) => [name, 'v'])]),
    )
    await untilEqual(events, ['ready', 'invalid', 'success'])
    assert.deepEqual(errors, [])
  })

  test('a long text is sent; one that is too long is said to be, and stays', async (t) => {
    const { fill, sent } = await startForm(t)
    const { form, page } = await fill(
      (key) =>
        `<form data-footfall="${key}"><input name="who"><textarea name="t"></textarea><button>Send</button></form>`,
      // A check that is under way as the form is sent.
      {
        before: (context) =>
          context.route('**/validate', async (route) => {
            await pause(3000)
            await route.continue().catch(() => undefined)
          }),
      },
    )
    const put = (text: string): Promise<unknown> =>
      page.evaluate(`document.querySelector('textarea').value = ${JSON.stringify(text)}.repeat(12000)`)
    await put('漢字漢字漢字漢')
    await page.click('button')
    await page.waitForSelector('[role=alert]')
    await untilEqual(() => page.textContent('[role=alert]'), 'Too long to be sent.')
    assert.deepEqual([(await page.inputValue('textarea')).length, await sent(form)], [84_000, []])
    await put('漢')
    await page.focus('textarea')
    await page.focus('button')
    await pause(450)
    await page.click('button')
    await page.waitForSelector('.footfall-success')
    assert.equal((await sent(form))[0]?.fields['t']?.length, 12_000)
  })

  test('a form with a name that the service refuses goes where it would have gone', async (t) => {
    const { fill, site } = await startForm(t)
    const warnings: string[] = []
    const { page, events } = await fill(
      (key) => simple(key, 'action="/taken"').replace('<button', '<input name="__proto__" value="x"><button'),
      {
        before: async (context) => {
          context.on('console', (message) => message.type() === 'warning' && warnings.push(message.text()))
        },
      },
    )
    await eventually(events, (heard) => heard.length > 0)
    await untilMatch(() => warnings[0] ?? '', /__proto__/)
    await page.click('button')
    await page.waitForURL(`${site.url}taken?who=Ada&__proto__=x&way=fast`)
  })

  test('nothing that was answered or is said in thanks runs on the page', async (t) => {
    const { open, create, sent } = await startForm(t)
    const answers = hostileAnswers.filter((answer) => !answer.includes('\n'))
    const form = await create({
      success_html: hostileHtml
        .filter((html) => html.includes('%field%'))
        .join('')
        .replaceAll('%field%', '%a0%')
        .slice(0, 15_000),
    })
    const inputs = answers.map((_, at) => `<input name="a${at}">`).join('')
    const { page, errors } = await open(
      `<script>window.hits = 0; window.hit = () => hits++</script><form data-footfall="${form.key}">${inputs}<button>Send</button></form>`,
    )
    await page.waitForSelector('.footfall-branding')
    for (const [at, answer] of answers.entries()) await page.fill(`[name=a${at}]`, answer)
    await page.click('button')
    await page.waitForSelector('.footfall-success', { state: 'attached' })
    assert.equal(await page.evaluate('window.hits'), 0)
    assert.equal(
      await page.locator('.footfall-success').locator('script, iframe, svg, form, input, [onerror], [onclick]').count(),
      0,
    )
    assert.deepEqual(
      (await sent(form))[0]?.raw_fields.map(({ value }) => value),
      answers,
    )
    assert.deepEqual(
      errors.filter((text) => !/Failed to load|ERR_/.test(text)),
      [],
    )
  })
})

// By itself: from here on the clock of the service stands still.
test('what was typed never gets into the address of the page, whatever the service says', async (t) => {
  const { open, create, footfall, property } = await startForm(t)
  const form = await create({ is_published: false })
  const { page, events } = await open(simple(form.key, 'action="#"'))
  await eventually(events, (heard) => heard.length > 0)
  const href = page.url()
  await page.fill('[name=who]', 'Ada')
  for (const times of [1, 2]) {
    await page.click('button')
    await page.waitForSelector('[role=alert]')
    await eventually(events, (heard) => heard.length > times)
  }
  assert.deepEqual([page.url(), await page.inputValue('[name=who]')], [href, 'Ada'])
  await untilEqual(() => page.textContent('[role=alert]'), 'Not sent. Please try again.')
  // Neither that of a managed form, which is taken away while somebody fills it in.
  const drawn = await create(managed)
  const second = await open(`<div data-footfall-form="${drawn.key}">x</div>`)
  await second.page.fill('input[name=name]', 'Ada')
  await footfall.call('POST', `/manage/properties/${property.id}/forms/${drawn.id}`, {
    body: { is_published: false },
  })
  footfall.clock.advance(700_000)
  for (const times of [1, 2]) {
    await second.page.click('form button')
    await second.page.waitForSelector('[role=alert]')
    await eventually(second.events, (heard) => heard.length > times)
  }
  assert.deepEqual([second.page.url(), await second.page.inputValue('input[name=name]')], [href, 'Ada'])
})
