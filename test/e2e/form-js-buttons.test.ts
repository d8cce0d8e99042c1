// form.js and what HTML lets a form say: where a button sends it, whether that is checked before and how, or
// that it stands in a dialog. And how long anybody waits after a press.
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { AT_ONCE } from '../support/browser.ts'
import { openFormWorld } from '../support/form-pages.ts'
import { intercept } from '../support/intercept.ts'
import { eventually } from '../support/site.ts'
import { untilEqual } from '../support/until.ts'

const startFormPages = await openFormWorld({ after })

describe('side by side', { concurrency: AT_ONCE }, () => {
  test('a button with an address of its own sends the form there, as if there were no script', async (t) => {
    const { open, create, sent, site } = await startFormPages(t)
    const form = await create()
    site.pages.set('/other', { html: 'other' })
    const html = `<form data-footfall="${form.key}"><input name="who" required><button>Send</button>
      <button id="other" name="way" value="other" formaction="/other">Elsewhere</button>
      <button id="free" formaction="/other" formnovalidate>Unchecked</button></form>`
    const { page } = await open(html)
    await page.waitForSelector('.footfall-branding')
    await page.click('#other')
    await untilEqual(() => page.evaluate('[document.activeElement.name, location.pathname]'), ['who', '/form'])
    await page.fill('[name=who]', 'Ada')
    await page.click('#other')
    await page.waitForURL(`${site.url}other?who=Ada&way=other`)
    const second = await open(html)
    await second.page.waitForSelector('.footfall-branding')
    await second.page.click('#free')
    await second.page.waitForURL(`${site.url}other?who=`)
    assert.deepEqual(await sent(form), [])
  })

  test('what a button says is not to be checked is checked by the service alone', async (t) => {
    const { open, create, sent } = await startFormPages(t)
    const form = await create()
    const { page } = await open(`<form data-footfall="${form.key}"><input name="mail" type="email" required>
      <button id="checked">Send</button><button id="free" formnovalidate>Send</button></form>`)
    await page.waitForSelector('.footfall-branding')
    await page.fill('[name=mail]', 'no address')
    await page.click('#checked')
    const browsers = await page.textContent('.footfall-note')
    const answer = page.waitForResponse('**/process')
    await page.click('#free')
    assert.equal((await answer).status(), 200)
    await page.waitForSelector('form[aria-busy=false]')
    const services = await eventually(
      () => page.textContent('.footfall-note'),
      (text) => text !== browsers,
    )
    assert.ok(browsers && services && browsers !== services, `${browsers} ${services}`)
    assert.deepEqual(await sent(form), [])
  })

  test('a pattern of the browser that the service cannot read is held to by the browser alone', async (t) => {
    const { open, create, sent } = await startFormPages(t)
    const form = await create()
    const { page } = await open(
      `<form data-footfall="${form.key}"><input name="code" pattern="(?=.*[0-9]).{3,}" required><button>Send</button></form>`,
    )
    await page.waitForSelector('.footfall-branding', { state: 'attached' })
    await page.fill('[name=code]', 'abc')
    await page.click('button')
    await page.waitForSelector('.footfall-note')
    await page.fill('[name=code]', 'abc1')
    await page.click('button')
    await page.waitForSelector('.footfall-success')
    assert.equal((await sent(form)).length, 1)
  })

  test('a form in a dialog is sent like any other, is kept when it cannot be, and its other buttons close it', async (t) => {
    const { open, create, sent } = await startFormPages(t)
    const form = await create()
    const html = `<dialog open><form method="dialog" action="/taken" data-footfall="${form.key}"><input name="who" required>
      <button id="send">Send</button><button id="cancel" formmethod="dialog" formnovalidate>Cancel</button></form></dialog>`
    const { page } = await open(html)
    await page.waitForSelector('.footfall-branding')
    await page.click('#cancel')
    await page.waitForSelector('dialog:not([open])', { state: 'attached' })
    await page.evaluate(`document.querySelector('dialog').show()`)
    await page.fill('[name=who]', 'Ada')
    await intercept(page, '**/process', (route) => route.abort(), { times: 1 })
    await page.click('#send')
    await page.waitForSelector('[role=alert]')
    assert.deepEqual([await page.inputValue('[name=who]'), await sent(form)], ['Ada', []])
    await page.click('#send')
    await page.waitForSelector('dialog[open] .footfall-success')
    assert.deepEqual(
      (await sent(form)).map(({ fields }) => fields['who']),
      ['Ada'],
    )
  })

  test('a service that never answers is waited for half a minute at most; then the form goes where it would have gone', async (t) => {
    const { open, create, site } = await startFormPages(t)
    const form = await create()
    const { page } = await open(
      `<form data-footfall="${form.key}" action="/taken"><input name="who"><button>Send</button></form>`,
      {
        before: async (context) => {
          await context.clock.install()
          for (const path of ['**/v2/**', '**/filling.js']) await context.route(path, () => undefined)
        },
      },
    )
    await page.fill('[name=who]', 'Ada')
    await page.click('button')
    await page.waitForSelector('form[aria-busy=true]')
    await page.clock.runFor(14_000)
    assert.equal(page.url(), `${site.url}form`)
    await page.clock.runFor(2000)
    // What was asked for before the press has been waited for; what the press asks for is.
    await page.clock.runFor(15_000)
    await page.clock.resume()
    await page.waitForURL(`${site.url}taken?who=Ada`)
  })
})
