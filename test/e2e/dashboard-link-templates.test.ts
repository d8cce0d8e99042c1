// UTM templates of groups in the dashboard, in Chromium: written with placeholders, seen before a link is
// created, and left out for one.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertAccessible, assertNoSidewaysScroll, openDashboardOfFile } from '../support/dashboard.ts'
import { addGroup, addLink } from '../support/visits.ts'
import { untilEqual } from '../support/until.ts'

const dashboard = await openDashboardOfFile()
const { footfall } = dashboard
const path = (rest: string): string => `/properties/${footfall.property.id}${rest}`

const linksOf = async (): Promise<{ name: string | null; code: string; utm: Record<string, string | null> }[]> =>
  (await footfall.call('GET', '/v2/property/links')).json.data.data

test('a template is built with placeholders, fills in quick and full creation, and can be left out', async () => {
  const group = await addGroup(footfall, { name: 'Spring letter' })
  await addLink(footfall, { group_id: group, name: 'Before' })
  const { page, errors } = await dashboard.open(path(`/links/groups/${group}?open=edit`), {
    as: dashboard.owner,
    width: 390,
  })
  const dialog = page.getByRole('dialog', { name: 'Edit group' })
  await dialog.getByText('UTM template').click()
  await dialog.getByLabel('Source').fill('{nobody}')
  await dialog.getByRole('button', { name: 'Save group' }).click()
  await dialog.getByText(/may have no placeholders but/).waitFor()
  await dialog.getByLabel('Source').fill('letter')
  await dialog.getByLabel('Content').focus()
  await dialog.getByRole('button', { name: '{code}' }).click()
  await untilEqual(() => dialog.getByLabel('Content').inputValue(), '{code}')
  await dialog.getByLabel('Campaign').fill('{group}')
  const example = dialog.getByRole('region', { name: 'Example' })
  await example
    .getByText('https://example.com/?utm_source=letter&utm_campaign=spring-letter&utm_content=aBc1234')
    .waitFor()
  await assertAccessible(page)
  await assertNoSidewaysScroll(page)
  await dialog.getByRole('button', { name: 'Save group' }).click()
  await dialog.waitFor({ state: 'detached' })

  await page.goto(`${footfall.url}/dashboard${path('/links')}`)
  await page.getByLabel('Destination URL').fill('example.com/quick')
  await page.getByText('https://example.com/quick?utm_source=letter&utm_campaign=spring-letter').waitFor()
  await assertNoSidewaysScroll(page)
  await page.keyboard.press('Enter')
  const done = page.getByRole('dialog', { name: 'Link created' })
  await done.getByRole('button', { name: 'Done' }).click()
  const [quick] = await linksOf()
  assert.deepEqual([quick?.utm['utm_source'], quick?.utm['utm_content']], ['letter', quick?.code])

  await page.getByRole('button', { name: 'New link' }).click()
  const editor = page.getByRole('dialog', { name: 'New link' })
  await editor.getByLabel('Destination URL').fill('example.com/full')
  await editor.getByText('More options').click()
  const full = editor.getByRole('region', { name: 'Attribution preview' })
  await full.getByText('utm_source=letter&utm_campaign=spring-letter').waitFor()
  await editor.getByLabel('Medium').fill('email')
  await full.getByText('utm_source=letter&utm_medium=email').waitFor()
  await assertAccessible(page)
  await editor.getByLabel('Use the template of “Spring letter”').click()
  await full.getByText('example.com/full?utm_medium=email', { exact: false }).waitFor()
  await editor.getByRole('button', { name: 'Create link' }).click()
  await done.waitFor()
  const [bare, , before] = await linksOf()
  assert.deepEqual([bare?.utm['utm_source'], bare?.utm['utm_medium']], [null, 'email'])
  assert.deepEqual([before?.name, before?.utm['utm_source']], ['Before', null])
  assert.deepEqual(
    errors.filter((error) => !/status of 4\d\d/.test(error)),
    [],
  )
})
