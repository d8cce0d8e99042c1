// Tables of records sorted by their heads in Chromium: links, forms and goals.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { assertAccessible, openDashboardOfFile } from '../support/dashboard.ts'
import { untilEqual } from '../support/until.ts'
import { addGroup, addLink, visit } from '../support/visits.ts'

const dashboard = await openDashboardOfFile()
const { footfall, open, owner } = dashboard
const home = `/properties/${footfall.property.id}`

const firstRow = (page: Page) => page.locator('tbody tr').first()
const head = (page: Page, name: string) => page.getByRole('columnheader', { name })
const searchOf = (page: Page) => new URL(page.url()).search

test('links begin with the most clicks; their heads sort by keyboard, and Back undoes it', async () => {
  const group_id = await addGroup(footfall)
  const links = []
  for (const name of ['Clicked once', 'Clicked twice', 'Never clicked'])
    links.push(await addLink(footfall, { group_id, name }))
  for (const [index, visitor] of [
    [0, 1],
    [1, 1],
    [1, 2],
  ] as const)
    await visit(footfall.url, new URL(links[index]!.short_url).pathname, { address: `203.0.113.${visitor}` })
  const { page, errors } = await open(`${home}/links`, { as: owner })
  await firstRow(page).getByText('Clicked twice').waitFor()
  await head(page, 'Clicks').and(page.locator('[aria-sort=descending]')).waitFor()
  await head(page, 'Clicks').getByRole('button').press('Enter')
  await firstRow(page).getByText('Never clicked').waitFor()
  await untilEqual(() => searchOf(page), '?sort=clicks')
  await assertAccessible(page)
  await page.goBack()
  await firstRow(page).getByText('Clicked twice').waitFor()
  await page.setViewportSize({ width: 390, height: 740 })
  await page.getByRole('combobox', { name: 'Sort' }).selectOption('engaged')
  await untilEqual(() => searchOf(page), '?sort=-engaged')
  assert.deepEqual(errors, [])
})

test('forms and goals are in the order of creation until a head is pressed', async () => {
  const at = `/manage/properties/${footfall.property.id}`
  for (const name of ['Beta', 'Alpha', 'Gamma']) {
    await footfall.call('POST', `${at}/forms`, { body: { name, kind: 'open' } })
    await footfall.call('POST', `${at}/conversions`, { body: { name, event_type: 'event', event_value: name } })
  }
  for (const [path, figure] of [
    ['forms', 'views'],
    ['goals', 'converted'],
  ] as const) {
    const { page, errors } = await open(`${home}/${path}`, { as: owner })
    await firstRow(page).getByRole('link', { name: 'Gamma' }).waitFor()
    assert.equal(await page.locator('[aria-sort]').count(), 0)
    await head(page, path === 'forms' ? 'Form' : 'Goal')
      .or(head(page, 'Name'))
      .first()
      .getByRole('button')
      .press('Enter')
    await firstRow(page).getByRole('link', { name: 'Alpha' }).waitFor()
    await untilEqual(() => searchOf(page), '?sort=name')
    await page.goto(`${footfall.url}/dashboard${home}/${path}?sort=-${figure}`)
    await page.locator('[aria-sort=descending]').waitFor()
    await firstRow(page).getByRole('link', { name: 'Gamma' }).waitFor()
    assert.deepEqual(errors, [])
  }
})
