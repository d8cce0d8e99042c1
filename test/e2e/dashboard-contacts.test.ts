// Contacts in Chromium, by keyboard where sensible: two that are one person.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { contactCalls, type ContactCalls } from '../support/contact-calls.ts'
import {
  assertAccessible,
  assertNoSidewaysScroll,
  type Dashboard,
  type DashboardPage,
  openDashboard,
} from '../support/dashboard.ts'
import { moveTo } from '../support/moving.ts'
import { untilAt } from '../support/until.ts'

const ends: (() => Promise<void>)[] = []
let dashboard: Dashboard
let owned: DashboardPage
let calls: ContactCalls

const at = (rest: string) => `/properties/${dashboard.footfall.property.id}${rest}`

before(async () => {
  dashboard = await openDashboard({ after: (end) => ends.push(end) })
  calls = contactCalls(dashboard.footfall)
  owned = await dashboard.open(at('/contacts'), { as: dashboard.owner })
})

after(async () => {
  for (const end of ends.toReversed()) await end()
})

test('two contacts are compared side by side and merged, their values chosen, and made two again', async () => {
  const said = { first_name: 'Grace', last_name: 'Hopper' }
  const session_id = await calls.newSession()
  const kept = await calls.newContact({ session_id, traits: { ...said, company: 'Navy', city: 'New York' } })
  const traits = { ...said, first_name: 'Amazing Grace', company: 'Yale', meta: [{ key: 'rank', value: 'Admiral' }] }
  const other = await calls.newContact({ session_id: await calls.newSession(), traits })
  const { page, errors } = owned
  await moveTo(page, `/dashboard${at(`/contacts/${kept.id}`)}`)
  await page.getByRole('button', { name: 'Merge', exact: true }).focus()
  await page.keyboard.press('Enter')
  const found = page.getByRole('dialog').getByRole('listitem').filter({ hasText: 'Amazing Grace Hopper' })
  await found.waitFor()
  await assertAccessible(page)
  await found.getByRole('button').press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Compare and merge' })
  await dialog.getByText('Admiral').waitFor()
  assert.equal(await dialog.getByRole('radio').count(), 6, 'first name, email and company differ')
  await dialog.getByRole('radio', { name: 'Company: Yale' }).press('Space')
  await assertAccessible(page)
  await dialog.getByRole('button', { name: 'Merge contacts' }).press('Enter')
  await page.getByText('Merged into Grace Hopper').waitFor()
  await page.getByRole('region', { name: 'Merged contacts' }).getByText(other.email).waitFor()
  const read = async (id: string) => (await calls.get(id)).json.data.contact
  const merged = await read(kept.id)
  assert.deepEqual(
    [merged.first_name, merged.company, merged.city, merged.session_count, merged.meta.length],
    ['Grace', 'Yale', 'New York', 2, 1],
  )
  await moveTo(page, `/dashboard${at(`/contacts/${other.id}`)}`)
  await untilAt(page, ({ pathname }) => pathname.endsWith(`/contacts/${kept.id}`))
  await page.getByRole('button', { name: 'Undo', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Undo' }).click()
  await page.getByText('Amazing Grace Hopper is a separate contact again').waitFor()
  assert.deepEqual([(await read(kept.id)).company, (await read(other.id)).company], ['Navy', 'Yale'])
  assert.deepEqual(errors, [])
})

test('on a phone, two contacts are compared without scrolling sideways', async () => {
  const kept = await calls.newContact({ traits: { last_name: 'Lovelace', company: 'Analytical Engines of London' } })
  await calls.newContact({ traits: { first_name: 'Ada', last_name: 'Lovelace', company: 'Babbage and Sons' } })
  const { page, errors } = await dashboard.open(at(`/contacts/${kept.id}?open=merge`), {
    as: dashboard.owner,
    width: 390,
  })
  await page.getByRole('dialog').getByRole('listitem').getByRole('button').first().click()
  await page.getByRole('dialog', { name: 'Compare and merge' }).getByText('Babbage and Sons').waitFor()
  await assertNoSidewaysScroll(page)
  assert.deepEqual(errors, [])
})

test('a list asks for confirmation: it is set up, a person is added, and what waits is shown', async () => {
  const { page, errors } = owned
  const { footfall } = dashboard
  const person = await calls.newContact({ traits: { first_name: 'Katherine', last_name: 'Johnson' } })
  await moveTo(page, `/dashboard${at('/contacts')}`)
  await page.getByRole('button', { name: 'Lists', exact: true }).press('Enter')
  const drawer = page.getByRole('dialog', { name: 'Lists' })
  await drawer.getByLabel('New list').fill('Newsletter')
  await page.keyboard.press('Enter')
  const confirms = drawer.getByRole('switch', { name: /Confirm by email/ })
  await confirms.waitFor()
  assert.equal(await confirms.isChecked(), true)
  await drawer.getByText('Email isn’t set up, so nobody can confirm').waitFor()
  await assertAccessible(page)
  await moveTo(page, `/dashboard${at(`/contacts/${person.id}`)}`)
  await page.getByLabel('Add to a list').fill('Newsletter')
  await page.keyboard.press('Enter')
  await page
    .getByText(/Set up email first: SMTP_URL and MAIL_FROM/)
    .first()
    .waitFor()
  await footfall.context.records.insertInto('list_memberships').values(membershipOf(person)).execute()
  await page.reload()
  const waiting = page.getByRole('list', { name: 'List confirmations' })
  await waiting.getByText('Pending').waitFor()
  await waiting.getByRole('button', { name: 'Send again' }).waitFor()
  await assertAccessible(page)
  assert.deepEqual(
    errors.filter((error) => !/status of 4\d\d/.test(error)),
    [],
  )
})

/** As a submission leaves it while no mail server is set up. */
const membershipOf = ({ id, email }: { readonly id: string; readonly email: string }) => ({
  id: 'lm_00000000000000000001',
  confirm_id: 'lc_00000000000000000001',
  property_id: dashboard.footfall.property.id,
  contact_id: id,
  list_key: 'newsletter',
  name: 'Newsletter',
  email,
  email_key: email,
  language: 'en',
  state: 'pending' as const,
  form_id: null,
  requested_ms: dashboard.footfall.clock.now(),
  confirmed_ms: null,
  unsubscribed_ms: null,
  mailed_ms: null,
  mails: 0,
})

test('a search is saved, and found again by its name, in the address', async () => {
  const { page, errors } = owned
  await calls.newContact({ traits: { first_name: 'Dorothy', last_name: 'Vaughan' } })
  await moveTo(page, `/dashboard${at('/contacts?q=Vaughan&sort=value&dir=desc')}`)
  await page.getByText('1 contact', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Saved searches' }).press('Enter')
  await page.getByLabel('Save this search as').fill('Vaughans by value')
  await page.getByLabel('Share with everyone in this property').check()
  await assertAccessible(page)
  await page.getByRole('button', { name: 'Save search' }).click()
  await page.getByRole('button', { name: /^Vaughans by value/ }).waitFor()
  await page.keyboard.press('Escape')
  await moveTo(page, `/dashboard${at('/contacts')}`)
  await page.getByRole('button', { name: 'Saved searches' }).click()
  await page.getByRole('button', { name: /^Vaughans by value/ }).press('Enter')
  await untilAt(page, ({ search }) => search.includes('q=Vaughan') && search.includes('sort=value'))
  await page.getByText('1 contact', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Saved searches' }).click()
  await page.getByRole('button', { name: 'Delete the saved search Vaughans by value' }).click()
  await page.getByText('No saved searches yet', { exact: false }).waitFor()
  assert.deepEqual(
    errors.filter((error) => !/status of 4\d\d/.test(error)),
    [],
  )
})
