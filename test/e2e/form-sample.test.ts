// The client in docs/api/forms.md does what it says: a page that holds nothing else, on another origin, in a
// browser.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, test } from 'node:test'
import { openBrowser } from '../support/browser.ts'
import { flowOf } from '../support/form-flow.ts'
import { startFootfall } from '../support/server.ts'
import { openSite, visit } from '../support/site.ts'
import { untilEqual } from '../support/until.ts'

const browser = await openBrowser({ after })

const docs = readFileSync(new URL('../../docs/api/forms.md', import.meta.url), 'utf8')
const [, sample = ''] = /^```html\n([\s\S]*?)^```$/m.exec(docs) ?? []

test('the documented page sends a form, shows the answer, and what was written is with the owner', async (t) => {
  const footfall = await startFootfall(t)
  const form = await flowOf(footfall).create(footfall.property.id, {
    domains: ['127.0.0.1'],
    success_html: '<p>Thank you, %name%.</p>',
  })
  const html = sample.replace('http://127.0.0.1:8080', footfall.url).replace('FORM_KEY', form.key)
  assert.ok(html.includes(footfall.url) && html.includes(form.key))
  const { page, errors } = await visit(t, browser, (await openSite(t, { '/': { html } })).url)
  await page.waitForLoadState('networkidle')
  await page.fill('[name=name]', 'Ada & <b>Bob</b>')
  await page.fill('[name=email]', 'ada@example.com')
  await page.fill('[name=message]', 'Two lines\nof text')
  await page.click('button')
  await page.waitForSelector('#contact p')
  await untilEqual(() => page.textContent('#contact p'), 'Thank you, Ada & <b>Bob</b>.')
  assert.deepEqual(errors, [])
  const path = `/manage/properties/${footfall.property.id}/forms/${form.id}/submissions`
  const { json } = await footfall.call('GET', path, { query: { show: 'all' } })
  const [{ fields, source }] = json.data.data
  assert.deepEqual(fields, { name: 'Ada & <b>Bob</b>', email: 'ada@example.com', message: 'Two lines\nof text' })
  assert.equal(source, 'contact page')
})
