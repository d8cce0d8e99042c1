// Automations and conversions in the dashboard, in Chromium, against a real endpoint: made, tried out,
// watched, repaired.
import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { after, afterEach, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { openDelivering } from '../../server/deliveries/delivering.ts'
import { addPerson } from '../support/accounts.ts'
import { assertAccessible, assertNoSidewaysScroll, type Dashboard, openDashboard } from '../support/dashboard.ts'
import { certificateFor, type Endpoint, openEndpoint } from '../support/endpoint.ts'
import { untilEqual } from '../support/until.ts'

const HOSTILE = `"><img src=x onerror=alert(1)>`

let dashboard: Dashboard
let endpoint: Endpoint
let answer: (response: ServerResponse) => unknown
const ends: (() => unknown)[] = []
const ending = { after: (end: () => unknown) => ends.push(end) }

before(async () => {
  const certificate = await certificateFor(['127.0.0.1'])
  dashboard = await openDashboard(ending, { env: { WEBHOOK_ALLOW: '127.0.0.0/8' } })
  endpoint = await openEndpoint(ending, certificate, (response) => void answer(response))
  const delivering = openDelivering(dashboard.footfall.context, { ca: certificate.cert })
  await delivering.start()
  ending.after(() => delivering.close())
})
after(async () => {
  for (const end of ends.toReversed()) await end()
})
afterEach(() => dashboard.leavePages())

const hook = (): string => `https://127.0.0.1:${endpoint.port}/hook`
const path = (rest: string): string => `/properties/${dashboard.footfall.property.id}${rest}`
const openAsOwner = (rest: string, how: object = {}) => dashboard.open(path(rest), { as: dashboard.owner, ...how })
const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).first().click()
const says = (page: Page, words: string | RegExp) => page.getByText(words).first().waitFor()
/** Answers below 500 that a page expects; the browser notes them all the same. */
const unexpected = (errors: readonly string[]) => errors.filter((error) => !/status of 4\d\d/.test(error))

/** As the administrator's scripts do. */
async function post(rest: string, body: object) {
  const { id } = dashboard.footfall.property
  const { status, json, text } = await dashboard.footfall.call('POST', `/manage/properties/${id}/${rest}`, { body })
  assert.equal(status, 200, text)
  return json.data
}

const addAutomation = async (name: string): Promise<string> =>
  (
    await post('automations', {
      name,
      trigger: { event_type: 'event', event_value: name },
      actions: [{ type: 'webhook', url: hook() }],
    })
  ).automation.id

test('an automation is made, its secret shown once, and a test of it sent; the answer is text', async () => {
  answer = (response) => response.writeHead(202, { 'x-answer': HOSTILE }).end(HOSTILE)
  const { page, errors } = await openAsOwner('/automations')
  await says(page, 'No automations yet')
  await assertAccessible(page)
  await page.getByRole('link', { name: 'New automation' }).first().click()
  await page.getByLabel('Trigger').selectOption('event')
  await page.getByLabel('Event name').fill('lead')
  await page.getByLabel('URL').fill('http://example.com/')
  await page.getByText('Show example body').click()
  await says(page, '"event_value": "lead"')
  await assertAccessible(page)
  await press(page, 'Create automation')
  await page.locator('input[aria-invalid=true]').waitFor()
  await page.getByLabel('URL').fill(hook())
  await page.getByLabel('Name', { exact: true }).fill(`Leads ${HOSTILE}`)
  await press(page, 'Create automation')
  const secret = (await page.getByText(/^whsec_/).textContent()) ?? ''
  assert.match(secret, /^whsec_[0-9A-Za-z]{40}$/)
  await assertAccessible(page)
  await page.getByLabel('I’ve copied it').check()
  await press(page, 'Go to automation')
  await page.getByRole('heading', { name: `Leads ${HOSTILE}` }).waitFor()
  assert.equal((await page.content()).includes(secret), false)

  await press(page, 'Send test')
  const drawer = page.getByRole('dialog', { name: 'Delivery' })
  await drawer.getByText('Delivered', { exact: true }).waitFor()
  await drawer.getByText('X-Service-Signature').waitFor()
  await untilEqual(() => drawer.getByText(HOSTILE, { exact: true }).count(), 2)
  await drawer.getByText('"test": true').waitFor()
  await assertAccessible(page)
  assert.equal(endpoint.received.length, 1)
  await page.keyboard.press('Escape')
  await drawer.waitFor({ state: 'detached' })
  await page.getByRole('row', { name: /Test.*Delivered.*202/ }).waitFor()
  await page.getByLabel('Status', { exact: true }).selectOption('failed')
  await says(page, 'No deliveries with this status')
  await page.goBack()
  await page.getByRole('row', { name: /Delivered/ }).waitFor()

  // A new secret, with the old one for a while.
  await press(page, 'More')
  await page.getByRole('menuitem', { name: 'New signing secret' }).click()
  await press(page, 'Create new secret')
  const rotated = (await page.getByText(/^whsec_/).textContent()) ?? ''
  assert.notEqual(rotated, secret)
  await page.getByLabel('I’ve copied it').check()
  await press(page, 'Done')
  await says(page, 'The previous secret expires')
  assert.deepEqual(unexpected(errors), [])
})

test('an address that nobody knows yet is saved, and its maker told; what is typed next is not what it was about', async () => {
  const { page, errors } = await openAsOwner('/automations/new')
  await page.getByLabel('URL').fill('https://hooks.not-yet.invalid/leads')
  await press(page, 'Create automation')
  const warning = page.getByRole('status').getByText(/host hooks\.not-yet\.invalid/)
  await warning.waitFor()
  await page.getByText(/^whsec_/).waitFor()
  await assertAccessible(page)
  await page.getByLabel('I’ve copied it').check()
  await press(page, 'Go to automation')
  await page.getByRole('tab', { name: 'Settings' }).click()
  assert.equal(await warning.count(), 0)
  // Only what was changed is sent, and so only that is looked at.
  await page.getByLabel('URL').fill('https://hooks.not-yet.invalid/next')
  await press(page, 'Save')
  await warning.waitFor()
  await assertAccessible(page)
  await page.setViewportSize({ width: 390, height: 800 })
  await assertNoSidewaysScroll(page)
  await page.getByLabel('URL').fill('https://hooks.not-yet.invalid/other')
  await warning.waitFor({ state: 'detached' })
  assert.deepEqual(errors, [])
})

test('the message for a chat is seen before it is saved, and what its address looks like is said', async () => {
  const { page, errors } = await openAsOwner('/automations/new')
  await page.getByLabel('Body', { exact: true }).selectOption('slack')
  await says(page, /https:\/\/hooks\.slack\.com\/services/)
  await page.getByText('Show example body').click()
  const message = page.getByRole('figure', { name: /Slack/ })
  await message.getByText('New submission: Contact').waitFor()
  await message.getByText('ada@example.com').waitFor()
  await assertAccessible(page)
  await page.setViewportSize({ width: 390, height: 800 })
  await assertNoSidewaysScroll(page)
  assert.deepEqual(errors, [])
})

test('what failed is sent again by hand; one that was switched off by the service is switched on', async () => {
  const { footfall } = dashboard
  answer = (response) => response.writeHead(500).end('{"error":"no"}')
  const id = await addAutomation('order')
  const { session_id } = (await footfall.track.load()).json
  await footfall.track.event(session_id, 'order')
  const { page, errors } = await openAsOwner(`/automations/${id}`)
  await page.getByRole('row', { name: /Retrying.*500/ }).waitFor()
  await footfall.context.records
    .updateTable('deliveries')
    .set({ state: 'failed', attempts: 1, finished_ms: footfall.clock.now() })
    .where('automation_id', '=', id)
    .execute()
  await footfall.context.records
    .updateTable('automations')
    .set({ is_active: 0, disabled_reason: `Ten in a row: ${HOSTILE}`, disabled_ts: 1_790_000_000, failures: 10 })
    .where('id', '=', id)
    .execute()
  await page.reload()
  await page.getByRole('alert').getByText(HOSTILE).waitFor()
  await assertAccessible(page)
  answer = (response) => response.end('thanks')
  await press(page, 'Enable again')
  await page.getByText('On', { exact: true }).waitFor()
  await page.getByRole('alert').waitFor({ state: 'detached' })
  await page
    .getByRole('row', { name: /Failed/ })
    .getByRole('link')
    .click()
  const drawer = page.getByRole('dialog', { name: 'Delivery' })
  await drawer.getByRole('button', { name: 'Retry' }).click()
  await drawer.getByText('manual').waitFor()
  await drawer.getByText('Delivered', { exact: true }).waitFor()
  assert.match((await drawer.getByRole('link', { name: 'View visit' }).getAttribute('href')) ?? '', /ses/i)
  await page.keyboard.press('Escape')
  await page.getByRole('switch', { name: 'Enabled' }).click()
  await page.getByText('Off', { exact: true }).waitFor()
  assert.deepEqual(errors, [])
})

test('a conversion is defined, counted, made a condition, and deleted when its name is typed', async () => {
  const { footfall } = dashboard
  const visitor = { address: '203.0.113.44' }
  const { session_id } = (await footfall.track.load({ ...visitor, page: 'https://example.com/thanks' })).json
  await footfall.track.event(session_id, 'quote', visitor)
  const { page, errors } = await openAsOwner('/goals')
  await says(page, 'No goals yet')
  await assertAccessible(page)
  await press(page, 'New goal')
  await page.getByLabel('Name', { exact: true }).fill(`Quoted ${HOSTILE}`)
  await page.getByLabel('Definition').selectOption('page_view')
  await page.getByLabel('Page path').fill('thanks')
  await press(page, 'Create goal')
  await says(page, /begins with \/ or \*/)
  await page.getByLabel('Page path').fill('/thanks')
  await press(page, 'Create goal')
  const row = page.getByRole('row', { name: new RegExp(`Quoted.*/thanks 1 1`) })
  await row.waitFor()
  await assertAccessible(page)
  await row.getByRole('link').click()
  await page.getByRole('heading', { name: `Quoted ${HOSTILE}` }).waitFor()
  await page.getByRole('table', { name: 'People' }).getByRole('row').nth(1).waitFor()
  await page.getByRole('group', { name: 'Metrics' }).getByRole('button', { name: 'Conversion rate' }).click()
  await page.getByRole('heading', { name: 'Conversion rate' }).waitFor()
  await assertAccessible(page)
  await press(page, 'Edit')
  const drawer = page.getByRole('dialog')
  await drawer.getByText('Visits with at least one conversion').waitFor()
  await drawer.getByLabel('Definition').selectOption('event')
  await drawer.getByLabel('Event name').fill('quote')
  await assertAccessible(page)
  await press(page, 'Save')
  await drawer.waitFor({ state: 'detached' })
  await page.getByRole('link', { name: 'All goals' }).click()
  await page.getByRole('row', { name: /Quoted.*quote 1 1/ }).waitFor()

  const id = await addAutomation('quote')
  await page.getByRole('link', { name: 'Automations' }).click()
  await page.getByRole('link', { name: 'quote', exact: true }).click()
  await page.getByRole('tab', { name: 'Settings' }).click()
  await page.getByLabel('Only if the visit met').selectOption({ label: `Quoted ${HOSTILE}` })
  await press(page, 'Save')
  await says(page, `only if Quoted ${HOSTILE} was met`)
  await assertAccessible(page)
  await press(page, 'More')
  await page.getByRole('menuitem', { name: 'Delete automation' }).click()
  await page.getByLabel(/Type/).fill('quote')
  await press(page, 'Delete automation')
  await page.getByText(id).waitFor({ state: 'detached' })
  await page.getByRole('link', { name: 'Goals' }).click()
  await page.getByRole('link', { name: /Quoted/ }).click()
  await press(page, 'Edit')
  await press(page, 'Delete')
  await page.getByLabel(/Type/).fill(`Quoted ${HOSTILE}`)
  await press(page, 'Delete goal')
  await says(page, 'No goals yet')
  assert.deepEqual(unexpected(errors), [])
})

test('figures that were asked for before a conversion was defined are not shown as those after it', async () => {
  const { footfall, owner } = dashboard
  const { id } = await footfall.addProperty()
  const { page, errors } = await dashboard.open('/account', { as: owner })
  const { promise: isListed, resolve: list } = Promise.withResolvers<void>()
  const { promise: isAsked, resolve: ask } = Promise.withResolvers<void>()
  let asked = 0
  await page.route(/\/conversions\/statistics\b/, async (route) => {
    if (asked++ > 0) return route.continue()
    const response = await route.fetch()
    ask()
    await isListed
    await route.fulfill({ response })
  })
  await page.goto(`${footfall.url}/dashboard/properties/${id}/goals`)
  await says(page, 'No goals yet')
  await isAsked
  await press(page, 'New goal')
  await page.getByLabel('Name', { exact: true }).fill('Quoted')
  await page.getByLabel('Definition').selectOption('event')
  await page.getByLabel('Event name').fill('quote')
  await press(page, 'Create goal')
  await page.getByRole('row', { name: /Quoted/ }).waitFor()
  list()
  await page.getByRole('row', { name: /Quoted.*quote 0 0/ }).waitFor()
  assert.deepEqual(errors, [])
})

test('dark and on a phone; viewers read the log and change nothing', async () => {
  const { footfall } = dashboard
  answer = (response) => response.end('thanks')
  const id = await addAutomation('a-name-of-an-event-that-is-a-good-deal-longer-than-names-of-events-are')
  await post(`automations/${id}/test`, {})
  const viewer = await addPerson(footfall, { roles: { [footfall.property.id]: 'viewer' } })
  const { page, errors } = await dashboard.open(path(`/automations/${id}`), { as: viewer, theme: 'dark', width: 360 })
  await page.getByRole('row', { name: /Delivered/ }).waitFor()
  await assertAccessible(page)
  await assertNoSidewaysScroll(page)
  for (const name of ['Send test', 'More', 'Settings'])
    assert.equal(await page.getByRole('main').getByText(name, { exact: true }).count(), 0)
  await page
    .getByRole('row', { name: /Delivered/ })
    .getByRole('link')
    .click()
  const drawer = page.getByRole('dialog', { name: 'Delivery' })
  await drawer.getByText('X-Service-Signature').waitFor()
  assert.equal(await drawer.getByRole('button', { name: 'Retry' }).count(), 0)
  await assertAccessible(page)
  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: 'All automations' }).click()
  await page.getByRole('heading', { name: 'Automations', exact: true }).waitFor()
  await page.getByRole('link', { name: /^a-name/ }).waitFor()
  await assertNoSidewaysScroll(page)
  await assertAccessible(page)
  assert.deepEqual(errors, [])

  await dashboard.leavePages()
  const own = await openAsOwner(`/automations/${id}/settings`, { width: 360, theme: 'dark' })
  await own.page.getByLabel('URL').waitFor()
  await assertNoSidewaysScroll(own.page)
  await assertAccessible(own.page)
  await own.page.getByRole('link', { name: 'All automations' }).click()
  await own.page.goto(`${dashboard.footfall.url}/dashboard/properties/${dashboard.footfall.property.id}/goals`)
  await says(own.page, 'No goals yet')
  await assertNoSidewaysScroll(own.page)
  await assertAccessible(own.page)
  assert.deepEqual(own.errors, [])
})
