// The settings of a property in Chromium: each section as its people use it, what others are not offered, and
// what hostile texts do there: nothing.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, afterEach, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { addPerson, type Person } from '../support/accounts.ts'
import { assertAccessible, assertNoSidewaysScroll, type Dashboard, openDashboard } from '../support/dashboard.ts'
import { untilAt, untilEqual } from '../support/until.ts'

const HOSTILE = `"><img src=x onerror=alert(1)>`

let dashboard: Dashboard
let admin: Person
const ends: (() => Promise<void>)[] = []
before(async () => {
  dashboard = await openDashboard({ after: (end) => ends.push(end) })
  admin = await addPerson(dashboard.footfall, { roles: { [dashboard.footfall.property.id]: 'admin' } })
})
after(async () => {
  for (const end of ends.toReversed()) await end()
})
afterEach(() => dashboard.leavePages())

const settings = (section = '', property = dashboard.footfall.property.id) =>
  `/properties/${property}/settings${section === '' ? '' : `/${section}`}`
const fill = async (page: Page, values: Readonly<Record<string, string>>): Promise<void> => {
  for (const [label, value] of Object.entries(values)) await page.getByLabel(label, { exact: true }).fill(value)
}
const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true }).click()
const says = (page: Page, words: string | RegExp) => page.getByText(words).first().waitFor()
const tabs = (page: Page) => page.getByRole('tablist', { name: 'Settings sections' })
const openTab = (page: Page, name: string) => tabs(page).getByRole('tab', { name, exact: true }).click()
/** Answers below 500 that a page expects; the browser notes them all the same. */
const unexpected = (errors: readonly string[]) => errors.filter((error) => !/status of 4\d\d/.test(error))

/** A secret that is shown once: it has to be copied before going on. */
async function takeSecret(page: Page): Promise<string> {
  const dialog = page.getByRole('dialog')
  await untilEqual(() => dialog.getByRole('button', { name: 'Done' }).isDisabled(), true)
  await dialog.getByLabel('I’ve copied it').check()
  return takeLink(page)
}

/** A link of which there can be another one at any time. */
async function takeLink(page: Page): Promise<string> {
  const dialog = page.getByRole('dialog')
  const secret = (await dialog.locator('pre').textContent()) ?? ''
  await dialog.getByRole('button', { name: 'Done' }).click()
  await dialog.waitFor({ state: 'detached' })
  return secret
}

test('the tracking is watched: the first page view arrives by itself, and a foreign host is told with what to do', async () => {
  const { footfall, open } = dashboard
  const { page, errors } = await open(settings(), { as: admin })
  await says(page, 'Waiting for the first page view')
  await page.getByLabel('Tracking code').getByText(`data-key="${footfall.property.key}"`).waitFor()
  await page.getByLabel('File downloads').check()
  await page.getByLabel('Tracking code').getByText('data-downloads').waitFor()
  await untilEqual(() => new URL(page.url()).search, '?downloads=1')

  await footfall.track.load({ page: 'https://example.com/' })
  await says(page, /^Working\. Last page view /)
  await says(page, 'Everything looks good.')

  await footfall.call('POST', `/manage/properties/${footfall.property.id}`, { body: { domains: ['example.com'] } })
  await footfall.track.load({ page: 'https://evil.example/', address: '203.0.113.9' })
  await press(page, 'Check now')
  await says(page, 'Not a listed domain')
  await assertAccessible(page)
  await page.getByRole('tab', { name: 'From your server' }).click()
  await says(page, 'X-PROXY-KEY')
  await page.goBack()
  await page.getByLabel('Tracking code').waitFor()
  await page.getByRole('link', { name: 'Edit domains' }).click()
  await page.waitForURL(/settings\/general$/)
  assert.deepEqual(errors, [])
})

test('general settings and exclusions are saved; what is wrong stands at its field', async () => {
  const { footfall, open } = dashboard
  const { page, errors } = await open(settings('general'), { as: admin })
  await fill(page, { Name: `Shop ${HOSTILE}`, Domains: 'https://shop.example/cart\nexa mple.com/, ok.example' })
  await press(page, 'Save')
  await says(page, 'Settings saved.')
  await page.getByRole('button', { name: `Property: Shop ${HOSTILE}` }).waitFor()
  await fill(page, { Domains: 'not_a_host!' })
  await press(page, 'Save')
  await page.locator('textarea[aria-invalid=true]').waitFor()
  await says(page, /Domains: “not_a_host!” must be a host like example\.com/)

  await openTab(page, 'Exclusions')
  await fill(page, { 'IP addresses and ranges': '203.0.113.7\n10.0.0.0/8' })
  await page.getByRole('button', { name: 'Save' }).first().click()
  await says(page, 'Settings saved.')
  await fill(page, { Paths: 'no-slash' })
  await page.getByRole('button', { name: 'Save' }).last().click()
  await says(page, /“no-slash” must be a path like/)
  const link = page.getByRole('link', { name: 'Exclude this browser' }).first()
  await untilEqual(() => link.getAttribute('href'), 'https://shop.example/?signals=off')
  const { json } = await footfall.call('GET', `/manage/properties/${footfall.property.id}`)
  const { name, domains, excluded_addresses } = json.data.property
  assert.deepEqual(
    [name, domains, excluded_addresses],
    [`Shop ${HOSTILE}`, ['shop.example', 'exa', 'mple.com', 'ok.example'], ['203.0.113.7', '10.0.0.0/8']],
  )
  assert.deepEqual(unexpected(errors), [])
})

test('the time zone of a property is that of whoever creates it, and changes every date of its pages', async () => {
  const { footfall, open } = dashboard
  const owner = await addPerson(footfall, { isOwner: true })
  const { page, errors } = await open('/new', { as: owner, timezone: 'Asia/Tokyo' })
  await fill(page, { Name: 'Far away' })
  await press(page, 'Create property')
  await page.waitForURL(/\/properties\/pr_/)
  const home = page.url().replace(/\/start$/, '')
  const { json } = await footfall.call('GET', `/manage/properties/${home.split('/').at(-1)}`)
  await footfall.track.load({ key: json.data.property.key })
  await page.goto(`${home}?period=today`)
  await page.getByText(/ · Tokyo$/).waitFor()

  await page.goto(`${home}/settings/general`)
  await page.getByLabel('Time zone').selectOption('America/St_Johns')
  await press(page, 'Save')
  await says(page, 'Settings saved.')
  await page.getByRole('link', { name: 'Overview' }).first().click()
  await page.getByText(/ · St Johns$/).waitFor()
  assert.deepEqual(unexpected(errors), [])
})

test('ad costs come from a file that is checked first, and lists show them beside logos and flags', async () => {
  const { footfall, open } = dashboard
  const site = await footfall.addProperty()
  const today = new Date(footfall.clock.now()).toISOString().slice(0, 10)
  const visitor = { key: site.key, address: '81.2.69.142' }
  await footfall.track.load({ ...visitor, page: 'https://example.com/?utm_source=google&utm_campaign=spring' })
  const { page, errors } = await open(settings('costs', site.id), { as: dashboard.owner, width: 390, hasTouch: true })
  await says(page, 'No costs yet')
  const cell = `"${HOSTILE.replaceAll('"', '""')}"`
  const choose = (rows: readonly string[]) =>
    page.getByLabel('CSV file').setInputFiles({
      name: 'ads.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(['day,source,campaign,amount,currency,clicks', ...rows].join('\n')),
    })
  await choose([`${today},google,spring,12.50,USD,3`, `${today},google,${cell},1.5.0,USD,3`])
  await says(page, 'Line 3')
  await says(page, /must be a number as 12\.50/)
  assert.equal(await page.getByRole('button', { name: /^Import \d/ }).count(), 0)
  await assertAccessible(page)
  await choose([`${today},google,spring,12.50,USD,3`, `${today},google,${cell},1.50,USD,3`])
  await says(page, 'Ignored columns: clicks.')
  await page.getByRole('button', { name: 'Import 2 rows' }).focus()
  await page.keyboard.press('Enter')
  await says(page, 'Imported: 2 new, 0 replaced, 0 removed.')
  await says(page, /\$12\.50/)
  await assertNoSidewaysScroll(page)

  await page.goto(`${footfall.url}/dashboard/properties/${site.id}?period=today&sources=utm_campaign&by=cost`)
  await page.getByRole('button', { name: /^Cost/ }).first().waitFor()
  await page
    .getByRole('listitem')
    .filter({ hasText: 'spring' })
    .getByText(/\$12\.50|\$13/)
    .first()
    .waitFor()
  const isDrawn = (src: string) =>
    page
      .locator(`img[src*="${src}"]`)
      .first()
      .evaluate((image) => (image as unknown as { naturalWidth: number }).naturalWidth > 0)
  await page.locator('img[src*="/icons/browsers/Chrome.svg"]').first().scrollIntoViewIfNeeded()
  await untilEqual(() => isDrawn('/icons/browsers/Chrome.svg'), true)
  const flag = await page.request.get(`${footfall.url}/icons/flags/gb.svg`)
  assert.deepEqual([flag.status(), flag.headers()['content-type']], [200, 'image/svg+xml; charset=utf-8'])

  await page.goto(`${footfall.url}/dashboard${settings('costs', site.id)}`)
  await press(page, 'Remove days')
  await fill(page, { 'First day': today, 'Last day': today })
  await press(page, 'Remove')
  await says(page, 'Removed 2 rows.')
  await says(page, 'No costs yet')
  assert.deepEqual(unexpected(errors), [])
})

test('money is shown in the currency of the first order, until another one is chosen', async () => {
  const { footfall, open } = dashboard
  const site = await footfall.addProperty({ currency: '' })
  const visitor = { key: site.key, address: '203.0.113.61' }
  const { json } = await footfall.track.load(visitor)
  await footfall.track.acquisition(json.session_id, { value: 4900, currency_code: 'EUR' }, visitor)
  const person = await addPerson(footfall, { roles: { [site.id]: 'admin' } })
  const { page, errors } = await open(`/properties/${site.id}?period=today`, { as: person })
  await page.getByText('€49', { exact: true }).first().waitFor()
  await page.goto(page.url().replace(/\?.*/, '/settings/general'))
  await page.getByLabel('Currency').selectOption('JPY · Japanese Yen')
  await press(page, 'Save')
  await says(page, 'Settings saved.')
  await assertAccessible(page)
  await page.getByRole('link', { name: 'Overview' }).first().click()
  await page
    .getByText(/^(JP)?¥\d{1,2},?\d{3}$/)
    .first()
    .waitFor()
  assert.equal(await page.getByText('€').count(), 0)
  assert.deepEqual(unexpected(errors), [])
})

test('what browsers may send is set beside the tracking check, which shows what was refused', async () => {
  const { footfall, open } = dashboard
  const site = await footfall.addProperty()
  const person = await addPerson(footfall, { roles: { [site.id]: 'admin' } })
  const { page, errors } = await open(settings('', site.id), { as: person })
  await page.getByLabel('Only accept page views from listed domains').check()
  await page.getByLabel('Require an API token for revenue and identification').check()
  await fill(page, { 'Maximum revenue per request (US$)': '0' })
  await press(page, 'Save')
  await says(page, /must be/)
  await fill(page, { 'Maximum revenue per request (US$)': '250' })
  await press(page, 'Save')
  await says(page, 'Settings saved.')
  const { json } = await footfall.call('GET', `/manage/properties/${site.id}`)
  const { is_listed_only, is_token_only, browser_max_usd } = json.data.property
  assert.deepEqual([is_listed_only, is_token_only, browser_max_usd], [true, true, 250])
  await footfall.track.load({ key: site.key, page: 'https://evil.test/' })
  await press(page, 'Check now')
  await page.getByRole('row').filter({ hasText: 'evil.test' }).getByText('Page views from other hostnames').waitFor()
  await says(page, /Page views from unlisted hostnames were rejected/)
  await assertAccessible(page)
  await assertNoSidewaysScroll(page)
  assert.deepEqual(unexpected(errors), [])
})

test('a token is shown once, works with its scopes, and is over when it is revoked; a proxy key is made and replaced', async () => {
  const { footfall, open } = dashboard
  const { page, errors } = await open(settings('keys'), { as: admin })
  await page.getByRole('button', { name: 'New token' }).first().click()
  await fill(page, { Name: HOSTILE })
  await press(page, 'Create token')
  await says(page, 'Choose at least one permission.')
  await page.getByLabel('Read contacts').check()
  await assertAccessible(page)
  await press(page, 'Create token')
  const token = await takeSecret(page)
  assert.equal((await footfall.call('GET', '/v2/property/contacts', { token })).status, 200)
  await page.getByRole('row').filter({ hasText: HOSTILE }).getByText('contacts:read').waitFor()
  await press(page, `Revoke: ${HOSTILE}`)
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
  await says(page, 'Token revoked.')
  assert.equal((await footfall.call('GET', '/v2/property/contacts', { token })).status, 401)

  await press(page, 'Create key')
  const first = await takeSecret(page)
  await press(page, 'Replace key')
  await page.getByRole('dialog').getByRole('button', { name: 'Replace key' }).click()
  await page.getByRole('heading', { name: 'Copy your proxy key' }).waitFor()
  assert.notEqual(await takeSecret(page), first)
  assert.deepEqual(unexpected(errors), [])
})

test('an owner invites, changes and removes; who has no account gets a link', async () => {
  const { footfall, open, owner } = dashboard
  const guest = await addPerson(footfall, { email: 'guest@example.com' })
  const { page, errors } = await open(settings('team'), { as: owner })
  await press(page, 'Invite')
  await fill(page, { Email: guest.email })
  await page.getByRole('dialog').getByRole('button', { name: 'Invite' }).click()
  await says(page, 'Pat Person is now a member.')
  const role = page.getByRole('row', { name: /guest@example\.com/ }).getByRole('combobox')
  await role.selectOption('admin')
  await says(page, 'Pat Person is now Admin.')
  assert.equal((await guest.call('GET', '/manage/session')).json.data.properties[0].role, 'admin')
  await assertAccessible(page)

  await addPerson(footfall, { roles: { [footfall.property.id]: 'owner' }, email: 'third@example.com' })
  const owners = await addPerson(footfall, { roles: { [footfall.property.id]: 'owner' }, email: 'second@example.com' })
  const own = await open(settings('team'), { as: owners })
  const ownRole = own.page.getByRole('row', { name: /second@example\.com/ }).getByRole('combobox')
  await ownRole.selectOption('viewer')
  const question = own.page.getByRole('dialog', { name: 'Change your role to Viewer?' })
  await question.getByRole('button', { name: 'Cancel' }).click()
  await untilEqual(() => ownRole.inputValue(), 'owner')
  await ownRole.selectOption('admin')
  await own.page.getByRole('dialog').getByRole('button', { name: 'Change my role' }).click()
  await ownRole.waitFor({ state: 'detached' })
  assert.equal((await owners.call('GET', '/manage/session')).json.data.properties[0].role, 'admin')
  await own.page.context().close()

  await press(page, 'Invite')
  await fill(page, { Email: 'stranger@example.com' })
  await page.getByRole('dialog').getByRole('button', { name: 'Invite' }).click()
  assert.match(await takeLink(page), /\/invitation#\w{40}$/)
  await press(page, 'Revoke: stranger@example.com')
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
  await says(page, 'Invitation revoked.')

  await page
    .getByRole('row', { name: /guest@example\.com/ })
    .getByRole('button', { name: /^Remove/ })
    .click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await page.getByRole('row', { name: /guest@example\.com/ }).waitFor({ state: 'detached' })
  assert.deepEqual((await guest.call('GET', '/manage/session')).json.data.properties, [])
  assert.deepEqual(unexpected(errors), [])
})

test('a share link is made with a password and revoked', async () => {
  const { footfall, open } = dashboard
  const { page, errors } = await open(settings('sharing'), { as: admin })
  await page.getByRole('button', { name: 'New share link' }).click()
  await fill(page, { Name: 'Board', Password: 'short' })
  await press(page, 'Create link')
  await page.locator('input[aria-invalid=true]').waitFor()
  await fill(page, { Password: 'open sesame street' })
  await press(page, 'Create link')
  const token = (await takeLink(page)).split('/share/')[1]
  const enter = () =>
    footfall.call('POST', '/manage/share', { token: null, body: { token, password: 'open sesame street' } })
  assert.equal((await enter()).status, 200)
  await says(page, 'Protected')
  await press(page, 'Revoke: Board')
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
  await says(page, 'No share links yet')
  assert.notEqual((await enter()).status, 200)
  assert.deepEqual(unexpected(errors), [])
})

test('a file is exported and fetched, and a person erased with a receipt', async () => {
  const { footfall, open } = dashboard
  const email = 'zqxwv@example.com'
  const body = { email, traits: { first_name: HOSTILE } }
  const { json } = await footfall.call('POST', '/v2/property/contacts/identify', { body })
  const { page, errors } = await open(settings('data'), { as: admin })
  await press(page, 'New export')
  await page.getByLabel('What to export', { exact: true }).selectOption('contacts')
  await press(page, 'Export')
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: /^Download: contacts-/ }).click(),
  ])
  assert.match(await readFile(await file.path(), 'utf8'), /zqxwv@example\.com/)
  for (const [code, words] of [
    ['too_many', 'No room for another export.'],
    ['of_tomorrow', 'In the words of the service.'],
  ] as const) {
    await page.route('**/exports', async (route) => {
      const json = await (await route.fetch()).json()
      Object.assign(json.data.data[0], { state: 'failed', error: { code, message: 'In the words of the service.' } })
      await route.fulfill({ json })
    })
    await page.reload()
    await says(page, new RegExp(words))
    await page.unrouteAll()
  }

  await fill(page, { 'Email or contact ID': email.toUpperCase() })
  await press(page, 'Find')
  await says(page, HOSTILE)
  await press(page, 'Erase')
  const dialog = page.getByRole('dialog')
  await untilEqual(() => dialog.getByRole('button', { name: 'Erase' }).isDisabled(), true)
  await fill(page, { [`Type “${email}” to confirm`]: email })
  await dialog.getByRole('button', { name: 'Erase' }).click()
  await says(page, '2 fields, 0 custom fields, 0 submissions')
  await assertAccessible(page)
  await untilEqual(async () => (await page.locator('main').textContent())?.includes('zqxwv@example'), false)
  const shown = await footfall.call('GET', `/v2/property/contacts/${json.data.contact.id}`)
  assert.equal(shown.json.data.contact.state, 'deleted')
  assert.deepEqual(errors, [])
})

test('a viewer changes nothing and sees no secrets; a section that is not theirs says whose it is', async () => {
  const { footfall, open } = dashboard
  const viewer = await addPerson(footfall, { roles: { [footfall.property.id]: 'viewer' } })
  const { page, errors } = await open(settings('general'), { as: viewer })
  await says(page, 'Default period')
  await untilEqual(
    () => tabs(page).getByRole('tab').allTextContents(),
    ['Tracking', 'General', 'Exclusions', 'Ad costs', 'Bots and errors', 'Speed'],
  )
  assert.equal(
    await page
      .locator('main')
      .getByRole('button', { name: /Save|Delete/ })
      .count(),
    0,
  )
  await page.goto(`${footfall.url}/dashboard${settings('keys')}`)
  await says(page, 'You need the Admin role to see this section.')
  await page.goto(`${footfall.url}/dashboard${settings('nonsense')}`)
  await says(page, 'Page not found')
  assert.deepEqual(errors, [])
})

test('an owner deletes a property after typing its name', async () => {
  const { footfall, open, owner } = dashboard
  const { id, key } = await footfall.addProperty({ name: 'Old shop' })
  await footfall.track.load({ key })
  const { page, errors } = await open(settings('general', id), { as: owner })
  await press(page, 'Delete property')
  const dialog = page.getByRole('dialog')
  await says(page, 'This deletes 1 session, 1 page view, 0 events, 0 clicks, bots included')
  await fill(page, { 'Type “Old shop” to confirm': 'Old' })
  await untilEqual(() => dialog.getByRole('button', { name: 'Delete property' }).isDisabled(), true)
  await fill(page, { 'Type “Old shop” to confirm': 'Old shop' })
  await dialog.getByRole('button', { name: 'Delete property' }).click()
  await says(page, 'Old shop was deleted.')
  await untilAt(page, ({ href }) => !href.includes(id))
  assert.equal((await footfall.call('GET', `/manage/properties/${id}`)).status, 404)
  assert.deepEqual(unexpected(errors), [])
})

test('every section is for everybody: axe, both themes, a phone', async () => {
  const { open, owner } = dashboard
  // Of the others the light theme was looked at above.
  const light = { sections: ['General', 'Exclusions', 'Sharing'], theme: 'light' } as const
  const dark = {
    sections: ['Tracking', 'General', 'Exclusions', 'Keys', 'Team', 'Sharing', 'Data'],
    theme: 'dark',
    width: 360,
  } as const
  for (const { sections, ...how } of [light, dark]) {
    const { page, errors } = await open(settings(), { as: owner, ...how })
    for (const name of sections) {
      await openTab(page, name)
      await page.locator('main [aria-busy=true]').first().waitFor({ state: 'detached' })
      await assertAccessible(page)
      await assertNoSidewaysScroll(page)
    }
    assert.deepEqual(errors, [])
    await dashboard.leavePages()
  }
})
