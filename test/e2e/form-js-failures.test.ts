// form.js where something is missing: the script, the service, the network, time. What was typed is never
// lost, and what was sent is stored once.
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { AT_ONCE } from '../support/browser.ts'
import { noonClock } from '../support/clock.ts'
import { openFormWorld, untilFilling } from '../support/form-pages.ts'
import { intercept } from '../support/intercept.ts'
import { eventually } from '../support/site.ts'
import { untilEqual } from '../support/until.ts'

const startFormPages = await openFormWorld({ after })

const simple = (key: string, more = ''): string =>
  `<form data-footfall="${key}" ${more}><input name="name" required><button name="way" value="fast">Send</button></form>`

describe('side by side', { concurrency: AT_ONCE }, () => {
  test('without the script, and without the service, a form goes where it would have gone, with all that was typed', async (t) => {
    const { open, create, sent, site, footfall } = await startFormPages(t)
    const form = await create()
    const html = simple(form.key, 'action="/taken"')
    const wanted = `${site.url}taken?name=Ada&way=fast`
    const blocked = await open(html, { before: (context) => context.route('**/form.js', (route) => route.abort()) })
    await blocked.page.fill('[name=name]', 'Ada')
    await blocked.page.click('button')
    await blocked.page.waitForURL(wanted)
    const away = await open(html, {
      before: (context) => context.route(`${footfall.url}/v2/**`, (route) => route.abort()),
    })
    await away.page.fill('[name=name]', 'Ada')
    await away.page.click('button')
    await away.page.waitForURL(wanted)
    // Gone only while it is filled in: the honeypot is there by then, and stays behind.
    const late = await open(html)
    await late.page.waitForSelector('.footfall-branding')
    await intercept(late.page, '**/v2/**', (route) => route.abort())
    await late.page.fill('[name=name]', 'Ada')
    await late.page.click('button')
    await late.page.waitForURL(wanted)
    assert.deepEqual(await sent(form), [])
  })

  test('a form that the service will not have goes where it would have gone, and the console says why', async (t) => {
    const { open, create, site } = await startFormPages(t)
    const form = await create({ is_published: false })
    const warnings: string[] = []
    const { page, events } = await open(simple(form.key, 'action="/taken"'), {
      before: async (context) => {
        context.on('console', (message) => message.type() === 'warning' && warnings.push(message.text()))
      },
    })
    await eventually(events, (heard) => heard.length > 0)
    await untilEqual(async () => [await events(), warnings], [['error'], ['Footfall: The form is not published.']])
    await page.fill('[name=name]', 'Ada')
    await page.click('button')
    await page.waitForURL(`${site.url}taken?name=Ada&way=fast`)
  })

  test('a draft says that it was not sent, its owner reads how many tried it, and once it is published it is sent', async (t) => {
    const { open, create, sent, footfall, property } = await startFormPages(t)
    const form = await create({ is_published: false })
    const path = `/manage/properties/${property.id}/forms/${form.id}`
    const { page, events } = await open(simple(form.key))
    await eventually(events, (heard) => heard.length > 0)
    await page.fill('[name=name]', 'Ada')
    assert.equal((await footfall.call('GET', path)).json.data.form.tried, 0)
    await page.click('button')
    await page.getByText('Not sent. Please try again.').waitFor()
    assert.equal((await footfall.call('GET', path)).json.data.form.tried, 1)
    await footfall.call('POST', path, { body: { is_published: true } })
    // A change on this node counts at once.
    await page.click('button')
    await page.waitForSelector('.footfall-success')
    assert.equal((await sent(form)).length, 1)
  })

  test('a form that has nowhere else to go keeps what was typed, says so, and is stored once when the service is back', async (t) => {
    const { open, create, sent } = await startFormPages(t)
    const form = await create()
    const { page, events } = await open(simple(form.key, 'data-failed="Bitte noch einmal."'), {
      before: (context) => context.route('**/v2/**', (route) => route.abort()),
    })
    await page.fill('[name=name]', 'Ada')
    await page.click('button')
    await page.waitForSelector('[role=alert]')
    await untilEqual(() => page.textContent('[role=alert]'), 'Bitte noch einmal.')
    await untilEqual(async () => [await page.inputValue('[name=name]'), await events()], ['Ada', ['error']])
    await page.context().unroute('**/v2/**')
    // Busy for a moment is no reason to go elsewhere either.
    await intercept(
      page,
      '**/process',
      (route) => route.fulfill({ status: 503, json: { code: 503, error_code: 'unavailable' } }),
      { times: 1 },
    )
    await page.click('button')
    await eventually(events, (heard) => heard.length === 3)
    await untilEqual(
      async () => [await events(), await page.locator('[role=alert]').count()],
      [['error', 'ready', 'error'], 1],
    )
    await page.click('button')
    await page.waitForSelector('.footfall-success')
    assert.deepEqual(
      (await sent(form)).map(({ fields }) => fields),
      [{ name: 'Ada', way: 'fast' }],
    )
  })

  test('without network a form stays as it is, though it has somewhere to go, and is sent once there is one again', async (t) => {
    const { open, create, sent, site } = await startFormPages(t)
    const form = await create()
    const { page } = await open(simple(form.key, 'action="/taken"'))
    await page.waitForSelector('.footfall-branding')
    await page.fill('[name=name]', 'Ada')
    await page.context().setOffline(true)
    await page.click('button')
    await page.waitForSelector('[role=alert]')
    assert.deepEqual([page.url(), await page.inputValue('[name=name]')], [`${site.url}form`, 'Ada'])
    await page.context().setOffline(false)
    await page.click('button')
    // On the page itself, and without a message that it failed.
    const count = (selector: string) => page.locator(selector).count()
    const seen = async () => [page.url(), await count('[role=alert]'), await count('.footfall-success')]
    await untilEqual(seen, [`${site.url}form`, 0, 1])
    assert.deepEqual(
      (await sent(form)).map(({ fields }) => fields['name']),
      ['Ada'],
    )
  })

  test('who fills in a form for long is given another session before the first one ends, and may send the form while it is on its way', async (t) => {
    const { open, create, sent } = await startFormPages(t)
    const form = await create()
    let inits = 0
    let answer = (): void => undefined
    const isSent = new Promise<void>((resolve) => {
      answer = resolve
    })
    const longMs = 8 * 60_000
    const { page, events } = await open(simple(form.key), {
      before: async (context) => {
        // In the end the page's clock is right: the service takes no signature of tomorrow.
        await context.clock.install({ time: noonClock() - longMs })
        await context.route('**/init', async (route) => {
          if (++inits > 1) await isSent
          await route.continue()
        })
      },
    })
    await page.waitForSelector('.footfall-branding')
    await page.focus('[name=name]')
    await untilFilling(page) // it is not waited for as long as the clock jumps
    await page.clock.fastForward('05:00')
    await page.focus('button')
    assert.equal(inits, 1)
    await page.clock.fastForward('03:00')
    await page.focus('[name=name]')
    await untilEqual(() => inits, 2)
    await page.fill('[name=name]', 'Ada')
    await page.click('button')
    await page.waitForSelector('form[aria-busy=true]')
    assert.deepEqual(await sent(form), [])
    answer()
    await page.waitForSelector('.footfall-success')
    assert.deepEqual([inits, (await sent(form)).length, await events()], [2, 1, ['ready', 'success']])
  })

  test('a field that comes later is sent as well', async (t) => {
    const { open, create, sent } = await startFormPages(t)
    const form = await create()
    const { page } = await open(simple(form.key))
    await page.waitForSelector('.footfall-branding')
    await page.fill('[name=name]', 'Ada')
    await page.evaluate(
      "document.querySelector('[name=name]').insertAdjacentHTML('afterend', '<input name=\"more\" value=\"of it\">')",
    )
    await page.click('button')
    await page.waitForSelector('.footfall-success')
    assert.deepEqual((await sent(form))[0]?.fields, { name: 'Ada', more: 'of it', way: 'fast' })
  })

  test('forms with a password or a file are left alone', async (t) => {
    const { open, create, site } = await startFormPages(t)
    const form = await create()
    const { page, events } = await open(
      `<form data-footfall="${form.key}" action="/taken"><input name="p" type="password"><button>Send</button></form>`,
    )
    await eventually(events, (heard) => heard.length > 0)
    await page.fill('[name=p]', 'secret')
    assert.equal(await page.locator('form [aria-hidden], form[novalidate]').count(), 0)
    assert.deepEqual(await events(), ['error'])
    await page.click('button')
    await page.waitForURL(`${site.url}taken?p=secret`)
  })

  test('the page has the last word: it may stop a form from being sent, and do the thanks itself', async (t) => {
    const { open, create, sent } = await startFormPages(t)
    const form = await create()
    const { page } = await open(`${simple(form.key)}<script>
    let isStopped = true
    document.querySelector('form').addEventListener('submit', (event) => isStopped && event.preventDefault())
    addEventListener('footfall:success', (event) => { event.preventDefault(); window.original = event.detail.original })
  </script>`)
    await page.waitForSelector('.footfall-branding')
    await page.fill('[name=name]', 'Ada')
    await page.click('button')
    await page.evaluate('isStopped = false')
    assert.equal(await page.locator('form[aria-busy]').count(), 0) // what is sent is busy at once
    await page.click('button')
    assert.deepEqual(await eventually(() => page.evaluate('window.original'), Boolean), { name: 'Ada', way: 'fast' })
    assert.equal(await page.locator('form').count(), 1)
    // It can be filled in again.
    await page.fill('[name=name]', 'Bob')
    await page.click('button')
    await eventually(
      () => sent(form),
      ({ length }) => length === 2,
    )
    assert.deepEqual(
      (await sent(form)).map(({ fields }) => fields['name']),
      ['Ada', 'Bob'],
    )
  })

  test('on a page that measures its visits, what is sent belongs to the visit', async (t) => {
    const { open, create, sent, footfall, property } = await startFormPages(t)
    const form = await create()
    const { page } = await open(
      `<script src="${footfall.url}/signals.js" data-key="${property.key}"></script>${simple(form.key)}`,
    )
    const session = await eventually(() => page.evaluate('signals.session'), Boolean)
    await page.fill('[name=name]', 'Ada')
    await page.click('button')
    await page.waitForSelector('.footfall-success')
    assert.equal((await sent(form))[0]?.session_id, session)
  })

  test('who leaves half-way and comes back finds what was typed, and can send it', async (t) => {
    const { open, create, sent, site } = await startFormPages(t)
    const form = await create()
    site.pages.set('/other', { html: 'another page' })
    const { page } = await open(simple(form.key))
    await page.waitForSelector('.footfall-branding')
    await page.fill('[name=name]', 'Ada')
    await page.goto(`${site.url}other`)
    await page.goBack()
    await page.waitForSelector('.footfall-branding')
    await untilEqual(() => page.inputValue('[name=name]'), 'Ada')
    await page.click('button')
    await page.waitForSelector('.footfall-success')
    await page.goBack()
    await page.goForward()
    assert.deepEqual(
      (await sent(form)).map(({ fields }) => fields['name']),
      ['Ada'],
    )
  })
})

// By itself: from here on the clock of the service stands still.
test('a form that was open for longer than its session is sent all the same, once', async (t) => {
  const { open, create, sent, footfall } = await startFormPages(t)
  const form = await create()
  const { page } = await open(simple(form.key))
  await page.waitForSelector('.footfall-branding')
  await page.fill('[name=name]', 'Ada')
  footfall.clock.advance(700_000)
  await page.click('button')
  await page.waitForSelector('.footfall-success')
  assert.deepEqual(
    (await sent(form)).map(({ fields }) => fields['name']),
    ['Ada'],
  )
})
