// Files of forms in the dashboard: a field for them is built, and what was sent is downloaded.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, afterEach, before, test } from 'node:test'
import { assertAccessible, type Dashboard, openDashboard } from '../support/dashboard.ts'
import { untilEqual } from '../support/until.ts'

const PDF = Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(5000, 'x')])

let dashboard: Dashboard
const ends: (() => Promise<void>)[] = []
before(async () => {
  dashboard = await openDashboard({ after: (end) => ends.push(end) })
})
after(async () => {
  for (const end of ends.toReversed()) await end()
})
afterEach(() => dashboard.leavePages())

test('a field for files is built with its limits; a file is downloaded under a name that says what it is', async () => {
  const { footfall } = dashboard
  const base = `/manage/properties/${footfall.property.id}/forms`
  const fields = [{ name: 'name', type: 'text' }]
  const made = await footfall.call('POST', base, {
    body: { name: 'Jobs', kind: 'managed', fields, is_plain_on: true, is_published: true, domains: ['example.com'] },
  })
  const { id, key } = made.json.data.form
  const { page, errors } = await dashboard.open(`/properties/${footfall.property.id}/forms/${id}`, {
    as: dashboard.owner,
  })
  await page.getByRole('tab', { name: 'Builder' }).click()
  await page.getByRole('button', { name: 'Add field' }).first().click()
  await page.getByRole('menuitem', { name: 'File', exact: true }).click()
  await page.getByLabel('Label').fill('Your CV')
  await page.getByLabel('Images (JPEG').uncheck()
  await page.getByLabel('Maximum size of a file (MB)').fill('2')
  await page.getByLabel('Maximum number of files').fill('3')
  await assertAccessible(page)
  await page.getByRole('button', { name: 'Save' }).first().click()
  const file = { types: ['application/pdf'], max_bytes: 2 * 1024 * 1024, max_count: 3 }
  const saved = async () => (await footfall.call('GET', `${base}/${id}`)).json.data.form.fields[1]?.file ?? null
  await untilEqual(saved, file)

  const body = new FormData()
  body.append('name', 'Ada')
  body.append('your_cv', new File([PDF], 'cv.exe'))
  const headers = { origin: 'https://example.com', 'accept-language': 'en' }
  const sent = await fetch(`${footfall.url}/f/${key}`, { method: 'POST', body, headers })
  assert.equal(sent.status, 200, await sent.text())
  const { json } = await footfall.call('GET', `${base}/${id}/submissions`, { query: { show: 'all' } })
  const [submission] = json.data.data
  await page.goto(
    `${footfall.url}/dashboard/properties/${footfall.property.id}/forms/${id}?submission=${submission.id}`,
  )
  const link = page.getByRole('link', { name: 'cv.exe', exact: true })
  await link.waitFor()
  await assertAccessible(page)
  const [download] = await Promise.all([page.waitForEvent('download'), link.click()])
  assert.equal(download.suggestedFilename(), 'cv.exe.pdf')
  assert.ok(readFileSync(await download.path()).equals(PDF))
  assert.deepEqual(errors, [])
})
