// The first run of a property: where the tracking code goes for each platform, and the checklist of first
// steps.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addPerson } from '../support/accounts.ts'
import { assertAccessible, assertNoSidewaysScroll, openDashboardOfFile } from '../support/dashboard.ts'
import { walkJourneys } from '../support/journeys.ts'
import { untilEqual, untilMatch } from '../support/until.ts'

const dashboard = await openDashboardOfFile()
const { footfall, owner } = dashboard
const { id, key } = footfall.property
const path = `/properties/${id}`

test('the tracking code is shown as the platform of the site takes it, with what else is tracked', async () => {
  const { page, errors } = await dashboard.open(`${path}/start`, { as: owner })
  const code = page.getByRole('region', { name: 'Tracking code' }).or(page.getByLabel('Tracking code')).first()
  await untilMatch(
    () => code.textContent(),
    new RegExp(`<script defer src="http.*/signals\\.js" data-key="${key}"></script>`),
  )
  await page.getByLabel('Outbound links').press('Space')
  await page.getByLabel('Platform').selectOption('Next.js')
  await untilMatch(() => code.textContent(), /import Script from 'next\/script'[\s\S]+data-outbound=""/)
  await page.getByText('Add this to app/layout.tsx.').waitFor()
  await page.getByLabel('Platform').selectOption('Google Tag Manager')
  await untilMatch(() => code.textContent(), /setAttribute\('data-outbound', ''\)/)
  await page.getByLabel('404 pages').press('Space')
  await page.getByText(/data-status="404"/).waitFor()
  assert.match(page.url(), /platform=gtm/)
  const guideOf = (name: string) => page.getByRole('link', { name }).getAttribute('href')
  assert.equal(await guideOf('Import the template'), '/docs/tag-manager')
  const mail = await page.getByRole('link', { name: 'Email instructions' }).getAttribute('href')
  assert.match(decodeURIComponent(mail ?? ''), /^mailto:\?subject=Tracking code for Test&body=[\s\S]+data-key/)
  await page.getByLabel('Platform').selectOption('WordPress')
  await page.getByText('WooCommerce').waitFor()
  assert.equal(await guideOf('Install the plugin'), '/docs/wordpress')
  await page.getByText(key, { exact: true }).waitFor()
  await page.getByText(footfall.url, { exact: true }).waitFor()
  await assertAccessible(page)
  assert.deepEqual(errors, [])
})

test('the checklist says what is left to do, excludes the reader’s own IP address, and stays hidden', async () => {
  await footfall.track.load({})
  const { page, errors } = await dashboard.open(path, { as: owner, width: 390 })
  const panel = page.getByRole('region', { name: 'Get started' })
  await panel.getByText('1 of 7 done').waitFor()
  await panel.getByText(/Your IP is (127\.0\.0\.1|::1)/).waitFor()
  await panel.getByRole('button', { name: 'Exclude' }).press('Enter')
  await panel.getByText('2 of 7 done').waitFor()
  const { json } = await footfall.call('GET', `/manage/properties/${id}`, {
    token: null,
    headers: { cookie: owner.cookie },
  })
  assert.match(String(json.data.property.excluded_addresses), /^(127\.0\.0\.1|::1)/)
  await assertNoSidewaysScroll(page)
  await assertAccessible(page)
  await panel.getByRole('link', { name: 'Set a goal' }).click()
  await page.getByRole('heading', { name: 'Goals', level: 1 }).waitFor()
  await page.goBack()
  await panel.getByRole('button', { name: 'Hide checklist' }).press('Enter')
  await untilEqual(() => panel.count(), 0)
  await page.reload()
  await page.getByRole('group', { name: 'Metrics' }).waitFor()
  await page.waitForLoadState('networkidle')
  assert.equal(await panel.count(), 0)
  assert.deepEqual(errors, [])
})

test('who may change nothing is shown no checklist', async () => {
  const viewer = await addPerson(footfall, { roles: { [id]: 'viewer' } })
  const { page } = await dashboard.open(path, { as: viewer })
  await page.getByRole('group', { name: 'Metrics' }).waitFor()
  await page.waitForLoadState('networkidle')
  assert.equal(await page.getByRole('region', { name: 'Get started' }).count(), 0)
})

test('an owner’s first day goes by keyboard alone, and the focus is never lost', async (t) => {
  const { walked, errors } = await walkJourneys(t, dashboard, 'keyboard')
  for (const { journey, count } of walked) assert.ok(count > 0, journey)
  assert.deepEqual(errors, [])
})

test('an owner’s first day goes on a phone: nothing is too small for a finger, cut off, or found by axe', async (t) => {
  const { walked, errors } = await walkJourneys(t, dashboard, 'phone', assertAccessible)
  for (const { journey, count } of walked) assert.ok(count > 0, journey)
  assert.deepEqual(errors, [])
})
