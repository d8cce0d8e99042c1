// Sessions that do not count, in Chromium: marked on their own page or many together after a look, listed,
// taken back, and only looked at by those who may not mark.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { addPerson, type Person } from '../support/accounts.ts'
import { assertAccessible, assertNoSidewaysScroll, openDashboardOfFile } from '../support/dashboard.ts'
import type { TestProperty } from '../support/server.ts'
import { untilEqual } from '../support/until.ts'

const HOSTILE = '/<img src=x onerror=alert(1)>'

const dashboard = await openDashboardOfFile()

interface World {
  readonly site: TestProperty
  readonly admin: Person
  readonly viewer: Person
  readonly visit: (host: string, path?: string) => Promise<string>
  /** Sessions in the figures. */
  readonly counted: () => Promise<number>
  readonly settings: string
}

async function openWorld(): Promise<World> {
  const { footfall } = dashboard
  const site = await footfall.addProperty()
  const person = (role: 'admin' | 'viewer') => addPerson(footfall, { roles: { [site.id]: role } })
  let visitors = 0
  return {
    site,
    admin: await person('admin'),
    viewer: await person('viewer'),
    visit: async (host, path = '/') => {
      const address = `198.51.100.${++visitors}`
      return (await footfall.track.load({ key: site.key, address, page: `https://${host}${path}` })).json.session_id
    },
    counted: async () => {
      const body = { period: 'last_7', limit: 1 }
      return (await footfall.call('POST', '/v2/property/signals/sessions', { token: site.token, body })).json.total
    },
    settings: `/properties/${site.id}/settings/exclusions`,
  }
}

const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true }).click()
const says = (page: Page, words: string | RegExp) => page.getByText(words).first().waitFor()
const together = (page: Page) => page.getByRole('table', { name: 'Bulk exclusions' })
const alone = (page: Page) => page.getByRole('table', { name: 'Single exclusions' })

test('a visit is taken out of every figure on its own page, and put back', async () => {
  const { site, admin, viewer, visit, counted } = await openWorld()
  const session = await visit('example.com')
  const story = `/properties/${site.id}/sessions/${session}`
  const { page, errors } = await dashboard.open(story, { as: admin })
  await press(page, 'Mark as invalid')
  await says(page, 'This visit is marked as invalid')
  await says(page, 'Visit marked as invalid.')
  assert.equal(await counted(), 0)
  await assertAccessible(page)

  const looker = await dashboard.open(story, { as: viewer, width: 360, theme: 'dark' })
  await says(looker.page, 'This visit is marked as invalid')
  assert.equal(await looker.page.getByRole('button', { name: 'Count again' }).count(), 0)
  await assertAccessible(looker.page)
  await assertNoSidewaysScroll(looker.page)

  await press(page, 'Count again')
  await page.getByRole('button', { name: 'Mark as invalid' }).waitFor()
  assert.equal(await counted(), 1)
  assert.deepEqual([...errors, ...looker.errors], [])
})

test('many are looked at before they are marked together, and the marking is undone from the list', async () => {
  const { admin, visit, counted, settings } = await openWorld()
  for (const host of ['example.com', 'evil.example', 'evil.example']) await visit(host)
  const { page, errors } = await dashboard.open(settings, { as: admin })
  await says(page, 'No exclusions yet')
  await press(page, 'Count sessions')
  await says(page, '3 sessions would be marked.')
  await assertAccessible(page)
  assert.equal(await counted(), 3, 'a look marks nothing')

  await press(page, 'Only this: evil.example')
  await says(page, '2 sessions would be marked.')
  assert.equal(await page.getByLabel('Hostname of the first page').inputValue(), 'evil.example')
  await page.getByRole('textbox', { name: 'Network' }).fill('Nobody')
  await says(page, 'You changed the criteria. Count again.')
  assert.equal(await page.getByRole('button', { name: /^Mark 2 sessions/ }).count(), 0)
  await press(page, 'Count sessions')
  await says(page, 'No sessions match.')
  await page.getByRole('textbox', { name: 'Network' }).fill('')
  await press(page, 'Count sessions')
  await press(page, 'Mark 2 sessions as invalid')
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Mark 2 sessions as invalid?').waitFor()
  await assertAccessible(page)
  await dialog.getByRole('button', { name: 'Mark as invalid' }).click()
  await together(page).getByText('Host evil.example').waitFor()
  await together(page).getByText('Not counted').waitFor()
  await untilEqual(counted, 1)
  await assertAccessible(page)

  await page.getByRole('button', { name: /^Undo: Host evil\.example/ }).click()
  await together(page).getByText('Undone').waitFor()
  await untilEqual(counted, 3)
  assert.equal(await page.getByRole('button', { name: /^Undo: / }).count(), 0)
  assert.deepEqual(errors, [])
})

test('what cannot be asked is said at its field', async () => {
  const { admin, settings } = await openWorld()
  const { page } = await dashboard.open(settings, { as: admin })
  await page.getByLabel('Started after').fill('')
  await press(page, 'Count sessions')
  await says(page, 'Enter a date and time.')
  await page.getByLabel('Started after').fill('2026-03-02T10:00')
  await page.getByLabel('Started before').fill('2026-03-02T09:00')
  await page.getByLabel('Hostname of the first page').fill('https://x.example/')
  await press(page, 'Count sessions')
  await says(page, /must be later|must be a host/)
  await assertAccessible(page)
})

test('sessions that were marked one by one are listed and counted again, also on a phone; whoever may not mark only looks', async () => {
  const { footfall, open } = dashboard
  const { site, admin, viewer, visit, counted, settings } = await openWorld()
  const sessions = [await visit('example.com'), await visit('example.com', encodeURI(HOSTILE))]
  for (const session of sessions)
    await footfall.call('POST', `/manage/properties/${site.id}/sessions/${session}/mark`, {
      body: { is_invalid: true },
    })
  const looker = await open(settings, { as: viewer, width: 360, theme: 'dark' })
  await alone(looker.page).getByText('onerror=alert(1)').waitFor()
  await assertAccessible(looker.page)
  await assertNoSidewaysScroll(looker.page)
  for (const name of ['Count sessions', /^Count again/])
    assert.equal(await looker.page.getByRole('button', { name }).count(), 0)

  const { page, errors } = await open(settings, { as: admin, width: 360 })
  await alone(page).getByRole('link', { name: 'example.com/', exact: true }).waitFor()
  await assertNoSidewaysScroll(page)
  await page.getByRole('button', { name: 'Count again: example.com/', exact: true }).click()
  await says(page, 'The session is counted again.')
  await untilEqual(() => alone(page).getByRole('link').count(), 1)
  assert.equal(await counted(), 1)
  await alone(page).getByRole('link').click()
  await says(page, 'This visit is marked as invalid')
  assert.deepEqual([...errors, ...looker.errors], [])
})
