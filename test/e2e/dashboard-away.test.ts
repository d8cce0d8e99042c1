// The dashboard in Chromium while the service is away, or slow: pages say so, and come back without a click.
import assert from 'node:assert/strict'
import { after, afterEach, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import {
  assertAccessible,
  assertNoSidewaysScroll,
  type Dashboard,
  type DashboardPage,
  openDashboard,
  openPage,
  type PageOptions,
} from '../support/dashboard.ts'
import { type Gate, openGate } from '../support/gate.ts'
import { intercept } from '../support/intercept.ts'
import { moveTo } from '../support/moving.ts'

let dashboard: Dashboard
let gate: Gate
const ends: (() => Promise<void>)[] = []
const ending = { after: (end: () => Promise<void>) => ends.push(end) }

before(async () => {
  dashboard = await openDashboard(ending)
  gate = await openGate(ending, dashboard.footfall.url)
})
after(async () => {
  for (const end of ends.toReversed()) await end()
})
afterEach(() => dashboard.leavePages())

const home = () => `/properties/${dashboard.footfall.property.id}`
const notice = (page: Page) => page.getByRole('complementary', { name: 'Connection' })
const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name }).waitFor()

/** As the owner, through the gate. */
const openHere = (path: string, options: PageOptions = {}): Promise<DashboardPage> =>
  openPage(ending, dashboard.browser, gate, path, { as: dashboard.owner, ...options })

const isLost = async (page: Page): Promise<void> => notice(page).getByText('Can’t reach the service.').waitFor()
const isBack = async (page: Page): Promise<void> => notice(page).waitFor({ state: 'detached' })

const misdiagnoses = /new version|went wrong|our fault|Couldn’t load/

/**
 * By the name of the link in the navigation; the page's heading is called the same, where nothing else is
 * said.
 */
const destinations: readonly (readonly [link: string, shown?: string | RegExp])[] = [
  ['Visits'],
  ['Goals'],
  ['Contacts'],
  ['Links'],
  ['Forms'],
  ['Automations'],
  ['Experiments'],
  ['Settings'],
  ['Overview'],
]

test('a page that is opened while the service is away says so, and comes by itself', async () => {
  const { page } = await openHere(`${home()}/live`)
  await heading(page, 'Live')
  for (const [link, shown = link] of destinations) {
    await gate.shut()
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: link, exact: true }).click()
    await isLost(page)
    assert.doesNotMatch(await page.locator('body').innerText(), misdiagnoses, link)
    await gate.open()
    await heading(page, shown)
    await isBack(page)
    await page.locator('main [aria-busy=true]').first().waitFor({ state: 'detached' })
    assert.doesNotMatch(await page.locator('main').innerText(), misdiagnoses, link)
    assert.ok(
      await page.evaluate<boolean>(
        `[...document.querySelectorAll('link[rel=stylesheet]')].every((link) => link.sheet)`,
      ),
    )
  }
})

/** Without a link in the navigation; under the property when they begin with a dot. */
const others = [
  './start',
  './contacts/import',
  './links/many',
  './links/groups',
  '/account',
  '/users',
  '/mail',
  '/new',
] as const

test('so do pages within pages, and those of no property', async () => {
  const { page } = await openHere(`${home()}/live`)
  await heading(page, 'Live')
  for (const path of others) {
    const address = `/dashboard${path.replace(/^\./, home())}`
    await gate.shut()
    await moveTo(page, address)
    await isLost(page)
    assert.doesNotMatch(await page.locator('body').innerText(), misdiagnoses, path)
    await gate.open()
    await isBack(page)
    await page.locator('h1').waitFor()
    await page.locator('main [aria-busy=true]').first().waitFor({ state: 'detached' })
    assert.doesNotMatch(await page.locator('main').innerText(), misdiagnoses, path)
  }
})

test('Live says since when the connection is lost, shows nothing as current, and follows again', async () => {
  const { footfall } = dashboard
  await footfall.track.load({ address: '203.0.113.50' })
  for (const options of [{}, { theme: 'dark', width: 360 }] as const) {
    const { page } = await openHere(`${home()}/live`, options)
    await page.getByText('Updates automatically.').waitFor()
    await page.getByText(/^1 ?session in the last five minutes$/).waitFor()
    await gate.shut()
    await isLost(page)
    await page
      .getByRole('main')
      .getByText(/^Connection lost \d+s ago\. Reconnecting…$/)
      .waitFor()
    assert.equal(await page.getByText('Updates automatically.').count(), 0)
    await assertAccessible(page)
    await assertNoSidewaysScroll(page)
    await gate.open()
    await isBack(page)
    await page.getByText('Updates automatically.').waitFor()
    await page.getByText('Connected again.').waitFor({ state: 'attached' })
  }
})

test('what is done while the service is away says that it cannot be reached, and what was typed stays', async () => {
  const { page } = await openHere('/new')
  await heading(page, 'Add a website')
  await page.getByLabel('Name', { exact: true }).fill('Tea shop')
  await gate.shut()
  await page.getByRole('button', { name: 'Create property' }).click()
  await page.getByRole('alert').getByText('Can’t reach the service.').waitFor()
  await isLost(page)
  await gate.open()
  await isBack(page)
  await page.getByRole('button', { name: 'Create property' }).click()
  await heading(page, 'Set up tracking')
})

test('a page that asks nothing by itself notices when it is looked at, and when the network goes', async () => {
  const { page } = await openHere(`${home()}/links`)
  await heading(page, 'Links')
  await gate.shut()
  await page.evaluate(`window.dispatchEvent(new Event('offline'))`)
  await isLost(page)
  await page.getByRole('button', { name: 'Try now' }).click()
  await isLost(page)
  await gate.open()
  await page.evaluate(`window.dispatchEvent(new Event('online'))`)
  await isBack(page)
})

test('an answer that takes long shows that it is on its way, then says so, and is given up', async () => {
  for (const options of [{}, { theme: 'dark', width: 360 }] as const) {
    const { page } = await openHere(`${home()}?period=last_28`, options)
    await page.locator('[data-period=last_28]').waitFor()
    const line = page.locator('[data-progress]')
    await line.waitFor({ state: 'detached' })
    await page.clock.install()
    let isHeld = true
    await intercept(page, '**/overview', async (route) => (isHeld ? undefined : route.continue()))
    await page.keyboard.press('y')
    await page.getByText('Still showing “Last 28 days”').waitFor()
    await page.getByRole('button', { name: 'Period, loading: Year to date' }).waitFor()
    await line.waitFor()
    await page.clock.fastForward(5_000)
    await notice(page).getByText('This is taking longer than usual…').waitFor()
    await assertAccessible(page)
    await assertNoSidewaysScroll(page)
    await page.clock.fastForward(15_000)
    await page.getByText('No response after 20 seconds.').waitFor()
    await notice(page).waitFor({ state: 'detached' })
    assert.equal(await page.getByText('Still showing').count(), 0)
    await assertAccessible(page)
    isHeld = false
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.locator('[data-period=year_to_date]').waitFor()
    await line.waitFor({ state: 'detached' })
  }
})

test('there is a new version only when there is one', async () => {
  const { page } = await openHere(`${home()}/links`)
  await heading(page, 'Links')
  await intercept(page, /\/assets\/forms-/, (route) => route.fulfill({ status: 404 }))
  await page.getByRole('link', { name: 'Forms' }).click()
  await page.getByText('Something went wrong on this page').waitFor()
  assert.equal(await page.getByText('A new version is available').count(), 0)
})
