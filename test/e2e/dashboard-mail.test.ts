// Everything about mail in Chromium, with a mail server behind it: the page of the installation, and every
// place where people ask for mail.
import assert from 'node:assert/strict'
import { after, afterEach, test } from 'node:test'
import type { Page } from 'playwright-core'
import { openMailing } from '../../server/mail/mailing.ts'
import { addPerson } from '../support/accounts.ts'
import { assertAccessible, assertNoSidewaysScroll, openDashboard } from '../support/dashboard.ts'
import { openMailServer } from '../support/mail-server.ts'

const ends: (() => Promise<void>)[] = []
const ending = { after: (end: () => Promise<void>) => ends.push(end) }
after(async () => {
  for (const end of ends.toReversed()) await end()
})

const mailServer = await openMailServer(ending, {
  refuse: (to) => (to.startsWith('gone') ? { code: 550, words: 'No such mailbox <img src=x>' } : undefined),
})
const env = { SMTP_URL: mailServer.url(), MAIL_FROM: 'Footfall <footfall@example.com>' }
const dashboard = await openDashboard(ending, { env })
afterEach(() => dashboard.leavePages())
const mailing = openMailing(dashboard.footfall.context, { pollMs: 50 })
ending.after(() => mailing.close())

const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true }).click()
const says = (page: Page, words: string | RegExp) => page.getByText(words).first().waitFor()

test('an owner sends a test, and sees what the mail server said', async () => {
  const { open, owner } = dashboard
  const { page, errors } = await open('/mail', { as: owner })
  await says(page, `127.0.0.1:${mailServer.port}`)
  await says(page, 'No email yet')
  for (const to of ['reader@example.com', 'gone@example.com']) {
    await press(page, 'Send a test email')
    await page.getByRole('textbox', { name: 'To', exact: true }).fill(to)
    await press(page, 'Send')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  }
  await mailServer.find('reader@example.com')
  const rowOf = (to: string) => page.getByRole('row').filter({ hasText: to })
  await rowOf('reader@example.com').getByText('Sent', { exact: true }).waitFor()
  await rowOf('gone@example.com').getByText('550 No such mailbox <img src=x>').waitFor()
  await assertAccessible(page)
  await page.getByLabel('State').selectOption('Failed')
  await rowOf('reader@example.com').waitFor({ state: 'detached' })
  const phone = await open('/mail', { as: owner, width: 360, theme: 'dark' })
  await phone.page.getByRole('row').filter({ hasText: 'gone@example.com' }).waitFor()
  await assertNoSidewaysScroll(phone.page)
  await assertAccessible(phone.page)
  assert.deepEqual([...errors, ...phone.errors], [])
})

test('whoever owns no installation is told whom mail is for', async () => {
  const { open, footfall } = dashboard
  const { page } = await open('/mail', { as: await addPerson(footfall, { email: 'viewer@example.com' }) })
  await says(page, /looked after by owners/)
})

test('a letter is readable in a browser at any width and by day and night', async () => {
  const { browser } = dashboard
  const { html } = await mailServer.find('reader@example.com')
  for (const [width, colorScheme] of [
    [360, 'light'],
    [800, 'dark'],
  ] as const) {
    const context = await browser.newContext({ colorScheme, viewport: { width, height: 700 } })
    const page = await context.newPage()
    const asked: string[] = []
    page.on('request', (request) => void asked.push(request.url()))
    await page.setContent(html)
    await assertNoSidewaysScroll(page)
    await assertAccessible(page)
    assert.deepEqual(asked, [])
    await context.close()
  }
})

test('whoever forgot their password asks for a link, and sets a new one with it', async () => {
  const { open, footfall } = dashboard
  const person = await addPerson(footfall, { email: 'forgetful@example.com' })
  const { page, errors } = await open('/sign-in', { width: 360 })
  await press(page, 'Forgot your password?')
  await page.getByLabel('E-mail').fill(person.email)
  await assertAccessible(page)
  await press(page, 'Send the link')
  await says(page, /If there is an account for forgetful@example.com/)
  await assertAccessible(page)
  await assertNoSidewaysScroll(page)
  const { text } = await mailServer.find(person.email, /new password/)
  const token = /invitation#(\w+)/.exec(text)?.[1]
  await page.goto(`${footfall.url}/dashboard/invitation#${token}`)
  await page.getByRole('heading', { name: 'Set a new password' }).waitFor()
  await page.getByLabel('Password', { exact: true }).fill('a louder stone by the sea')
  assert.deepEqual(errors, [])
})
