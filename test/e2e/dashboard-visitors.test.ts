// Live, sessions, contacts and bots in Chromium: the story of a visit, people found, changed, imported and
// erased, and hostile texts that stay texts.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { addPerson } from '../support/accounts.ts'
import { ALLOW_LOOPBACK, automationCalls } from '../support/automation-calls.ts'
import {
  assertAccessible,
  assertNoSidewaysScroll,
  type Dashboard,
  type DashboardPage,
  openDashboard,
} from '../support/dashboard.ts'
import { flowOf } from '../support/form-flow.ts'
import { moveTo } from '../support/moving.ts'
import { addGroup, addLink, visit } from '../support/visits.ts'
import { untilAt, untilEqual, untilMatch } from '../support/until.ts'

const HOSTILE = '<img src=x onerror=alert(1)>'
const ada = { address: '203.0.113.1' }
const BOT = {
  agent: 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
  address: '203.0.113.9',
}

const ends: (() => Promise<void>)[] = []
let dashboard: Dashboard
/** The owner's, for all tests: the dashboard goes from page to page without being loaded again. */
let owned: DashboardPage
let session: string
let contact: string

/** One visit with everything that a visit can have, one of somebody else, and one of a bot. */
async function openWorld(): Promise<void> {
  const { footfall } = dashboard
  const { track, property } = footfall
  await automationCalls(footfall).add('event', HOSTILE, { name: 'Tell sales' })
  const group = await addGroup(footfall)
  const link = await addLink(footfall, { group_id: group, name: 'Flyer', destination_url: 'https://example.com/start' })
  const flow = flowOf(footfall)
  const form = await flow.create(property.id, { name: 'Newsletter' })

  await visit(footfall.url, `/a/${link.code}`, ada)
  const entry = (await track.load({ ...ada, page: 'https://example.com/start', title: HOSTILE })).json
  session = entry.session_id
  await track.ping(entry.view_id, { ...ada, tos: 42, max: 80 })
  await flow.send(await flow.open(form, undefined, ada), { name: HOSTILE, email: 'ada@x.example' }, ada)
  await track.event(session, HOSTILE, { ...ada, value: HOSTILE })
  await track.acquisition(session, { value: 1999, currency_code: 'EUR', tags: ['shop:order:7'] }, ada)
  const traits = {
    first_name: 'Ada',
    last_name: HOSTILE,
    website: 'javascript:alert(1)',
    meta: [{ key: 'plan', value: 1 }],
  }
  const identified = await footfall.call('POST', '/v2/property/contacts/identify', {
    body: { session_id: session, email: 'ada@x.example', traits },
  })
  contact = identified.json.data.contact.id
  await track.load({ address: '203.0.113.2', page: 'https://example.com/pricing' })
  await track.load({ ...BOT, page: 'https://example.com/robots' })
  await footfall.call('POST', '/v2/lib/error', {
    body: { property_id: property.key, error: `TypeError: ${HOSTILE}`, lib: 'signals' },
    headers: {
      'user-agent':
        'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
    },
  })
}

before(async () => {
  dashboard = await openDashboard({ after: (end) => ends.push(end) }, { env: ALLOW_LOOPBACK })
  await openWorld()
  owned = await dashboard.open(at('/settings'), { as: dashboard.owner })
})

after(async () => {
  for (const end of ends.toReversed()) await end()
})

const at = (path: string): string => `/properties/${dashboard.footfall.property.id}${path}`
const go = ({ page }: DashboardPage, path: string): Promise<void> => moveTo(page, `/dashboard${at(path)}`)

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
/** Text that a visitor wrote has made nothing but text. */
const assertHarmless = async (page: Page): Promise<void> => assert.equal(await page.locator('img[src="x"]').count(), 0)
/** Answers below 500 that a page expects; the browser notes them all the same. */
const unexpected = (errors: readonly string[]) => errors.filter((error) => !/status of 4\d\d/.test(error))

test('a visit tells its story, at an address that opens it, and closes back to the list', async () => {
  const { page, errors } = owned
  await go(owned, '/sessions?period=today')
  const row = page.getByRole('link', { name: /\/start/ })
  await row.waitFor()
  await page.getByText(/^Ada <img src=x onerror=alert\(1\)> · /).waitFor()
  await assertAccessible(page)
  await row.click()
  const story = page.getByRole('dialog')
  await story.getByText('Clicked the short link Flyer').waitFor()
  await untilAt(page, ({ href }) => href.endsWith(at(`/sessions/${session}?period=today`)))
  const steps = (await story.locator('ol > li').allInnerTexts()).map((text) => text.replace(/\s+/g, ' '))
  const expected = [
    /Flyer.*https:\/\/example\.com\/start/,
    /<img src=x.*42s visible · scrolled 80%/,
    /Submitted form Newsletter/,
    /Event: <img src=x onerror=alert\(1\)> <img/,
    /Paid €19\.99.*shop:order:7/,
    /Identified as Ada <img src=x/,
    /Webhook: Tell sales Pending/,
  ]
  for (const step of expected)
    assert.ok(
      steps.some((text) => step.test(text)),
      `${step} in ${steps.join(' | ')}`,
    )
  await assertAccessible(page)
  await assertHarmless(page)

  await page.keyboard.press('Escape')
  await story.waitFor({ state: 'detached' })
  await untilAt(page, ({ href }) => href.endsWith(at('/sessions?period=today')))
  await untilMatch(() => page.evaluate<string | null>('document.activeElement.textContent'), /\/start/)
  await page.goBack()
  await story.getByText('Activity').waitFor()
  await story.getByRole('link', { name: /^Ada/ }).first().click()
  await page.getByRole('heading', { level: 1, name: /^Ada/ }).waitFor()
  assert.deepEqual(unexpected(errors), [])
})

test('sessions are searched by their pages; what was searched for is in the address', async () => {
  const { page, errors } = owned
  await go(owned, '/sessions?period=today')
  await page.getByRole('link', { name: /\/pricing/ }).waitFor()
  await page.keyboard.press('/')
  await page.keyboard.type('start')
  await page.getByRole('link', { name: /\/pricing/ }).waitFor({ state: 'detached' })
  await untilEqual(() => new URL(page.url()).searchParams.get('q'), 'start')
  await go(owned, '/sessions?period=today&page=7') // of an earlier, longer period
  await page.getByRole('link', { name: /\/pricing/ }).waitFor()
  await untilEqual(() => new URL(page.url()).search, '?period=today')
  await page.getByRole('searchbox').fill('nothing')
  await button(page, 'Clear filters and search').click()
  await page.getByRole('link', { name: /\/pricing/ }).waitFor()
  assert.deepEqual(unexpected(errors), [])
})

test('who is there is shown, follows by itself, and is narrowed down by a click', async () => {
  const { footfall } = dashboard
  const { page, errors } = owned
  await go(owned, '/live')
  await page.getByRole('button', { name: '/pricing', exact: true }).waitFor()
  const count = page.locator('main strong').first()
  await untilEqual(() => count.innerText(), '2')
  await assertAccessible(page)
  await footfall.track.load({ address: '203.0.113.3', page: 'https://example.com/new' })
  const fresh = page.getByRole('button', { name: '/new', exact: true })
  await fresh.waitFor()
  await untilEqual(() => count.innerText(), '3')
  await page.getByRole('switch', { name: 'Follow' }).click()
  await untilEqual(() => new URL(page.url()).searchParams.get('paused'), '1')
  await fresh.click({ modifiers: ['Alt'] })
  await page.getByText('Exit page is not /new').waitFor()
  await fresh.waitFor({ state: 'detached' })
  assert.deepEqual(unexpected(errors), [])
})

test('a contact is found, changed – what is wrong is said at its field – and erased after its address was typed', async () => {
  const { footfall } = dashboard
  await footfall.call('POST', '/v2/property/contacts/identify', { body: { email: 'grace@x.example' } })
  const { page, errors } = owned
  await go(owned, '/contacts')
  await page.getByRole('link', { name: /grace@x\.example/ }).waitFor()
  await assertAccessible(page)
  const byName = page.getByRole('columnheader', { name: 'Contact' })
  const firstRow = (name: RegExp) => page.getByRole('row').nth(1).getByRole('link', { name }).waitFor()
  await byName.getByRole('button').click()
  await firstRow(/^Ada/)
  await untilEqual(() => byName.getAttribute('aria-sort'), 'ascending')
  await page.keyboard.press('Enter')
  await firstRow(/grace/)
  await untilEqual(() => byName.getAttribute('aria-sort'), 'descending')
  await untilMatch(() => page.url(), /sort=name&dir=desc/)
  await assertAccessible(page)
  await page.goBack()
  await firstRow(/^Ada/)
  await page.getByRole('searchbox').fill('ada onerror')
  await page.getByRole('link', { name: /grace/ }).waitFor({ state: 'detached' })
  await page.getByRole('link', { name: /^Ada/ }).click()
  await page.getByText('Submitted Newsletter').waitFor()
  await page.getByText('Visited example.com/start').waitFor()
  await page.getByText('2 answers').click()
  await assertAccessible(page)
  await assertHarmless(page)
  assert.equal(await page.locator('a[href^="javascript"]').count(), 0)

  await button(page, 'Edit').click()
  await page.getByLabel('Email', { exact: true }).fill('nobody')
  await page.getByLabel('Last name', { exact: true }).fill('Lovelace')
  await button(page, 'Save').click()
  await page.getByText('Email is not an email address.').waitFor()
  await untilEqual(() => page.getByLabel('Email', { exact: true }).getAttribute('aria-invalid'), 'true')
  await page.getByLabel('Email', { exact: true }).fill('ada@y.example')
  await page.getByLabel('Value of field 1', { exact: true }).fill('2')
  await button(page, 'Save').click()
  await page.getByRole('heading', { level: 1, name: 'Ada Lovelace' }).waitFor()
  const read = async () => (await footfall.call('GET', `/v2/property/contacts/${contact}`)).json.data.contact
  const { email, meta } = await read()
  assert.deepEqual([email, meta], ['ada@y.example', [{ key: 'plan', value: 2 }]])

  await button(page, 'Erase').click()
  await assertAccessible(page)
  await untilEqual(() => button(page, 'Erase permanently').isDisabled(), true)
  await page.getByLabel('Type “ada@y.example” to confirm').fill('ada@y.example')
  await button(page, 'Erase permanently').click()
  await page.getByRole('heading', { level: 1, name: 'Erased contact' }).waitFor()
  assert.equal((await read()).state, 'deleted')
  await untilEqual(async () => (await page.content()).includes('Lovelace'), false)
  assert.deepEqual(unexpected(errors), [])
})

test('a contact is added by hand, put on a list and tagged, noted about, and found by the list', async () => {
  const { page } = owned
  const taken = { email: 'taken@x.example' }
  await dashboard.footfall.call('POST', '/v2/property/contacts/identify', { body: taken })
  await go(owned, '/contacts')
  await page.getByRole('button', { name: 'New contact' }).click()
  await page.getByLabel('First name').fill('Hedy')
  await page.getByLabel('Email', { exact: true }).fill(taken.email)
  await page.getByRole('button', { name: 'Create contact' }).click()
  await page.getByText('There is a contact with this email already.').first().waitFor()
  await assertAccessible(page)
  await page.getByRole('textbox', { name: 'Email', exact: true }).fill('hedy@example.com')
  await page.getByRole('button', { name: 'Create contact' }).click()
  await page.getByRole('heading', { name: 'Hedy' }).waitFor()
  await page.getByLabel('Add to a list').fill('Inventors')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Remove Inventors' }).waitFor()
  await page.getByLabel('Add a tag').fill(HOSTILE)
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: `Remove ${HOSTILE}` }).waitFor()
  await page.getByLabel('Write a note').fill('Frequency hopping')
  await page.getByRole('button', { name: 'Add note' }).click()
  await page.getByText('Frequency hopping', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Export', exact: true }).click()
  await assertAccessible(page)
  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: 'HTML page' }).click()
  assert.match((await downloading).suggestedFilename(), /^ct_\w+\.html$/)
  await assertAccessible(page)
  await go(owned, '/contacts')
  await page.getByRole('columnheader', { name: 'Value' }).waitFor()
  await page.getByLabel('Lists').selectOption('Inventors')
  await page.getByText('1 contact', { exact: true }).waitFor()
  await page.getByRole('link', { name: /Hedy/ }).waitFor()
  await assertAccessible(page)
  await assertNoSidewaysScroll(page)
})

test('a file is looked at before anything is written, its faults are named by line, and then it is imported', async () => {
  const { footfall } = dashboard
  const { page, errors } = owned
  await go(owned, '/contacts/import')
  const choose = (text: string) =>
    page.setInputFiles('input[type=file]', { name: 'people.csv', mimeType: 'text/csv', buffer: Buffer.from(text) })
  await button(page, 'Choose file').waitFor()
  const good = `email;first_name\nnew1@x.example;${HOSTILE}\nnew2@x.example;B\n`
  await choose(`${good}nobody;C\n`)
  await page.getByRole('cell', { name: 'is not an email address' }).waitFor()
  assert.match(await page.getByRole('row', { name: /is not an email/ }).innerText(), /^Line 4\s/)
  await assertAccessible(page)
  await assertHarmless(page)
  await button(page, 'Choose another file').click()
  await choose(good)
  const run = button(page, 'Import 2 rows')
  await run.waitFor()
  const found = async () =>
    (await footfall.call('GET', '/v2/property/contacts', { query: { search: 'new' } })).json.data.total
  assert.equal(await found(), 0)
  await run.click()
  await page.getByText('Imported: 2 new, 0 updated.').first().waitFor()
  assert.equal(await found(), 2)
  await page.getByRole('link', { name: 'Go to contacts' }).click()
  await page.getByRole('link', { name: /new1@x\.example/ }).waitFor()
  const [file] = await Promise.all([page.waitForEvent('download'), button(page, 'Export').click()])
  assert.match(file.suggestedFilename(), /^contacts-.*\.csv$/)
  assert.deepEqual(unexpected(errors), [])
})

test('bots and library errors stand on one page, apart from people', async () => {
  const { page, errors } = owned
  await go(owned, '/bots?period=today')
  await page.getByRole('cell', { name: 'Googlebot' }).waitFor()
  await page.getByText('/robots').waitFor()
  await page.getByRole('img', { name: /^Bot sessions\. \d+ \w{3}, 00:00 UTC: / }).waitFor()
  await assertAccessible(page)
  await page.getByRole('tab', { name: 'Library errors' }).click()
  await page.getByText(/TypeError: <img/).waitFor()
  await assertAccessible(page)
  await assertHarmless(page)
  assert.deepEqual(unexpected(errors), [])
})

test('the speed of pages is shown by device and page, and rated in words', async () => {
  const { footfall } = dashboard
  for (const [index, lcp] of [900, 1200, 2100, 4600].entries()) {
    const visitor = { address: `203.0.113.${200 + index}` }
    const page = `https://example.com/${index === 3 ? 'heavy' : 'light'}`
    const { json } = await footfall.track.load({ ...visitor, page })
    await footfall.track.vitals(json.session_id, { id: index, page, lcp, cls: 0.04, inp: 250 }, visitor)
  }
  const { page, errors } = owned
  await go(owned, '/settings')
  await page.getByRole('tab', { name: 'Speed' }).click()
  await page.getByRole('heading', { level: 1, name: 'Speed' }).waitFor()
  const measures = page.getByRole('list').filter({ hasText: 'Largest Contentful Paint' })
  await measures.getByText('4.6 s').waitFor()
  await measures.getByRole('img', { name: '75% good, 0% need improvement, 25% poor' }).waitFor()
  await page.getByRole('row', { name: /\/light.*2\.1 s.*Good.*250 ms.*Needs improvement.*0\.04/ }).waitFor()
  await page.getByRole('row', { name: /\/heavy.*4\.6 s.*Poor/ }).waitFor()
  await assertAccessible(page)
  await go(owned, '/speed?f=device:equals:mobile')
  await button(page, 'Clear filters').click()
  await page.getByRole('row', { name: /\/heavy/ }).waitFor()
  await go(owned, '/speed?period=yesterday')
  await page.getByRole('link', { name: 'Get the script' }).click()
  await page
    .getByText(/data-vitals/)
    .first()
    .waitFor()
  assert.deepEqual(unexpected(errors), [])
})

test('who may only look is offered nothing to change', async () => {
  const { open, footfall } = dashboard
  const viewer = await addPerson(footfall, { roles: { [footfall.property.id]: 'viewer' } })
  const seen = await open(at(`/contacts/${contact}?open=erase`), { as: viewer })
  const { page } = seen
  await page.getByRole('heading', { level: 2, name: 'Activity' }).waitFor()
  for (const name of ['Edit', 'Erase']) assert.equal(await button(page, name).count(), 0)
  assert.equal(await page.getByRole('dialog').count(), 0)
  await go(seen, '/contacts/import')
  await page.getByText('You don’t have access').waitFor()
  assert.equal(await page.locator('input[type=file]').count(), 0)
})

test('who came by a share link sees how many are there and on which pages, and no visit', async () => {
  const { open, owner, footfall } = dashboard
  const { url } = (
    await owner.call('POST', `/manage/properties/${footfall.property.id}/shares`, { body: { name: 'All' } })
  ).json.data
  // Of fewer than three it would say nothing, and so it would where one or two were on other pages.
  for (const address of ['203.0.113.98', '203.0.113.99'])
    await footfall.track.load({ address, page: 'https://example.com/pricing' })
  for (const n of [95, 96, 97])
    await footfall.track.load({ address: `203.0.113.${n}`, page: `https://example.com/other${n}` })
  const shared = await open(new URL(url).pathname.replace('/dashboard', ''))
  await shared.page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor() // the link has led there
  await go(shared, '/live')
  await shared.page.getByRole('heading', { level: 1, name: 'Live' }).waitFor()
  await shared.page.getByRole('button', { name: '/pricing', exact: true }).waitFor()
  assert.equal(await shared.page.locator('main :is(a[href^="/"]:not([href^="/docs"]), table)').count(), 0)
  assert.deepEqual(shared.errors, [])
})

test('on a phone, in the dark, nothing is wider than the window', async () => {
  const { open, owner } = dashboard
  const phone = await open(at(`/sessions/${session}?period=today`), { as: owner, width: 360, theme: 'dark' })
  const { page, errors } = phone
  const look = async (): Promise<void> => {
    await assertNoSidewaysScroll(page)
    await assertAccessible(page)
  }
  await page.getByText('Activity').waitFor()
  await look()
  await page.keyboard.press('Escape')
  const pages: readonly (readonly [string, string])[] = [
    ['/live', 'Visitors now'],
    ['/contacts', 'Contact'],
    [`/contacts/${contact}`, 'Activity'],
    ['/contacts/import', 'Supported columns'],
    ['/bots?period=today', 'Bots'],
    ['/speed?period=today', '/heavy'],
    ['/bots?tab=errors&period=today', 'TypeError'],
  ]
  for (const [path, words] of pages) {
    await go(phone, path)
    await page.getByText(words).first().waitFor({ state: 'attached' })
    await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' })
    await look()
  }
  assert.deepEqual(unexpected(errors), [])
})
