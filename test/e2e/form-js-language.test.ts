// What form.js itself tells visitors is in the language of the form, or else of the browser.
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { visitorLanguages, visitorTexts } from '../../server/visitor-texts/visitor-texts.ts'
import { AT_ONCE } from '../support/browser.ts'
import { openFormWorld, simple } from '../support/form-pages.ts'
import { intercept } from '../support/intercept.ts'
import { untilEqual } from '../support/until.ts'

const startForm = await openFormWorld({ after })
const speaking = (language: string) => ({
  before: (context: { setExtraHTTPHeaders(headers: Record<string, string>): Promise<void> }) =>
    context.setExtraHTTPHeaders({ 'accept-language': `${language};q=0.9, en;q=0.5` }),
})

describe('side by side', { concurrency: AT_ONCE }, () => {
  test('that it was not sent, in every language of the browser', async (t) => {
    const { open, create } = await startForm(t)
    const form = await create()
    for (const language of visitorLanguages) {
      const { page } = await open(simple(form.key), speaking(language))
      await intercept(page, '**/process', (route) => route.fulfill({ status: 503, json: {} }))
      await page.fill('[name=who]', 'Ada')
      await page.click('button')
      await untilEqual(() => page.textContent('[role=alert]'), visitorTexts(language).form.script.failed)
    }
  })

  test('that it is too long, in the language of the form; that it was sent, where nothing more could be loaded', async (t) => {
    const { open, create } = await startForm(t)
    const form = await create({ language: 'pl' })
    const { page } = await open(
      `<form data-footfall="${form.key}"><textarea name="t"></textarea><button>Send</button></form>`,
    )
    await intercept(page, '**/process', (route) => route.fulfill({ status: 413, json: { code: 413 } }))
    await page.fill('textarea', 'x')
    await page.click('button')
    await untilEqual(() => page.textContent('[role=alert]'), visitorTexts('pl').form.script.tooLong)
    const second = await open(simple(form.key), {
      before: (context) => context.route('**/filling.js', (route) => route.abort()),
    })
    await second.page.fill('[name=who]', 'Ada')
    await second.page.click('button')
    await untilEqual(() => second.page.textContent('[role=alert]'), 'Wysłano.')
  })

  test('a form that is closed says it too; the words of the page come first', async (t) => {
    const { open, create } = await startForm(t)
    const form = await create({ is_published: false })
    for (const [more, said] of [
      ['', visitorTexts('es').form.script.failed],
      ['data-failed="Call us."', 'Call us.'],
    ] as const) {
      const { page } = await open(simple(form.key, more), speaking('es-MX'))
      await page.fill('[name=who]', 'Ada')
      await page.click('button')
      await untilEqual(() => page.textContent('[role=alert]'), said)
    }
    assert.notEqual(visitorTexts('es').form.script.failed, visitorTexts('en').form.script.failed)
  })
})
