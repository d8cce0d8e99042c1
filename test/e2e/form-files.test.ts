// Files of managed forms in a browser: sent by form.js and by a plain page, refused at their field, and
// downloaded by who owns the form.
import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { after, describe, test } from 'node:test'
import { AT_ONCE } from '../support/browser.ts'
import { openFormWorld } from '../support/form-pages.ts'
import { untilEqual } from '../support/until.ts'

const startFormPages = await openFormWorld({ after })

const PDF = Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(200_000, 'x')])
const pdf = (name: string) => ({ name, mimeType: 'application/pdf', buffer: PDF })

const managed = {
  kind: 'managed',
  is_plain_on: true,
  fields: [
    { name: 'name', type: 'text', label: 'Name' },
    { name: 'cv', type: 'file', label: 'CV', file: { types: ['application/pdf'], max_count: 2 } },
  ],
  validation: { name: { required: null }, cv: { required: null } },
  success_html: '<p>Got it, %name%: %cv%</p>',
}

const place = (key: string): string => `<main><div data-footfall-form="${key}"></div></main>`

describe('side by side', { concurrency: AT_ONCE }, () => {
  test('files go with a form that form.js draws; a wrong one is refused at its field, and nothing is lost', async (t) => {
    const { open, create, sent, footfall } = await startFormPages(t)
    const form = await create(managed)
    const { page, errors } = await open(place(form.key))
    const input = page.getByLabel('CV *')
    assert.equal(await input.getAttribute('accept'), 'application/pdf')
    await page.getByLabel('Name *').fill('Ada')
    await input.setInputFiles({ name: 'cv.pdf', mimeType: 'application/pdf', buffer: Buffer.from('MZ') })
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByText('CV: only files of these formats: pdf.').waitFor()
    assert.equal(await input.getAttribute('aria-invalid'), 'true')
    assert.deepEqual(await sent(form), [])
    await input.setInputFiles([pdf('one.pdf'), pdf('Größe.pdf')])
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByText('Got it, Ada: one.pdf (application/pdf, 195 KB)').waitFor()
    const [submission] = await sent(form)
    assert.equal(submission?.fields['CV'], 'one.pdf (application/pdf, 195 KB), Größe.pdf (application/pdf, 195 KB)')
    await untilEqual(() => readdirSync(footfall.context.uploads.drafts), [])
    assert.deepEqual(errors, [])
  })

  test('files go with a plain form, without any script', async (t) => {
    const { open, create, sent, footfall } = await startFormPages(t)
    const form = await create(managed)
    const { page } = await open('')
    await page.goto(`${footfall.url}/f/${form.key}`)
    await page.getByLabel('Name').fill('Ada')
    await page
      .getByLabel('CV')
      .setInputFiles({ name: 'cv.pdf', mimeType: 'application/pdf', buffer: Buffer.from('MZ') })
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByText('CV: only files of these formats: pdf.').waitFor()
    assert.equal(await page.getByLabel('Name').inputValue(), 'Ada')
    await page.getByLabel('CV').setInputFiles(pdf('cv.pdf'))
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByText('Got it, Ada: cv.pdf').waitFor()
    assert.equal((await sent(form))[0]?.fields['CV'], 'cv.pdf (application/pdf, 195 KB)')
  })
})

// The storage is that of all: not beside others.
test('a full disk is said at the field, and the form can be sent without its file', async (t) => {
  const { open, create, sent, footfall } = await startFormPages(t)
  const form = await create({ ...managed, validation: {} })
  const { page } = await open(place(form.key))
  t.mock.method(footfall.context.uploads.storage, 'putFile', async (name: string, file: { path: string }) => {
    throw Object.assign(new Error(`no space for ${name} ${file.path}`), { code: 'ENOSPC' })
  })
  await page.getByLabel('CV').setInputFiles(pdf('cv.pdf'))
  await page.getByRole('button', { name: 'Send' }).click()
  await page.getByText('There is no room for files at the moment.').waitFor()
  await page.getByLabel('CV').setInputFiles([])
  await page.getByRole('button', { name: 'Send' }).click()
  await page.getByText('Got it').waitFor()
  assert.equal((await sent(form)).length, 1)
})
