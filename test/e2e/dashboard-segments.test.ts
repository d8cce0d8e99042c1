// Segments in Chromium: saved from the filters of a page, chosen, changed, shared and deleted.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { addPerson } from '../support/accounts.ts'
import { assertAccessible, assertNoSidewaysScroll, openDashboardOfFile } from '../support/dashboard.ts'
import { untilEqual, untilMatch } from '../support/until.ts'

const dashboard = await openDashboardOfFile()
const { footfall, open, owner } = dashboard
const home = `/properties/${footfall.property.id}`

for (let visitor = 1; visitor <= 5; visitor++)
  await footfall.track.load({
    address: `203.0.113.${visitor}`,
    page: `https://example.com/${visitor > 3 ? 'blog' : ''}`,
  })

const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).click()
const sessionsIn = (page: Page) =>
  page
    .getByRole('group')
    .getByRole('button', { name: /^Sessions/ })
    .first()
    .textContent()
const filtersOf = (page: Page) => new URL(page.url()).searchParams.getAll('f')

test('filters are saved as a segment, chosen on another page by keyboard, changed, shared and deleted', async () => {
  const { page, errors } = await open(`${home}?period=today&f=entry_path_full:equals:/blog`, { as: owner })
  await untilMatch(() => sessionsIn(page), /^Sessions2/)
  await press(page, 'Segments')
  const dialog = page.getByRole('dialog', { name: 'Segments' })
  await dialog.getByText('No segments yet').waitFor()
  await assertAccessible(page)
  await dialog.getByRole('button', { name: 'Save these filters' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Blog readers')
  await page.getByRole('checkbox', { name: /Share with everyone/ }).check()
  await page.keyboard.press('Enter')
  await page
    .getByRole('dialog', { name: 'Segments' })
    .getByRole('button', { name: /^Blog readers/ })
    .waitFor()
  await page.keyboard.press('Escape')

  await page.goto(`${footfall.url}/dashboard${home}?period=today`)
  await untilMatch(() => sessionsIn(page), /^Sessions5/)
  await page.getByRole('button', { name: 'Segments' }).press('Enter')
  await page.getByRole('button', { name: /^Blog readers/ }).press('Enter')
  await page.getByRole('button', { name: 'Segment: Blog readers', exact: true }).waitFor()
  await untilMatch(() => sessionsIn(page), /^Sessions2/)
  await untilMatch(async () => filtersOf(page).join(), /^segment:equals:sg_\w+$/)

  await press(page, /^Segment: Blog readers$/)
  await page.getByRole('button', { name: /^Blog readers/ }).waitFor()
  await press(page, 'Edit Blog readers')
  await page.getByRole('textbox', { name: 'Name' }).fill('Readers')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByRole('button', { name: /^Readers/ }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Segment: Readers', exact: true }).waitFor()

  await page.goto(`${footfall.url}/dashboard${home}/settings/sharing`)
  await press(page, 'New share link')
  await page.getByRole('textbox', { name: 'Name' }).fill('Editors')
  await page.getByLabel('Shows').selectOption({ label: 'Readers' })
  await page.getByRole('dialog').getByRole('button', { name: /link$/ }).click()
  const url = await page.locator('dialog pre').textContent()
  const visitor = await open(new URL(url ?? '').pathname.replace('/dashboard', ''))
  await visitor.page.waitForURL('**/properties/**')
  await visitor.page.goto(`${footfall.url}/dashboard${home}?period=today`)
  await visitor.page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
  assert.equal(await visitor.page.getByRole('button', { name: 'Segments' }).count(), 0)

  await page.goto(`${footfall.url}/dashboard${home}?period=today`)
  await press(page, 'Segments')
  await press(page, 'Delete Readers')
  await press(page, 'Delete segment')
  await page
    .getByRole('alert')
    .getByText(/A share link is limited to this segment/)
    .waitFor()
  assert.deepEqual(
    errors.filter((error) => !/status of 409/.test(error)),
    [],
  )
})

test('a viewer saves a segment of their own, on a phone', async () => {
  const viewer = await addPerson(footfall, { roles: { [footfall.property.id]: 'viewer' } })
  const { page, errors } = await open(`${home}?period=today&f=entry_path_full:equals:/blog`, { as: viewer, width: 390 })
  await press(page, 'Segments')
  await press(page, 'Save these filters')
  await page.getByRole('textbox', { name: 'Name' }).fill('Mine')
  assert.equal(await page.getByRole('checkbox').count(), 0)
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: /^Mine Only you/ }).waitFor()
  await assertNoSidewaysScroll(page)
  await assertAccessible(page)
  await page.getByRole('button', { name: /^Mine Only you/ }).click()
  await untilEqual(async () => filtersOf(page).length, 2)
  assert.deepEqual(errors, [])
})
