// The preview card of a link in the dashboard, in Chromium: written with what it looks like, refused by
// field, shown to viewers and removed.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addPerson } from '../support/accounts.ts'
import { assertAccessible, assertNoSidewaysScroll, openDashboardOfFile } from '../support/dashboard.ts'
import { addGroup, addLink, visit } from '../support/visits.ts'

const SLACK = 'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)'
const HOSTILE = `"><img src=x onerror=alert(1)>`

const dashboard = await openDashboardOfFile()
const { footfall } = dashboard

test('a preview card is written while it is looked at, shown to crawlers, and removed', async () => {
  const link = await addLink(footfall, { group_id: await addGroup(footfall) })
  const at = `/properties/${footfall.property.id}/links/${link.id}`
  const { page, errors } = await dashboard.open(at, { as: dashboard.owner })
  const panel = page.getByRole('region', { name: 'Preview card', exact: true })
  await panel.getByText('show the title and image of the destination').waitFor()
  await panel.getByRole('button', { name: 'Add preview card' }).focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Preview card' })
  await dialog.getByLabel('Title').fill(HOSTILE)
  await dialog.getByLabel('Description').fill('All lamps, half the price')
  await dialog.getByLabel('Image URL').fill('https://user:secret@cdn.example/lamp.jpg')
  await dialog.getByRole('region', { name: 'Preview' }).getByText(HOSTILE).waitFor()
  await assertAccessible(page)
  await dialog.getByRole('button', { name: 'Save card' }).click()
  await dialog
    .getByText(/image_url|user name/i)
    .first()
    .waitFor()
  await dialog.getByLabel('Image URL').fill('https://cdn.example/lamp.jpg')
  await dialog.getByLabel('Image URL').press('Enter')
  await page.getByText('Card saved').waitFor()
  await panel.getByText('All lamps, half the price').waitFor()
  const seen = await visit(footfall.url, new URL(link.short_url).pathname, { agent: SLACK })
  assert.match(seen.text, /<meta property="og:image" content="https:\/\/cdn\.example\/lamp\.jpg">/)

  const viewer = await addPerson(footfall, { email: 'v@example.com', roles: { [footfall.property.id]: 'viewer' } })
  const phone = await dashboard.open(at, { as: viewer, width: 360, theme: 'dark' })
  const shown = phone.page.getByRole('region', { name: 'Preview card', exact: true })
  await shown.getByText(HOSTILE).waitFor()
  assert.equal(await shown.getByRole('button').count(), 0)
  await assertNoSidewaysScroll(phone.page)
  await assertAccessible(phone.page)

  await panel.getByRole('button', { name: 'Edit card' }).click()
  await dialog.getByRole('button', { name: 'Remove card' }).click()
  await panel.getByText('show the title and image of the destination').waitFor()
  assert.deepEqual([...errors.filter((error) => !/status of 422/.test(error)), ...phone.errors], [])
})
