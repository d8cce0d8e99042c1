// A session that ends under an open page, in Chromium: the password is asked for over the page, nothing typed
// is lost, and what was begun is done after it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TOTP } from 'otpauth'
import type { Page, Request } from 'playwright-core'
import { addPerson, PASSWORD, type Person } from '../support/accounts.ts'
import { assertAccessible, assertNoSidewaysScroll, openDashboardOfFile } from '../support/dashboard.ts'

const dashboard = await openDashboardOfFile()

const home = () => `/properties/${dashboard.footfall.property.id}`
const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name }).waitFor()
const asked = (page: Page) => page.getByRole('dialog', { name: 'Your session has expired' })
const endSession = (page: Page) => page.context().clearCookies()

async function signInAgain(page: Page, password = PASSWORD): Promise<void> {
  await asked(page).getByLabel('Password', { exact: true }).fill(password)
  await asked(page).getByRole('button', { name: 'Sign in', exact: true }).click()
}

/** An owner of the installation whose sign-ins are their own. */
const somebody = (): Promise<Person> => addPerson(dashboard.footfall, { isOwner: true })

test('a save that finds the session ended waits for the password, and is done', async () => {
  const { footfall, open } = dashboard
  for (const options of [{}, { theme: 'dark', width: 360 }] as const) {
    const { page } = await open('/new', { as: await somebody(), ...options })
    await heading(page, 'Add a website')
    const name = `Tea shop ${options.theme ?? 'light'}`
    await page.getByLabel('Name', { exact: true }).fill(name)
    await endSession(page)
    await page.getByRole('button', { name: 'Create property' }).click()
    await asked(page).getByText('Sign in again as Pat Person.').waitFor()
    await asked(page).getByLabel('Password', { exact: true }).and(page.locator(':focus')).waitFor()
    await assertAccessible(page)
    await assertNoSidewaysScroll(page)
    await signInAgain(page, 'wrong')
    await asked(page).getByText('Wrong email or password.').waitFor()
    await signInAgain(page)
    await heading(page, 'Set up tracking')
    const { json } = await footfall.call('GET', '/manage/properties', { query: { per_page: 100 } })
    assert.equal(json.data.data.filter((property: { name: string }) => property.name === name).length, 1, 'made once')
    await dashboard.leavePages()
  }
})

test('the second factor is asked for too', async () => {
  const { footfall, open } = dashboard
  const person = await somebody()
  const begun = await person.call('POST', '/manage/account/totp', { body: { current_password: PASSWORD } })
  const totp = new TOTP({ secret: begun.json.data.secret })
  const code = (ahead: number) => totp.generate({ timestamp: footfall.clock.now() + ahead * 30_000 })
  const confirmed = await person.call('POST', '/manage/account/totp/confirm', { body: { code: code(0) } })
  assert.equal(confirmed.status, 200, confirmed.text)
  const { page } = await open('/new', { as: person })
  await page.getByLabel('Name', { exact: true }).fill('With a code')
  await endSession(page)
  await page.getByRole('button', { name: 'Create property' }).click()
  await signInAgain(page)
  const dialog = page.getByRole('dialog', { name: 'Two-factor authentication' })
  await dialog.getByLabel('Code', { exact: true }).and(page.locator(':focus')).waitFor()
  await assertAccessible(page)
  await dialog.getByLabel('Code', { exact: true }).fill('000000')
  await page.keyboard.press('Enter')
  await dialog.getByText('Wrong or already used code').waitFor()
  await dialog.getByLabel('Code', { exact: true }).fill(code(1))
  await page.keyboard.press('Enter')
  await heading(page, 'Set up tracking')
})

test('over an open dialog, by the keyboard alone: what was typed there stays, and the focus comes back to it', async () => {
  const { open } = dashboard
  const { page } = await open(`${home()}/links/groups`, { as: await somebody() })
  await page.getByRole('button', { name: 'New group' }).first().click()
  const dialog = page.getByRole('dialog').first()
  await dialog.getByLabel('Name', { exact: true }).fill('Spring letters')
  await endSession(page)
  await page.keyboard.press('Enter')
  await asked(page).getByLabel('Password', { exact: true }).and(page.locator(':focus')).waitFor()
  await assertAccessible(page)
  await page.keyboard.press('Escape')
  await asked(page).waitFor({ state: 'detached' })
  await dialog.getByText('Your session has expired. Sign in again to continue.').waitFor()
  const name = dialog.getByLabel('Name', { exact: true })
  await name.and(page.locator(':focus')).waitFor()
  assert.equal(await name.inputValue(), 'Spring letters')

  await page.keyboard.press('Enter')
  await asked(page).getByLabel('Password', { exact: true }).and(page.locator(':focus')).waitFor()
  await page.keyboard.type(PASSWORD)
  await page.keyboard.press('Enter')
  await asked(page).waitFor({ state: 'detached' })
  await dialog.waitFor({ state: 'detached' })
  await page.getByText('Spring letters').first().waitFor()
})

test('whoever does not want to sign in now keeps the page, is not asked again by what it does itself, and may later', async () => {
  const { footfall, open } = dashboard
  const { page } = await open(`${home()}/live`, { as: await somebody() })
  await page.getByText('No visitors right now').waitFor()
  await endSession(page)
  await asked(page).getByRole('button', { name: 'Cancel' }).click()
  const notice = page.getByRole('complementary', { name: 'Connection' })
  await notice.getByText('Your session has expired.').waitFor()
  await assertAccessible(page)
  // It asks by itself every five seconds.
  const isRefused = async (request: Request) =>
    request.url().endsWith('/live') && (await request.response())?.status() === 401
  await page.waitForEvent('requestfinished', isRefused)
  assert.equal(await asked(page).count(), 0)
  await notice.getByRole('button', { name: 'Sign in' }).click()
  await signInAgain(page)
  await notice.waitFor({ state: 'detached' })
  await footfall.track.load({ address: '203.0.113.60' })
  await page.getByText(/^1 ?session in the last five minutes$/).waitFor()
})

test('somebody else gets a page of their own, with nothing of the one before', async () => {
  const { footfall, open } = dashboard
  const viewer = await addPerson(footfall, { roles: { [footfall.property.id]: 'viewer' } })
  const { page } = await open('/new', { as: await somebody() })
  await page.getByLabel('Name', { exact: true }).fill('Not for others')
  await endSession(page)
  await page.getByRole('button', { name: 'Create property' }).click()
  await asked(page).getByRole('button', { name: 'Use another account' }).click()
  await heading(page, 'Sign in')
  await page.getByLabel('Email').fill(viewer.email)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByText('You don’t have access').waitFor()
  assert.equal(await page.getByText('Not for others').count(), 0)
})

test('signing in again in another tab is enough, and signing out there ends what is shown here', async () => {
  const { footfall, open } = dashboard
  const person = await somebody()
  const { page } = await open('/new', { as: person })
  await page.getByLabel('Name', { exact: true }).fill('Typed before')
  await endSession(page)
  await page.getByRole('button', { name: 'Create property' }).click()
  await asked(page).waitFor()
  const other = await page.context().newPage()
  await other.goto(`${footfall.url}/dashboard/sign-in`)
  await other.getByLabel('Email').fill(person.email)
  await other.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await other.getByRole('button', { name: 'Sign in' }).click()
  await other.getByRole('button', { name: 'Pat Person' }).waitFor()
  await page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`)
  await heading(page, 'Set up tracking')

  await other.getByRole('button', { name: 'Pat Person' }).click()
  await other.getByRole('menuitem', { name: 'Sign out' }).click()
  await heading(other, 'Sign in')
  await heading(page, 'Sign in')
  assert.equal(await page.getByText('first visit').count(), 0)
})
