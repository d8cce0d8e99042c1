// All properties beside one another in Chromium: found, sorted and grouped, by keyboard and on a phone.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { addPerson } from '../support/accounts.ts'
import { assertAccessible, assertNoSidewaysScroll, openDashboardOfFile } from '../support/dashboard.ts'
import { startAgain } from '../support/server.ts'
import { untilEqual, untilMatch } from '../support/until.ts'

const HOSTILE = `<img src=x onerror="document.title='run'">`
const dashboard = await openDashboardOfFile()
const { footfall } = dashboard

/** A property of a client, with as many visitors who are there now. */
async function addSite(name: string, client: string, visitors: number): Promise<string> {
  const site = await startAgain(footfall, footfall.context.now())
  await site.call('POST', `/manage/properties/${site.property.id}`, {
    body: { name, client, domains: [`${name.split(' ')[0]?.toLowerCase()}.example`, 'second.example'] },
  })
  for (let visitor = 1; visitor <= visitors; visitor++) await site.track.load({ address: `203.0.113.${visitor}` })
  return site.property.id
}

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor()
const namesIn = (page: Page, table: string) =>
  page.getByRole('table', { name: table }).locator('tbody a').allTextContents()

test('whoever has one property comes to its overview, and whoever has several to all of them', async () => {
  const { open } = dashboard
  const id = await addSite('Lonely site', '', 0)
  const one = await addPerson(footfall, { roles: { [id]: 'viewer' } })
  const { page } = await open('/', { as: one })
  await page.waitForURL(`**/properties/${id}`)
  await page.getByRole('button', { name: /Lonely site/ }).click()
  assert.equal(await page.getByRole('link', { name: 'All properties' }).count(), 0)
})

test('sites are grouped by client, found by words, and sorted by their heads', async () => {
  const { open } = dashboard
  const ids = {
    tea: await addSite('Tea shop', 'Acme', 2),
    coffee: await addSite(`Coffee ${HOSTILE}`, 'Acme', 3),
    blog: await addSite('Blog', '', 1),
  }
  const member = await addPerson(footfall, {
    roles: Object.fromEntries(Object.values(ids).map((id) => [id, 'viewer'])),
  })
  const { page, errors } = await open('/', { as: member })
  await heading(page, 'All properties')
  await page.getByText('3 properties · 6 online now').waitFor()
  await page.getByRole('heading', { level: 2, name: 'Acme' }).waitFor()
  await untilMatch(async () => (await namesIn(page, 'Acme')).join('|'), /^.*Coffee .*\|.*Tea shop/s)
  assert.equal(await page.title(), 'All properties · Footfall')
  await assertAccessible(page)

  const acme = page.getByRole('table', { name: 'Acme' })
  await acme.getByRole('button', { name: 'Property' }).press('Enter')
  await untilEqual(() => new URL(page.url()).search, '?sort=name')
  await acme.getByRole('columnheader', { name: 'Property' }).and(page.locator('[aria-sort=ascending]')).waitFor()
  await acme.getByRole('button', { name: 'Property' }).press('Enter')
  await acme.locator('tbody tr').first().getByText('Tea shop').waitFor()
  await page.keyboard.press('/')
  await page.keyboard.type('acme second coffee')
  await page.getByRole('link', { name: /Blog/ }).waitFor({ state: 'detached' })
  assert.equal(await page.locator('tbody tr').count(), 1)
  await page.getByLabel('Search properties').fill('nothing like it')
  await page.getByText('No properties found').waitFor()
  await page.getByRole('button', { name: 'Clear search' }).click()
  await page.getByRole('combobox', { name: 'Period' }).selectOption('last_7')
  await page.getByRole('link', { name: /Tea shop/ }).click()
  await page.waitForURL(`**/properties/${ids.tea}`)
  await page.getByRole('button', { name: /Property: Tea shop/ }).click()
  await page.getByRole('link', { name: 'All properties' }).click()
  await heading(page, 'All properties')
  assert.deepEqual(errors, [])
})

test('on a phone sites are cards, sorted by a choice; a site without data says so', async () => {
  const { open, owner } = dashboard
  const id = await addSite('Empty site', 'Zulu', 0)
  await footfall.context.records.updateTable('properties').set({ name: 'Empty site' }).where('id', '=', id).execute()
  const { page, errors } = await open('/', { as: owner, width: 390, theme: 'dark' })
  await heading(page, 'All properties')
  await page
    .getByRole('link', { name: /Empty site/ })
    .getByText('No data yet')
    .waitFor()
  await page.getByRole('combobox', { name: 'Sort' }).selectOption('views')
  await untilEqual(() => new URL(page.url()).search, '?sort=-views')
  await page.getByRole('button', { name: /^Sorted descending/ }).click()
  await untilEqual(() => new URL(page.url()).search, '?sort=views')
  await assertNoSidewaysScroll(page)
  await assertAccessible(page)
  assert.deepEqual(errors, [])
})
