// One's own account and everybody else's, in Chromium: passwords, the second factor, devices, sign-ins;
// adding, shutting out, letting in again.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { TOTP } from 'otpauth'
import type { Page } from 'playwright-core'
import { addPerson, PASSWORD, signIn } from '../support/accounts.ts'
import { assertAccessible, assertNoSidewaysScroll, openDashboardOfFile } from '../support/dashboard.ts'
import { untilEqual } from '../support/until.ts'

const HOSTILE = `"><img src=x onerror=alert(1)>`

const dashboard = await openDashboardOfFile()

const fill = async (page: Page, values: Readonly<Record<string, string>>): Promise<void> => {
  for (const [label, value] of Object.entries(values)) await page.getByLabel(label, { exact: true }).fill(value)
}
const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true }).click()
const says = (page: Page, words: string | RegExp) => page.getByText(words).first().waitFor()
const section = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
/** Answers below 500 that a page expects; the browser notes them all the same. */
const unexpected = (errors: readonly string[]) => errors.filter((error) => !/status of 4\d\d/.test(error))

test('name, address and password are changed; what hands the account on asks for the password', async () => {
  const { footfall, open } = dashboard
  const person = await addPerson(footfall, { email: 'pat@example.com', isOwner: true })
  await signIn(footfall, person.email)
  const { page, errors } = await open('/account', { as: person })
  const you = section(page, 'Profile')
  await you.getByLabel('Name').fill(`Pat ${HOSTILE}`)
  await you.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('button', { name: `Pat ${HOSTILE}` }).waitFor()
  await you.getByLabel('Email').fill('patricia@example.com')
  await you.getByLabel('Current password').fill('not the password')
  await you.getByRole('button', { name: 'Save' }).click()
  await says(page, 'Current password is not your password.')
  await you.getByLabel('Current password').fill(PASSWORD)
  await you.getByRole('button', { name: 'Save' }).click()
  await you.getByLabel('Current password').waitFor({ state: 'detached' })

  const password = section(page, 'Password')
  await password.getByLabel('Current password').fill(PASSWORD)
  await password.getByLabel('New password').fill('a louder stone by the sea')
  await press(page, 'Change password')
  await says(page, /signed out everywhere else/)
  await says(page, 'This browser')
  assert.equal((await signIn(footfall, 'patricia@example.com', { password: 'a louder stone by the sea' })).status, 200)
  assert.deepEqual(unexpected(errors), [])
})

test('whoever owns no installation sees their address, and whom to ask for another', async () => {
  const { footfall, open } = dashboard
  const { page } = await open('/account', { as: await addPerson(footfall, { email: 'vic@example.com' }) })
  const field = section(page, 'Profile').getByLabel('Email')
  await field.waitFor()
  await untilEqual(() => field.inputValue(), 'vic@example.com')
  await untilEqual(() => field.getAttribute('readonly'), '')
  await says(page, /Ask an owner of the installation/)
})

test('the second factor: password, QR and secret, first code, recovery codes that are kept; then off again', async () => {
  const { footfall, open } = dashboard
  const person = await addPerson(footfall)
  const { page, errors } = await open('/account', { as: person })
  await press(page, 'Turn on')
  await page.getByRole('dialog').getByLabel('Current password').fill(PASSWORD)
  await press(page, 'Continue')
  await page.getByRole('img', { name: 'QR code of the secret' }).waitFor()
  await assertAccessible(page)
  const secret = ((await page.getByRole('dialog').locator('code').textContent()) ?? '').replaceAll(' ', '')
  await fill(page, { Code: '000000' })
  await press(page, 'Confirm')
  await page.locator('input[aria-invalid=true]').waitFor()
  await fill(page, { Code: new TOTP({ secret }).generate({ timestamp: footfall.clock.now() }) })
  await press(page, 'Confirm')
  const codes = page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem')
  await untilEqual(() => codes.count(), 10)
  const shown = await codes.allTextContents()
  await assertAccessible(page)
  const [file] = await Promise.all([page.waitForEvent('download'), press(page, 'Download')])
  const saved = await readFile(await file.path(), 'utf8')
  for (const code of shown) assert.ok(saved.includes(code))
  await press(page, 'Done')
  const again = await signIn(footfall, person.email)
  assert.equal(again.json.error_code, 'second_factor_required')
  assert.equal((await signIn(footfall, person.email, { code: shown[3] ?? '' })).status, 200)

  await press(page, 'Turn off')
  await page.getByRole('dialog').getByLabel('Current password').fill(PASSWORD)
  await page.getByRole('dialog').getByRole('button', { name: 'Turn off' }).click()
  await says(page, 'Your account is protected by a password only.')
  assert.equal((await signIn(footfall, person.email)).status, 200)
  assert.deepEqual(unexpected(errors), [])
})

test('one sees where one is signed in and who tried, and ends the others', async () => {
  const { footfall, open } = dashboard
  const person = await addPerson(footfall)
  await signIn(footfall, person.email, { headers: { 'user-agent': HOSTILE } })
  await signIn(footfall, person.email, { password: 'a wrong password' })
  const { page, errors } = await open('/account', { as: person })
  await says(page, 'Wrong password')
  const devices = section(page, 'Active sessions')
  await devices.getByText('This browser').waitFor()
  await devices.getByRole('button', { name: /^Sign out:/ }).click()
  await says(page, 'Signed out of that browser.')
  await devices.getByRole('button', { name: /^Sign out:/ }).waitFor({ state: 'detached' })
  assert.equal((await person.call('GET', '/manage/account/sessions')).json.data.data.length, 1)
  assert.deepEqual(errors, [])
})

test('an owner adds a person, looks at them by a link, shuts them out, lets them in, and removes them', async () => {
  const { footfall, open, owner } = dashboard
  const { page, errors } = await open('/users?page=99999', { as: owner })
  await page.getByRole('link', { name: new RegExp(owner.email) }).waitFor()
  await untilEqual(() => new URL(page.url()).search, '', 'a page that is not there is left for the first one')
  await press(page, 'Add person')
  await fill(page, { Name: `Nina ${HOSTILE}`, Email: owner.email })
  await page.getByRole('dialog').getByRole('button', { name: 'Add' }).click()
  await page.locator('input[aria-invalid=true]').waitFor()
  await fill(page, { Email: 'nina@example.com' })
  await page.getByRole('dialog').getByRole('button', { name: 'Add' }).click()
  await says(page, /Lets nina@example\.com choose a password/)
  assert.match((await page.getByRole('dialog').locator('pre').textContent()) ?? '', /\/invitation#\w{40}$/)
  await press(page, 'Done')

  await page.getByRole('link', { name: /nina@example\.com/ }).click()
  const drawer = page.getByRole('dialog', { name: `Nina ${HOSTILE}` })
  await drawer.getByText('Invited').waitFor()
  const address = page.url()
  await page.reload()
  await drawer.getByText('No sign-ins yet.').waitFor()
  await assertAccessible(page)
  await untilEqual(() => page.url(), address)
  await drawer.getByRole('switch', { name: 'Can sign in' }).click()
  await drawer.getByText('Deactivated').waitFor()
  await drawer.getByRole('button', { name: 'Create reset link' }).waitFor({ state: 'detached' })
  await drawer.getByRole('switch', { name: 'Can sign in' }).click()
  await drawer.getByRole('button', { name: 'Create reset link' }).click()
  await drawer
    .locator('pre')
    .getByText(/\/invitation#\w{40}$/)
    .waitFor()
  await drawer.getByLabel('Email').fill(owner.email)
  await drawer.getByRole('button', { name: 'Change email' }).click()
  await page.locator('input[aria-invalid=true]').waitFor()
  await drawer.getByLabel('Email').fill('nina.new@example.com')
  await drawer.getByRole('button', { name: 'Change email' }).click()
  await page.getByRole('link', { name: /nina\.new@example\.com/ }).waitFor()
  await drawer.getByRole('button', { name: 'Remove person' }).click()
  await fill(page, { 'Type “nina.new@example.com” to confirm': 'nina.new@example.com' })
  await page
    .getByRole('dialog', { name: /^Remove/ })
    .getByRole('button', { name: 'Remove person' })
    .click()
  await page.getByRole('link', { name: /nina\.new@example\.com/ }).waitFor({ state: 'detached' })
  await untilEqual(() => new URL(page.url()).search, '')
  const listed = await footfall.call('GET', '/manage/users')
  assert.ok(!listed.text.includes('nina'))
  assert.deepEqual(unexpected(errors), [])
})

test('the sample data comes with progress, is looked at, and goes; who owns no installation is not offered people', async () => {
  const { footfall, open, owner } = dashboard
  const { page, errors } = await open('/new', { as: owner })
  await page.getByRole('switch', { name: 'Show sample data' }).click()
  await page.getByRole('progressbar', { name: 'Progress of the sample data' }).waitFor()
  await page.getByRole('link', { name: 'Open sample' }).waitFor()
  await page.getByRole('switch', { name: 'Show sample data' }).click()
  await press(page, 'Remove sample data')
  await says(page, 'Sample data removed.')
  assert.equal((await owner.call('GET', '/manage/sample')).json.data.sample, null)
  assert.deepEqual(unexpected(errors), [])

  const person = await addPerson(footfall)
  const other = await open('/users', { as: person })
  await says(other.page, 'You don’t have access')
  assert.equal(await other.page.getByRole('button', { name: 'Add person' }).count(), 0)
  assert.deepEqual(other.errors, [])
})

test('both pages are for everybody: axe, both themes, a phone', async () => {
  const { open, owner } = dashboard
  for (const how of [{ theme: 'light' }, { theme: 'dark', width: 360 }] as const) {
    const { page, errors } = await open('/account', { as: owner, ...how })
    for (const path of ['/account', '/users', `/users?user=${owner.id}`, '/mail']) {
      if (path !== '/account') await page.goto(`${dashboard.footfall.url}/dashboard${path}`)
      await page.locator('table[aria-busy=false]').or(page.getByText('No emails yet')).first().waitFor()
      await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' })
      await assertAccessible(page)
      await assertNoSidewaysScroll(page)
    }
    assert.deepEqual(errors, [])
    await dashboard.leavePages()
  }
})
