// Short links in the dashboard, in Chromium: made with a preview of what they will count as, followed, read,
// switched off, and made by the dozen.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { addPerson } from '../support/accounts.ts'
import { assertAccessible, assertNoSidewaysScroll, openDashboardOfFile, untilTrue } from '../support/dashboard.ts'
import { addGroup, addLink, visit } from '../support/visits.ts'
import { untilEqual } from '../support/until.ts'

const HOSTILE = `"><img src=x onerror=alert(1)>=1+1`
const ROBOT = 'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)'

const dashboard = await openDashboardOfFile()

const path = (rest: string): string => `/properties/${dashboard.footfall.property.id}${rest}`
const openAsOwner = (rest: string, how: object = {}) => dashboard.open(path(rest), { as: dashboard.owner, ...how })
const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).first().click()
const says = (page: Page, words: string | RegExp) => page.getByText(words).first().waitFor()
/** Answers below 500 that a page expects; the browser notes them all the same. */
const unexpected = (errors: readonly string[]) => errors.filter((error) => !/status of 4\d\d/.test(error))

/** The figure under its name. */
const figure = (page: Page, label: string, value: string) =>
  page
    .locator('dl > div', { hasText: label })
    .locator('dd', { hasText: new RegExp(`^${value}$`) })
    .first()
    .waitFor()

/** As a visitor does, with the keyboard alone. */
async function enterByPassword(page: Page, link: { readonly code: string }): Promise<void> {
  const visitor = await page.context().newPage()
  await visitor.goto(`${dashboard.footfall.url}/a/${link.code}`)
  await assertAccessible(visitor)
  await visitor.keyboard.type('wrong')
  await visitor.keyboard.press('Enter')
  await visitor.getByText('That password is not correct.').waitFor()
  await assertAccessible(visitor)
  await visitor.keyboard.type('open sesame')
  const led = visitor.waitForRequest(/^https:\/\/example\.com\//)
  await visitor.keyboard.press('Enter')
  await led
  await visitor.close()
}

test('a link is pasted and there; another has a slug, a new group and suggested values, is followed and turned off', async () => {
  const { page, errors } = await openAsOwner('/links')
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await says(page, 'No links yet')
  await assertAccessible(page)
  await page.getByLabel('Destination URL').fill('ftp://example.com')
  await page.keyboard.press('Enter')
  await says(page, /must begin with http/)
  await page.getByLabel('Destination URL').fill('example.com/quick')
  await page.keyboard.press('Enter')
  const done = page.getByRole('dialog', { name: 'Link created' })
  await done.getByText('Copied to clipboard').waitFor()
  await done.getByRole('img', { name: /QR code of/ }).waitFor()
  await assertAccessible(page)
  const [quick] = (await dashboard.footfall.call('GET', '/v2/property/links')).json.data.data
  assert.equal(quick.destination_url, 'https://example.com/quick')
  assert.equal(await page.evaluate('navigator.clipboard.readText()'), quick.short_url)
  await done.getByRole('button', { name: 'Done' }).click()
  await untilEqual(() => page.getByLabel('Destination URL').inputValue(), '')
  await dashboard.footfall.call('DELETE', `/v2/property/links/${quick.id}`)

  await press(page, 'New link')
  const dialog = page.getByRole('dialog', { name: 'New link' })
  await dialog.getByLabel('Destination URL').fill('javascript:alert(1)')
  const slug = dialog.getByLabel('Custom back-half (optional)')
  await slug.fill('dashboard')
  await dialog.getByText('This word is reserved.').waitFor()
  await slug.fill(quick.code)
  await dialog.getByText('Already taken, or used before.').waitFor()
  await dialog.getByRole('button', { name: `${quick.code.toLowerCase()}-2` }).click()
  await dialog.getByText('Available', { exact: true }).waitFor()
  await slug.fill('Prices_1')
  await dialog.getByText('More options').click()
  await dialog.getByLabel('Group', { exact: true }).selectOption('New group…')
  await dialog.getByLabel('Name of the new group').fill('Spring letter')
  await dialog.getByLabel('Purpose').selectOption('newsletter')
  await dialog.getByRole('button', { name: 'Suggest for “Newsletter”' }).click()
  await untilEqual(() => dialog.getByLabel('Medium').inputValue(), 'email')
  await dialog.getByRole('button', { name: 'Create link' }).click()
  await dialog.getByText(/http:\/\/ or https:\/\//).waitFor()
  await untilEqual(() => dialog.getByLabel('Destination URL').getAttribute('aria-invalid'), 'true')
  await dialog.getByLabel('Destination URL').fill('example.com/prices?utm_source=mine')
  await dialog.getByLabel('Name', { exact: true }).fill(HOSTILE)
  const preview = dialog.getByRole('region', { name: 'Attribution preview' })
  await preview.getByText('?utm_source=mine&utm_medium=email&utm_campaign=spring-letter').waitFor()
  await preview.getByText('Email', { exact: true }).waitFor()
  await assertAccessible(page)
  await dialog.getByRole('button', { name: 'Create link' }).click()
  await done.getByText('/a/Prices_1').first().waitFor()
  await done.getByRole('link', { name: 'View details' }).click()
  await page.getByRole('heading', { name: HOSTILE }).waitFor()
  const groups = (await dashboard.footfall.call('GET', '/v2/property/link-groups')).json.data.groups
  assert.deepEqual(
    groups.map(({ name }: { name: string }) => name),
    ['Spring letter', 'General'],
    'the link that was refused at first created the group once',
  )

  const [link] = (await dashboard.footfall.call('GET', '/v2/property/links')).json.data.data
  const { location = '' } = await visit(dashboard.footfall.url, `/a/${link.code}`)
  await dashboard.footfall.track.load({ page: location, address: '203.0.113.7' })
  await visit(dashboard.footfall.url, `/a/${link.code}`, { agent: ROBOT })
  await page.reload()
  await figure(page, 'Clicks', '1')
  await figure(page, 'Arrived', '1')
  assert.equal(await page.getByText('already on the site').count(), 0)
  const reader = { address: '203.0.113.8' }
  await dashboard.footfall.track.load(reader)
  // The first page view of a session counts as an arrival up to two seconds before the click.
  dashboard.footfall.clock.advance(5_000)
  await visit(dashboard.footfall.url, `/a/${link.code}`, reader)
  await dashboard.footfall.track.load({ page: location, ...reader })
  await page.reload()
  await figure(page, 'Clicks', '2')
  await figure(page, 'Arrived', '2')
  await says(page, '1 of those who arrived was already on the site that day.')
  await says(page, '1 bot click not counted.')
  await page.getByRole('img', { name: new RegExp(`QR code of .*${link.code}`) }).waitFor()
  await untilTrue(page, 'document.querySelector("img").naturalWidth > 0')
  await page.getByRole('table', { name: 'Clicks, newest first' }).getByText('Slack').waitFor()
  await assertAccessible(page)
  const [picture] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Download QR code as PNG' }).click(),
  ])
  assert.equal(
    readFileSync(await picture.path())
      .subarray(1, 4)
      .toString(),
    'PNG',
  )

  await press(page, 'Edit rules')
  const editor = page.getByRole('dialog', { name: 'Schedule and targeting' })
  await editor.getByLabel('Expires', { exact: true }).fill('2020-01-01T00:00')
  await editor.getByRole('button', { name: 'Add rule' }).click()
  await editor.getByRole('button', { name: 'Save rules' }).click()
  await editor
    .getByText(/needs a condition|must begin with/)
    .first()
    .waitFor()
  await editor.getByLabel('Expires', { exact: true }).fill('2099-01-01T00:00')
  await editor.getByLabel('Operating system').fill('iOS')
  await editor.getByLabel('Country codes').first().fill('fr')
  await editor.getByLabel('Redirect to', { exact: true }).fill('example.com/app')
  await editor.getByRole('button', { name: 'Split traffic' }).click()
  await editor.getByLabel('Destination 2').fill('example.com/b')
  await editor.getByRole('button', { name: 'Test', exact: true }).click()
  await editor.getByText(/→ https:\/\/example\.com\/app\?utm_source.*\(rule 1\)/).waitFor()
  await editor.getByLabel('When (empty: now)').fill('2100-01-01T00:00')
  await editor.getByRole('button', { name: 'Test', exact: true }).click()
  await editor.getByText('“Link expired” page').waitFor()
  await assertAccessible(page)
  await editor.getByRole('button', { name: 'Save rules' }).click()
  await says(page, 'Rules saved')
  await says(page, 'iOS · FR')
  await says(page, '50% of visitors')
  await assertAccessible(page)

  await press(page, 'Edit rules')
  await editor.getByLabel('Expires after clicks').fill('2')
  await editor.getByLabel('Require a password').check()
  await editor.getByLabel('Password', { exact: true }).fill('abc')
  await editor.getByRole('button', { name: 'Save rules' }).click()
  await editor.getByText('must have at least 4 characters').waitFor()
  await editor.getByLabel('Password', { exact: true }).fill('open sesame')
  await assertAccessible(page)
  await editor.getByRole('button', { name: 'Save rules' }).click()
  await says(page, '0 of 2 used')
  await enterByPassword(page, link)
  await page.reload()
  await says(page, '1 of 2 used')

  await press(page, 'Turn off')
  await says(page, 'This link is off')
  assert.equal((await visit(dashboard.footfall.url, `/a/${link.code}`)).status, 404)
  await press(page, 'Edit')
  await page.getByLabel('Content').fill('footer')
  await press(page, 'Save')
  await says(page, 'Link saved')
  await says(page, 'Content: footer')
  assert.deepEqual(unexpected(errors), [])
})

test('links are searched and taken along; many are checked, refused whole, and made from a file', async () => {
  const { footfall } = dashboard
  const group = await addGroup(footfall, { name: 'Posts' })
  for (const name of ['Lamps', 'Chairs']) await addLink(footfall, { group_id: group, name })
  const { page, errors } = await openAsOwner('/links')
  await page.getByRole('link', { name: /Chairs/ }).waitFor()
  await page.keyboard.press('/')
  await page.keyboard.type('LAMP')
  await page.waitForURL(/q=LAMP/)
  await page.getByRole('link', { name: /Chairs/ }).waitFor({ state: 'detached' })
  await page.getByRole('link', { name: /Lamps/ }).waitFor()
  await page.getByRole('searchbox').fill('nothing like it')
  await says(page, 'No links found')
  await press(page, 'Show all links')
  await page.getByLabel('Group', { exact: true }).selectOption('Posts')
  await page.getByRole('link', { name: HOSTILE }).waitFor({ state: 'detached' })
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Download CSV' }).click(),
  ])
  const csv = readFileSync(await file.path(), 'utf8')
  assert.match(csv, /Lamps/)
  assert.doesNotMatch(csv, /onerror/)

  await page.getByRole('link', { name: 'Bulk create' }).click()
  await page.getByRole('heading', { name: 'Bulk create' }).waitFor()
  await page.getByLabel('Group', { exact: true }).selectOption('Posts')
  await page.getByLabel('Destinations or CSV').fill('https://example.com/one\nftp://example.com/two\n')
  await press(page, 'Check')
  await says(page, '1 row has problems, so nothing will be created.')
  await page.getByRole('cell', { name: '2', exact: true }).waitFor()
  await assertAccessible(page)
  await press(page, 'Back')
  await page.getByLabel('CSV file').setInputFiles({
    name: 'links.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from('destination_url,group,name\nhttps://example.com/1,Autumn,One\nhttps://example.com/2,,Two\n'),
  })
  await says(page, 'links.csv: 2 rows')
  await press(page, 'Check')
  await press(page, 'Create 2 links')
  await says(page, '2 links created')
  const [made] = await Promise.all([page.waitForEvent('download'), press(page, 'Download with short URLs')])
  assert.match(readFileSync(await made.path(), 'utf8'), /\/a\/\w{7}","https:\/\/example\.com\/1","One"/)
  await press(page, 'Create more')
  await page.getByLabel('Import from').selectOption('Dub')
  await page.getByText(/Keys are kept/).waitFor()
  await page.getByLabel('Group', { exact: true }).selectOption('Posts')
  await assertAccessible(page)
  await page.getByLabel('CSV file').setInputFiles({
    name: 'dub.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from('link,url,title\nhttps://dub.sh/from-dub,https://example.com/dub,Moved\n'),
  })
  await press(page, 'Check')
  await press(page, 'Create 1 link')
  await says(page, '1 link created')
  assert.equal((await visit(footfall.url, '/a/from-dub')).location, 'https://example.com/dub')
  await page.getByRole('link', { name: 'Go to links' }).click()
  await page.getByRole('tab', { name: 'Groups' }).click()
  await page.getByRole('link', { name: 'Autumn' }).click()
  await page.getByRole('heading', { name: 'Autumn' }).waitFor()
  await page.getByRole('link', { name: /One/ }).waitFor()
  await page.getByRole('link', { name: /Two/ }).waitFor({ state: 'detached' })
  await assertAccessible(page)
  assert.deepEqual(unexpected(errors), [])
})

test('dark and on a phone; viewers read and change nothing; a group goes when its name is typed', async () => {
  const { footfall } = dashboard
  const group = await addGroup(footfall, { name: 'Last', purpose: 'social' })
  const link = await addLink(footfall, {
    group_id: group,
    name: 'W'.repeat(40),
    destination_url: `https://example.com/${'a-long-way-'.repeat(12)}`,
    utm: { utm_source: 'x'.repeat(120) },
  })
  const viewer = await addPerson(footfall, { roles: { [footfall.property.id]: 'viewer' } })
  const seen = await dashboard.open(path(`/links/${link.id}`), { as: viewer, theme: 'dark', width: 360 })
  await says(seen.page, 'No clicks yet')
  await assertAccessible(seen.page)
  await assertNoSidewaysScroll(seen.page)
  for (const name of ['Edit', 'Turn off', 'More actions'])
    assert.equal(await seen.page.getByRole('button', { name }).count(), 0, name)
  await seen.page.goto(`${footfall.url}/dashboard${path('/links/many')}`)
  await says(seen.page, 'You don’t have access')
  assert.deepEqual(seen.errors, [])

  await dashboard.leavePages()
  const { page, errors } = await openAsOwner('/links', { width: 360, theme: 'dark' })
  await page.getByRole('link', { name: /Lamps/ }).waitFor()
  await assertNoSidewaysScroll(page)
  await assertAccessible(page)
  await press(page, 'New link')
  await page.getByRole('dialog', { name: 'New link' }).getByLabel('Destination URL').waitFor()
  await assertNoSidewaysScroll(page)
  await page.keyboard.press('Escape')
  await page.getByRole('tab', { name: 'Groups' }).click()
  await page.getByRole('link', { name: 'Last' }).click()
  await page.getByRole('heading', { name: 'Last' }).waitFor()
  await page.getByRole('link', { name: /a-long-way/ }).waitFor()
  await assertNoSidewaysScroll(page)
  await assertAccessible(page)
  await press(page, 'More actions')
  await page.getByRole('menuitem', { name: 'Archive' }).click()
  await says(page, 'This group is archived')
  await press(page, 'More actions')
  await page.getByRole('menuitem', { name: 'Delete group' }).click()
  const ask = page.getByRole('dialog')
  const sure = ask.getByRole('button', { name: 'Delete group' })
  await untilEqual(() => sure.isDisabled(), true)
  await ask.getByLabel(/Type/).fill('Last')
  await sure.click()
  await page.getByRole('link', { name: 'Posts' }).waitFor()
  await page.getByRole('link', { name: 'Last' }).waitFor({ state: 'detached' })
  assert.deepEqual(unexpected(errors), [])
})
