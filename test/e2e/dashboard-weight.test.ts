// What the overview fetches, and when: nothing that is behind a click or far below before somebody wants it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { openDashboardOfFile, untilTrue } from '../support/dashboard.ts'
import { intercept } from '../support/intercept.ts'
import { untilEqual } from '../support/until.ts'

const dashboard = await openDashboardOfFile()
const { footfall, owner } = dashboard
await footfall.track.load({})
const path = `/properties/${footfall.property.id}`

/** Names of the scripts that a page fetches from now on. */
function scriptsOf(page: Page): string[] {
  const names: string[] = []
  page.on('request', (request) => {
    const name = /\/assets\/(?<name>[\w-]+?)-[\w-]{8}\.js$/.exec(request.url())?.groups?.['name']
    if (name !== undefined) names.push(name)
  })
  return names
}

test('the map is fetched when the reader comes near it', async () => {
  const { page, errors } = await dashboard.open('/sign-in', { as: owner, width: 390 })
  const scripts = scriptsOf(page)
  await page.goto(`${footfall.url}/dashboard${path}`)
  await page.getByRole('heading', { name: 'Sources' }).waitFor({ state: 'attached' })
  await page.getByRole('group', { name: 'Metrics' }).waitFor()
  assert.ok(!scripts.includes('world-map'), scripts.join(', '))
  await page.getByRole('tab', { name: 'Map' }).scrollIntoViewIfNeeded()
  await page.getByRole('img', { name: /map/i }).waitFor()
  assert.ok(scripts.includes('world-map'), scripts.join(', '))
  assert.deepEqual(errors, [])
})

test('the first answers are under way before the code that needs them, and are asked for once', async () => {
  const { page, errors } = await dashboard.open('/sign-in', { as: owner })
  await page.goto('about:blank')
  const asked: string[] = []
  let release = (): void => undefined
  const held = new Promise<void>((resolve) => (release = resolve))
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (!pathname.startsWith('/manage/')) return
    asked.push(`${request.method()} ${pathname}`)
  })
  await intercept(page, '**/assets/*.js', async (route) => {
    await held
    await route.continue()
  })
  await page.goto(`${footfall.url}/dashboard${path}`, { waitUntil: 'commit' })
  await untilEqual(() => asked.length, 2)
  // What is painted meanwhile, and gone once there is more.
  const shown = page.locator('#first')
  await shown.getByText('Loading visits, sources and pages…').waitFor()
  release()
  await page.getByRole('group', { name: 'Metrics' }).waitFor()
  assert.equal(await shown.count(), 0)
  const first = ['GET /manage/session', `POST /manage${path}/overview`]
  assert.deepEqual(asked.slice(0, 2).toSorted(), first)
  for (const one of first) assert.equal(asked.filter((each) => each === one).length, 1, asked.join(', '))
  await page.unroute('**/assets/*.js')
  assert.deepEqual(errors, [])
})

test('a menu whose items come late has the focus once they are there', async () => {
  const { page, errors } = await dashboard.open(path, { as: owner })
  await page.getByRole('group', { name: 'Metrics' }).waitFor()
  let release = (): void => undefined
  const held = new Promise<void>((resolve) => (release = resolve))
  await intercept(page, '**/account-items-*.js', async (route) => {
    await held
    await route.continue()
  })
  await page.getByRole('button', { name: 'Olive Owner' }).click()
  await page.getByRole('menu').first().waitFor()
  assert.equal(await page.getByRole('menuitem', { name: 'Sign out' }).count(), 0)
  release()
  await page.getByRole('menuitem', { name: 'Sign out' }).waitFor()
  await untilTrue(page, `document.activeElement?.getAttribute('role')?.startsWith('menuitem') === true`)
  await page.unroute('**/account-items-*.js')
  assert.deepEqual(errors, [])
})

test('menus are fetched ahead once the page is at rest, unless the browser saves data', async () => {
  for (const asksAhead of [true, false]) {
    const { page } = await dashboard.open('/sign-in', { as: owner, asksAhead })
    const scripts = scriptsOf(page)
    await page.clock.install()
    await page.goto(`${footfall.url}/dashboard${path}`)
    await page.getByRole('group', { name: 'Metrics' }).waitFor()
    await page.clock.runFor(5_000)
    await page.waitForLoadState('networkidle')
    assert.equal(scripts.includes('account-items'), asksAhead, scripts.join(', '))
  }
})
