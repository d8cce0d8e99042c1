// A public demo in Chromium: whoever comes sees the sample data without an account, and nothing to change.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openSamples } from '../../server/demo/sample.ts'
import { openBrowser } from '../support/browser.ts'
import { assertAccessible, assertNoSidewaysScroll, openPage } from '../support/dashboard.ts'
import { buildPages } from '../support/pages.ts'
import { startFootfall } from '../support/server.ts'
import { untilAt, untilEqual } from '../support/until.ts'

buildPages()
const browser = await openBrowser({ after })
const footfall = await startFootfall({ after }, { env: { DEMO: 'on' } })
const samples = openSamples(footfall.context, { sessions: 600, days: 30 })
const { property_id: id } = await samples.begin()
await untilEqual(async () => (await samples.find())?.state, 'done')

test('whoever comes lands in the sample’s overview, walks through its pages, and is offered no settings', async (t) => {
  const { page, errors } = await openPage(t, browser, footfall, '/', {})
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
  await untilAt(page, ({ pathname }) => pathname.endsWith(`/properties/${id}`))
  await page.getByText('Lumen & Lark').first().waitFor()
  await assertAccessible(page)
  const navigation = page.getByRole('navigation', { name: 'Main' })
  assert.equal(await navigation.getByRole('link', { name: 'Settings' }).count(), 0)
  assert.equal(await page.getByRole('button', { name: /Guest/ }).count(), 0)
  for (const name of ['Goals', 'Forms', 'Links', 'Contacts', 'Automations']) {
    await navigation.getByRole('link', { name, exact: true }).click()
    await page.getByRole('heading', { level: 1, name, exact: true }).waitFor()
    assert.equal(await page.getByRole('button', { name: /^(New|Add|Create|Import)\b/ }).count(), 0, name)
  }
  for (const path of ['/settings', '/settings/keys', '/start']) {
    await page.goto(`${footfall.url}/dashboard/properties/${id}${path}`)
    await page.getByRole('heading', { level: 1, name: 'Page not found' }).waitFor()
  }
  assert.deepEqual(errors, [])
})

test('on a phone it is the same', async (t) => {
  const { page } = await openPage(t, browser, footfall, `/properties/${id}/speed`, { width: 390 })
  await page.getByRole('heading', { level: 1, name: 'Speed' }).waitFor()
  await page.getByText('Largest Contentful Paint').waitFor()
  await assertNoSidewaysScroll(page)
})
