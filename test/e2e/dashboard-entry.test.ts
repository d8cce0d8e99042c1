// The ways in, in Chromium: the first owner, signing in with and without a second factor, invitations, share
// links. Each with axe, in both themes, on a phone.
import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import { TOTP } from 'otpauth'
import type { Page } from 'playwright-core'
import { addPerson, PASSWORD, setupToken } from '../support/accounts.ts'
import { openBrowser } from '../support/browser.ts'
import {
  assertAccessible,
  assertNoSidewaysScroll,
  openDashboard,
  openPage,
  untilTrue,
  type Dashboard,
} from '../support/dashboard.ts'
import { startFootfall } from '../support/server.ts'
import { untilAt, untilEqual, untilMatch } from '../support/until.ts'

const fill = async (page: Page, values: Readonly<Record<string, string>>): Promise<void> => {
  for (const [label, value] of Object.entries(values)) await page.getByLabel(label, { exact: true }).fill(value)
}
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name }).waitFor()
/** Answers below 500 that a page expects; the browser notes them all the same. */
const unexpected = (errors: readonly string[]) => errors.filter((error) => !/status of 4\d\d/.test(error))

describe('with an owner', () => {
  let dashboard: Dashboard
  const ends: (() => Promise<void>)[] = []
  before(async () => {
    dashboard = await openDashboard({ after: (end) => ends.push(end) })
  })
  after(async () => {
    for (const end of ends.toReversed()) await end()
  })
  afterEach(() => dashboard.leavePages())

  test('signing in leads to where one wanted to go, and signing out leads back', async () => {
    const { footfall, open, owner } = dashboard
    const wanted = `/properties/${footfall.property.id}/links?q=lamp`
    const { page, errors } = await open(wanted)
    await heading(page, 'Sign in')
    await untilEqual(() => new URL(page.url()).pathname, '/dashboard/sign-in')
    await fill(page, { Email: owner.email, Password: 'not the password' })
    await press(page, 'Sign in')
    await page.getByRole('alert').getByText(/Wrong/).waitFor()
    await fill(page, { Password: PASSWORD })
    await page.keyboard.press('Enter')
    await heading(page, 'Links')
    await untilAt(page, ({ href }) => href.endsWith(`/dashboard${wanted}`))
    await page.context().clearCookies() // as when the session has run out
    await page.reload()
    await heading(page, 'Sign in')
    await fill(page, { Email: owner.email, Password: PASSWORD })
    await press(page, 'Sign in')
    await heading(page, 'Links')
    await page.getByRole('link', { name: 'Forms' }).click()
    await heading(page, 'Forms')
    await page.getByRole('button', { name: 'Olive Owner' }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await heading(page, 'Sign in')
    assert.deepEqual(await page.context().cookies(), [])
    assert.deepEqual(unexpected(errors), [])
  })

  test('nobody is sent away from the dashboard after signing in', async () => {
    const { footfall, open, owner } = dashboard
    const { page } = await open('/sign-in', { as: owner })
    for (const next of ['https://evil.example/', '//evil.example', '/\\evil.example', 'javascript:alert(1)']) {
      await page.goto(`${footfall.url}/dashboard/sign-in?next=${encodeURIComponent(next)}`)
      await page.getByRole('navigation', { name: 'Main' }).waitFor()
      await untilAt(page, ({ href }) => href.startsWith(`${footfall.url}/dashboard/properties/`))
    }
  })

  test('a second factor is asked for once the password was right; a recovery code will do, once', async () => {
    const { footfall, open } = dashboard
    const person = await addPerson(footfall, { roles: { [footfall.property.id]: 'viewer' } })
    const { json } = await person.call('POST', '/manage/account/totp', { body: { current_password: PASSWORD } })
    const code = () => new TOTP({ secret: json.data.secret }).generate({ timestamp: footfall.clock.now() })
    const confirmed = await person.call('POST', '/manage/account/totp/confirm', { body: { code: code() } })
    const [recovery = ''] = confirmed.json.data.recovery_codes as string[]

    const { page } = await open('/sign-in')
    await fill(page, { Email: person.email, Password: PASSWORD })
    await press(page, 'Sign in')
    await heading(page, 'Two-factor authentication')
    await assertAccessible(page)
    await fill(page, { Code: '000000' })
    await press(page, 'Verify')
    await page.getByText('Wrong or already used code').waitFor()
    await untilEqual(() => page.getByLabel('Code').getAttribute('aria-invalid'), 'true')
    await press(page, 'Use a recovery code')
    await fill(page, { 'Recovery code': recovery })
    await press(page, 'Verify')
    await page.getByRole('navigation', { name: 'Main' }).waitFor()

    const again = await open('/sign-in')
    await fill(again.page, { Email: person.email, Password: PASSWORD })
    await press(again.page, 'Sign in')
    await press(again.page, 'Use a recovery code')
    await fill(again.page, { 'Recovery code': recovery })
    await press(again.page, 'Verify')
    await again.page.getByText('Wrong or already used code').waitFor()
  })

  test('an invitation makes an account, a second look at it finds nothing, and a reset sets a new password', async () => {
    const { footfall, open, owner } = dashboard
    const path = `/manage/properties/${footfall.property.id}/members`
    const invited = await owner.call('POST', path, { body: { email: 'new@example.com', role: 'viewer' } })
    const link = String(invited.json.data.invitation.url).replace(/^.*\/dashboard/, '')
    const { page, errors } = await open(link)
    await heading(page, 'You’ve been invited')
    await page.getByText(/To Test, as Viewer/).waitFor()
    await assertAccessible(page)
    await fill(page, { 'Your name': 'Nina New', Password: 'short' })
    await press(page, 'Accept invitation')
    await page.getByLabel('Password', { exact: true }).and(page.locator('[aria-invalid=true]')).waitFor()
    await fill(page, { Password: 'seven grey geese in a row' })
    await press(page, 'Accept invitation')
    await page.getByRole('button', { name: 'Nina New' }).waitFor()
    assert.deepEqual(unexpected(errors), [])
    await untilEqual(() => page.getByRole('link', { name: 'Settings' }).count(), 1)

    const again = await open(link)
    await heading(again.page, 'This link has expired')
  })

  test('who has an account signs in first, and joins then', async () => {
    const { footfall, open, owner } = dashboard
    const property = await footfall.addProperty({ name: 'Second shop' })
    const person = await addPerson(footfall)
    const path = `/manage/properties/${property.id}/members`
    const invited = await owner.call('POST', path, { body: { email: person.email, role: 'admin' } })
    const url = invited.json.data.invitation?.url as string | undefined
    if (url === undefined) {
      assert.equal(invited.json.data.member.role, 'admin', 'a member at once')
      return
    }
    const { page } = await open(url.replace(/^.*\/dashboard/, ''))
    await page.getByRole('link', { name: 'Sign in to accept' }).click()
    await untilAt(page, ({ hash }) => hash === '') // the token is in no address that is sent
    await fill(page, { Email: person.email, Password: PASSWORD })
    await press(page, 'Sign in')
    await heading(page, 'You’ve been invited')
    await press(page, 'Accept invitation')
    await page.getByRole('button', { name: 'Property: Second shop' }).waitFor()
  })

  test('a share link shows the overview and nothing else, after its password', async () => {
    const { footfall, open, owner } = dashboard
    const path = `/manage/properties/${footfall.property.id}/shares`
    const made = await owner.call('POST', path, { body: { name: 'Board', password: 'open sesame street' } })
    const { page, errors } = await open(String(made.json.data.url).replace(/^.*\/dashboard/, ''))
    await page.getByLabel('Password', { exact: true }).waitFor()
    await assertAccessible(page)
    await fill(page, { Password: 'wrong words here' })
    await press(page, 'Open')
    await page.getByText('Wrong password.').waitFor()
    await fill(page, { Password: 'open sesame street' })
    await press(page, 'Open')
    await page.getByRole('navigation', { name: 'Main' }).waitFor()
    const items = page.getByRole('navigation', { name: 'Main' }).getByRole('link')
    await untilEqual(() => items.allTextContents(), ['Overview', 'Live'])
    await page.goto(`${footfall.url}/dashboard/properties/${footfall.property.id}/contacts`)
    await heading(page, 'Page not found')
    assert.deepEqual(unexpected(errors), [])

    await page.clock.install()
    await page.goto(`${footfall.url}/dashboard/properties/${footfall.property.id}/live`)
    await heading(page, 'Live')
    await owner.call('DELETE', `${path}/${made.json.data.share.id}`)
    await heading(page, 'This link no longer works')
    const asked: string[] = []
    // Whether the service is there is asked with nothing.
    page.on('request', (request) => request.url().endsWith('/healthz') || asked.push(request.url()))
    await page.clock.runFor(60_000)
    assert.deepEqual(asked, [], 'nothing is asked with it again')
    await assertAccessible(page)
    await page.reload()
    await heading(page, 'This link no longer works')
    const later = await open(String(made.json.data.url).replace(/^.*\/dashboard/, ''))
    await heading(later.page, 'This link no longer works')
  })

  test('a shared view that stays open gets a new bearer before the old one ends', async () => {
    const { footfall, open, owner } = dashboard
    const path = `/manage/properties/${footfall.property.id}/shares`
    const made = await owner.call('POST', path, { body: { name: 'Wall' } })
    const { page } = await open(String(made.json.data.url).replace(/^.*\/dashboard/, ''))
    await page.getByRole('navigation', { name: 'Main' }).waitFor()
    // As after most of half a day.
    await page.evaluate(`(() => {
      const share = JSON.parse(sessionStorage.getItem('footfall-share'))
      sessionStorage.setItem('footfall-share', JSON.stringify({ ...share, expires_ts: Date.now() / 1000 + 3600 }))
    })()`)
    await page.reload()
    await untilTrue(page, `JSON.parse(sessionStorage.getItem('footfall-share')).expires_ts > Date.now() / 1000 + 7200`)
    await heading(page, 'Overview')
  })

  test('a share link keeps the view that stands in its address', async () => {
    const { footfall, open, owner } = dashboard
    const path = `/manage/properties/${footfall.property.id}/shares`
    const made = await owner.call('POST', path, { body: { name: 'Press' } })
    const link = String(made.json.data.url).replace(/^.*\/dashboard/, '')
    const { page } = await open(`${link}?period=today&f=country:equals:Germany`)
    await page.getByText('Country is Germany').first().waitFor()
    await untilMatch(() => page.url(), /\/properties\/\w+\?period=today&f=country:equals:Germany$/)
  })

  test('the ways in are for everybody: axe, both themes, a phone', async () => {
    const { open } = dashboard
    for (const path of ['/sign-in', '/setup', '/invitation#nope', '/share/nope']) {
      const { page, errors } = await open(path)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await page.waitForLoadState('networkidle')
      await assertAccessible(page)
      await page.emulateMedia({ colorScheme: 'dark' })
      await page.setViewportSize({ width: 360, height: 740 })
      await assertAccessible(page)
      await assertNoSidewaysScroll(page)
      assert.deepEqual(unexpected(errors), [], path)
      await dashboard.leavePages()
    }
  })
})

test('a new owner sets up by the printed link, once', async (t) => {
  const footfall = await startFootfall(t)
  await footfall.call('DELETE', `/manage/properties/${footfall.property.id}`)
  const browser = await openBrowser(t)
  const anywhere = await openPage(t, browser, footfall, '/')
  await heading(anywhere.page, 'Use the setup link from your terminal')

  const { page, errors } = await openPage(t, browser, footfall, `/setup#${await setupToken(footfall)}`)
  await heading(page, 'Welcome to Footfall')
  await assertAccessible(page)
  await fill(page, { 'Your name': 'Olive', Email: 'olive@example.com', Password: 'too short' })
  await press(page, 'Create account')
  await page.locator('[aria-invalid=true]').waitFor()
  await fill(page, { Password: PASSWORD })
  await press(page, 'Create account')
  await heading(page, 'Add a website')
  assert.deepEqual(unexpected(errors), [])

  const late = await openPage(t, browser, footfall, '/setup#whatever')
  await heading(late.page, 'Already set up')
  const { status } = await footfall.call('POST', '/manage/setup', {
    token: null,
    body: { token: 'whatever', email: 'x@example.com', name: 'X', password: PASSWORD },
  })
  assert.notEqual(status, 200)
})
