// Everything about mail in Chromium, with a mail server behind it: the page of the installation, and every
// place where people ask for mail.
import assert from 'node:assert/strict'
import { after, afterEach, test } from 'node:test'
import type { Page } from 'playwright-core'
import { tellSubmissions } from '../../server/form-mail/telling.ts'
import { type Block, button, facts, heading, letterHtml, text as paragraph } from '../../server/mail/letter.ts'
import { kinds } from '../../server/mail/mail-model.ts'
import { openMailing } from '../../server/mail/mailing.ts'
import { addPerson } from '../support/accounts.ts'
import { assertAccessible, assertNoSidewaysScroll, openDashboard } from '../support/dashboard.ts'
import { flowOf } from '../support/form-flow.ts'
import { type ExpectedMail, mailKinds, OTHER_ALERT, sendOtherLetters, worstName } from '../support/mail-kinds.ts'
import { openMailServer, type ReceivedMail } from '../support/mail-server.ts'
import { untilEqual } from '../support/until.ts'

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
  await says(page, 'No emails yet')
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
  await page.getByLabel('Status').selectOption('Failed')
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
  await says(page, /Only owners of the installation can manage/)
})

/** In a browser at any width, by day and night: readable, and nothing is loaded for it. */
async function letterIsFine(html: string): Promise<void> {
  for (const [width, colorScheme] of [
    [360, 'light'],
    [800, 'dark'],
  ] as const) {
    const context = await dashboard.browser.newContext({ colorScheme, viewport: { width, height: 700 } })
    const page = await context.newPage()
    const asked: string[] = []
    page.on('request', (request) => void asked.push(request.url()))
    await page.setContent(html)
    await assertNoSidewaysScroll(page)
    await assertAccessible(page)
    assert.deepEqual(asked, [])
    await context.close()
  }
}

test('a letter is readable in a browser at any width and by day and night', async () => {
  await letterIsFine((await mailServer.find('reader@example.com')).html)
  // Everything that a letter may be made of, in words that are longer than the screen is wide.
  const long = 'Donaudampfschifffahrt'.repeat(9)
  const table: Block = { kind: 'table', head: [long, 'Total', 'Change'], rows: [[long, '1,000,000', '+1,000%']] }
  const blocks = [paragraph(long), heading(long), facts([[long, `${long}\n${long}`]]), table]
  const worst = { subject: long, language: 'de', title: long, reason: long }
  const unsubscribeUrl = `https://stats.example/${long}`
  await letterIsFine(letterHtml({ ...worst, blocks: [...blocks, button(long, unsubscribeUrl)], unsubscribeUrl }))
})

test('whoever forgot their password asks for a link, and sets a new one with it', async () => {
  const { open, footfall } = dashboard
  const person = await addPerson(footfall, { email: 'forgetful@example.com' })
  const { page, errors } = await open('/sign-in', { width: 360 })
  await press(page, 'Forgot your password?')
  await page.getByLabel('Email').fill(person.email)
  await assertAccessible(page)
  await press(page, 'Send reset link')
  await says(page, /If forgetful@example.com has an account/)
  await assertAccessible(page)
  await assertNoSidewaysScroll(page)
  const { text } = await mailServer.find(person.email, /new password/)
  const token = /invitation#(\w+)/.exec(text)?.[1]
  await page.goto(`${footfall.url}/dashboard/invitation#${token}`)
  await page.getByRole('heading', { name: 'Set a new password' }).waitFor()
  await page.getByLabel('Password', { exact: true }).fill('a louder stone by the sea')
  assert.deepEqual(errors, [])
})

test('the recipients of a form are set by keyboard; what is wrong is said at its line, and a reader unsubscribes', async () => {
  const { open, owner, footfall } = dashboard
  const { id } = footfall.property
  const flow = flowOf(footfall)
  const form = await flow.create(id, { name: 'Quotes' })
  const { page, errors } = await open(`/properties/${id}/forms/${form.id}/settings`, { as: owner })
  const recipients = page.getByRole('textbox', { name: 'Recipients' })
  const save = async () => {
    await recipients.press('Tab')
    await page.keyboard.press('Enter')
  }
  await recipients.fill('sales@example.com\nnobody')
  await save()
  await says(page, /“nobody” must be an email address/)
  await recipients.fill('sales@example.com, boss@example.com; gone@example.com')
  await save()
  await says(page, 'Saved')
  await untilEqual(() => recipients.inputValue(), 'sales@example.com\nboss@example.com\ngone@example.com')
  const mailOf = async () => (await footfall.call('GET', `/manage/properties/${id}/forms/${form.id}/mail`)).json.data
  const most = page.getByLabel('Emails per hour')
  assert.equal(await most.inputValue(), '10')
  for (const [written, kept] of [
    ['3', 3],
    ['', 10],
  ] as const) {
    await most.fill(written)
    await most.press('Enter')
    await untilEqual(async () => (await mailOf()).most_an_hour, kept)
  }
  await assertAccessible(page)

  await page.getByLabel('Send a confirmation').check()
  await page.getByLabel('Subject').fill('Thank you, %first_name%')
  await page.getByLabel('Message', { exact: true }).fill('Dear %someone%')
  await page.keyboard.press('Tab')
  await page.getByLabel('Replies go to').press('Enter')
  await says(page, /%someone% is no field of the form/)
  await page.getByLabel('Message', { exact: true }).fill('Dear %name%,\n\nwe will call you.')
  await page.getByLabel('Replies go to').press('Enter')
  await page.getByText(/%someone% is no field/).waitFor({ state: 'detached' })
  await assertAccessible(page)

  await flow.send(await flow.open(form), { name: 'Ada <b>', email: 'ada@example.org' })
  await tellSubmissions(footfall.context)
  const { html, headers } = await mailServer.find('boss@example.com', /^New submission: Quotes$/)
  await letterIsFine(html)
  await letterIsFine((await mailServer.find('ada@example.org', /^Thank you, Ada$/)).html)
  const [link = ''] = /\/unsubscribe\/\w+/.exec(headers.get('list-unsubscribe') ?? '') ?? []
  await page.goto(footfall.url + link)
  await assertAccessible(page)
  await press(page, 'Unsubscribe')
  await says(page, /You will no longer receive emails/)
  await untilEqual(async () => (await mailOf()).recipients[2].last_error !== null, true)
  const again = await open(`/properties/${id}/forms/${form.id}/settings`, { as: owner, width: 360 })
  await says(again.page, /Unsubscribed: boss@example\.com/)
  await says(again.page, 'The last email to gone@example.com was not delivered: 550 No such mailbox <img src=x>')
  await assertNoSidewaysScroll(again.page)
  assert.deepEqual([...errors.filter((error) => !/status of 4\d\d/.test(error)), ...again.errors], [])
})

test('reports are set up by keyboard, looked at before anybody gets one, and sent to oneself', async () => {
  const { open, owner, footfall } = dashboard
  const { id } = footfall.property
  const { page, errors } = await open(`/properties/${id}/settings/reports`, { as: owner })
  const weekly = page.getByRole('region', { name: 'Weekly report' })
  await weekly.getByLabel('Recipients').fill('team@example.com')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await says(page, 'Saved')
  await assertAccessible(page)
  await weekly.getByRole('button', { name: 'Preview' }).click()
  const dialog = page.getByRole('dialog', { name: 'Weekly report' })
  await dialog.frameLocator('iframe').getByText('Open the dashboard').waitFor()
  await assertAccessible(page)
  await page.keyboard.press('Escape')
  await weekly.getByRole('button', { name: 'Send me one now' }).click()
  await says(page, /on its way to/)
  const { html } = await mailServer.find(owner.email)
  await letterIsFine(html)
  const phone = await open(`/properties/${id}/settings/reports`, { as: owner, width: 390, theme: 'dark' })
  await phone.page.getByLabel('Recipients').first().waitFor()
  await assertNoSidewaysScroll(phone.page)
  await assertAccessible(phone.page)
  assert.deepEqual([...errors, ...phone.errors], [])
})

test('alerts are set up by keyboard; what is wrong is said at its field', async () => {
  const { open, owner, footfall } = dashboard
  const { id } = footfall.property
  const { page, errors } = await open(`/properties/${id}/settings/reports`, { as: owner })
  const alerts = page.getByRole('region', { name: 'Alerts' })
  await alerts.getByLabel('Sessions are far above or below usual').press('Space')
  await alerts.getByLabel('More visitors right now than').fill('250')
  await alerts.getByLabel('Recipients').fill('nobody')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await says(page, /“nobody” must be an email address/)
  await assertAccessible(page)
  await alerts.getByLabel('Recipients').fill('team@example.com\nboss@example.com')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await says(page, 'Saved')
  await page.reload()
  await untilEqual(() => alerts.getByLabel('Recipients').inputValue(), 'team@example.com\nboss@example.com')
  assert.equal(await alerts.getByLabel('Sessions are far above or below usual').isChecked(), true)
  assert.equal(await alerts.getByLabel('More visitors right now than').inputValue(), '250')
  assert.deepEqual(
    errors.filter((error) => !/status of 422/.test(error)),
    [],
  )
})

/** What is drawn of an email, and what came of what is hostile in it. */
const drawn = `({
  language: document.documentElement.lang,
  title: document.title,
  links: [...document.links].map(({ href }) => href),
  parts: document.querySelectorAll('img, script, link, iframe, object, embed, form, input, base, svg, [onerror], .evil').length,
  ran: globalThis.wasHit === true,
  words: document.body.innerText,
})`

interface Drawn {
  readonly language: string
  readonly title: string
  readonly links: readonly string[]
  readonly parts: number
  readonly ran: boolean
  readonly words: string
}

async function assertDrawnWell(page: Page, mail: ReceivedMail, expected: ExpectedMail): Promise<void> {
  await page.setContent(mail.html)
  await assertNoSidewaysScroll(page)
  const { language, title, links, parts, ran, words } = await page.evaluate<Drawn>(drawn)
  assert.equal(language, expected.language ?? 'en')
  assert.match(title, expected.subject)
  assert.deepEqual([parts, ran], [0, false])
  const { origin } = new URL(dashboard.footfall.context.config.baseUrl)
  const [button, unsubscribe] = expected.leadsTo ? links : [undefined, ...links]
  if (expected.leadsTo) assert.match(button?.startsWith(origin) ? button.slice(origin.length) : '', expected.leadsTo)
  assert.equal(links.length, Number(expected.leadsTo !== undefined) + Number(expected.canUnsubscribe === true))
  for (const link of links) assert.ok(mail.text.includes(link), `${link} is not in the text`)
  // Each line that is read in the one is in the other: the text is no stub.
  const flat = (text: string) => text.replaceAll(/\s+/g, ' ')
  for (const line of words.split('\n').filter((part) => part.trim() !== '' && !/\t/.test(part)))
    assert.ok(flat(mail.text).includes(flat(line).trim()) || line.endsWith('Unsubscribe'), `not in the text: ${line}`)
  if (!expected.canUnsubscribe) return assert.equal(mail.headers.has('list-unsubscribe'), false)
  assert.match(unsubscribe ?? '', /\/unsubscribe\/\w+$/)
  assert.equal(mail.headers.get('list-unsubscribe'), `<${unsubscribe}>`)
  assert.equal(mail.headers.get('list-unsubscribe-post'), 'List-Unsubscribe=One-Click')
}

test('every kind of email has a text, and is drawn on a phone: nothing runs, is asked for or is wider', async () => {
  const world = { footfall: dashboard.footfall, owner: dashboard.owner }
  const { status, text } = await world.footfall.call('POST', `/manage/properties/${world.footfall.property.id}`, {
    body: { name: worstName },
  })
  assert.equal(status, 200, text)
  const context = await dashboard.browser.newContext({ viewport: { width: 360, height: 740 } })
  const page = await context.newPage()
  const asked: string[] = []
  page.on('request', (request) => void asked.push(request.url()))
  await page.evaluate('globalThis.hit = () => { globalThis.wasHit = true }')
  for (const kind of kinds) {
    const expected = mailKinds[kind]
    const to = `${kind}@example.net`
    await expected.send(world, to)
    await assertDrawnWell(page, await mailServer.find(to), expected)
  }
  await sendOtherLetters(world)
  const unusual = { ...mailKinds.alert, subject: /far below usual/, leadsTo: /\?period=today$/ }
  await assertDrawnWell(page, await mailServer.find(OTHER_ALERT), unusual)
  assert.deepEqual(asked, [])
  await context.close()
})
