// What the dashboard's figures claim: no more than is set. In Chromium, with a property that has just begun
// and one with a history.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { assertAccessible, assertNoSidewaysScroll, type Dashboard, openDashboard } from '../support/dashboard.ts'
import { type Footfall, startAgain } from '../support/server.ts'

const HOUR_MS = 3_600_000
const NOW = Date.parse('2026-11-20T13:05:00Z')
const ARABIC = '/مرحبا/صفحة'
const KEPT_ARABIC = encodeURI(ARABIC)

const cards = (page: Page) => page.getByRole('group', { name: 'Metrics' })
const card = (page: Page, label: string) => cards(page).getByRole('button', { name: label })
const wordsOf = async (page: Page, label: string): Promise<string> => (await card(page, label).textContent()) ?? ''
const lastBucket = async (page: Page): Promise<string> =>
  (await page.getByRole('slider').getAttribute('aria-valuetext')) ?? ''

let visitors = 0

interface Visit {
  readonly path?: string
  /** Left out: nothing is heard of it after its load. */
  readonly tos?: number
}

/** Of somebody new. */
async function visit({ track }: Footfall, { path = '/', tos }: Visit = {}): Promise<void> {
  visitors++
  const who = { address: `203.0.${visitors >> 8}.${visitors & 255}` }
  const { json } = await track.load({ ...who, page: `https://example.com${path}` })
  if (tos !== undefined) await track.ping(json.view_id, { ...who, tos, max: 40 })
}

let dashboard: Dashboard
const ends: (() => Promise<void>)[] = []
before(async () => {
  dashboard = await openDashboard({ after: (end) => ends.push(end) }, { now: NOW })
})
after(async () => {
  for (const end of ends.toReversed()) await end()
})

/** With a property of the test's own. */
async function begin() {
  await dashboard.leavePages() // of the test before
  const footfall = await startAgain(dashboard.footfall, NOW)
  return { ...dashboard, footfall, path: `/properties/${footfall.property.id}` }
}

test('of a visitor who has just come nothing is claimed, until something is heard of the visit', async () => {
  const { footfall, owner, open, path } = await begin()
  await visit(footfall)
  const { page, errors } = await open(`${path}?period=today`, { as: owner })
  for (const label of ['Bounce rate', 'Time on site', 'Scroll depth'])
    assert.match(await wordsOf(page, label), new RegExp(`^${label}–no data yet`))
  await card(page, 'Bounce rate').click()
  await page.getByRole('heading', { name: 'Bounce rate' }).waitFor()
  assert.match(await lastBucket(page), /: not known Bounce rate, so far\. Known for 0 of 1 session\./)
  // The top of an axis that has nothing to show.
  await page.getByText('100%', { exact: true }).first().waitFor()
  await page.getByRole('button', { name: 'Show as table' }).click()
  await page.getByRole('row', { name: /13:00 UTC –/ }).waitFor()
  await assertAccessible(page)

  await page.goto(`${footfall.url}/dashboard${path}/sessions?period=today`)
  const row = page.getByRole('row', { name: /example|\// }).last()
  await row.getByRole('cell', { name: '–', exact: true }).waitFor()
  assert.equal(await row.getByText('0s', { exact: true }).count(), 0)

  await visit(footfall, { tos: 42 })
  await page.goto(`${footfall.url}/dashboard${path}?period=today`)
  await card(page, 'Bounce rate').waitFor()
  const figures = [
    await wordsOf(page, 'Bounce rate'),
    await wordsOf(page, 'Time on site'),
    await wordsOf(page, 'Scroll depth'),
  ]
  assert.deepEqual(
    figures.map((words) => /(40%|42s|0%)/.exec(words)?.[0]),
    ['0%', '42s', '40%'],
  )
  const meaning = await cards(page).getByText('Known for 1 of 2 sessions.').count()
  assert.ok(meaning >= 3, 'what each means says of how many it is set')
  assert.deepEqual(errors, [])
})

test('a window is not compared with one that begins before the first visit, and says why', async (t) => {
  const { footfall, owner, open, path } = await begin()
  footfall.clock.set(NOW - 8 * 24 * HOUR_MS)
  await visit(footfall, { tos: 30 })
  footfall.clock.set(NOW - HOUR_MS)
  for (let n = 0; n < 12; n++) await visit(footfall, { tos: 30 })
  footfall.clock.set(NOW)
  const { page, errors } = await open(path, { as: owner })
  const note = page.getByText('Not compared: the first visit was on 12 Nov 2026, after the earlier period began.')
  await note.waitFor()
  assert.match(await wordsOf(page, 'Sessions'), /nothing to compare with/)
  assert.equal(
    await cards(page)
      .getByText(/^from /)
      .count(),
    0,
  )
  assert.doesNotMatch(await lastBucket(page), /Before/)
  await assertNoSidewaysScroll(page)

  await t.test('one that the property has seen in full is compared, above tenfold by how many times', async () => {
    footfall.clock.set(NOW - 30 * 24 * HOUR_MS)
    await visit(footfall, { tos: 30 })
    footfall.clock.set(NOW)
    await page.reload()
    await card(page, 'Sessions').getByText('×12', { exact: true }).waitFor()
    assert.equal(await note.count(), 0)
    assert.match(await wordsOf(page, 'Bounce rate'), /no change/)
    assert.match(await lastBucket(page), /Before: 0, \+12$/)
  })
  assert.deepEqual(errors, [])
})

test('a running day is projected once there is enough of it, and drawn as an open point', async () => {
  const { footfall, owner, open, path } = await begin()
  footfall.clock.set(NOW - 14 * 24 * HOUR_MS)
  await visit(footfall)
  footfall.clock.set(NOW - (7 * 24 + 3) * HOUR_MS)
  for (let n = 0; n < 10; n++) await visit(footfall)
  footfall.clock.set(NOW - (7 * 24 - 6) * HOUR_MS)
  for (let n = 0; n < 20; n++) await visit(footfall)
  footfall.clock.set(NOW - 1000)
  for (let n = 0; n < 19; n++) await visit(footfall)
  footfall.clock.set(NOW)
  const { page, errors } = await open(path, { as: owner })
  await page.getByRole('slider').waitFor()
  const circles = page.getByRole('slider').locator('circle')
  assert.match(await lastBucket(page), /: 19 Sessions, so far\. Before/)
  assert.equal(await circles.count(), 1, 'the open point')
  footfall.clock.set(NOW + 60_000)
  await visit(footfall)
  await page.reload()
  await page.getByRole('slider').waitFor()
  assert.match(await lastBucket(page), /: 20 Sessions, so far\. Expected in full: 60\./)
  assert.equal(await circles.count(), 2, 'with what it will come to')
  assert.deepEqual(errors, [])
})

test('paths are read as people write them, and filtered as they are kept', async (t) => {
  const { footfall, owner, open, path } = await begin()
  await visit(footfall, { path: KEPT_ARABIC, tos: 20 })
  await visit(footfall, { path: '/a%2Fb/%E2%80%AEgpj.exe', tos: 20 })
  const { page, errors } = await open(`${path}?period=today`, { as: owner })
  const list = page.getByRole('button', { name: ARABIC, exact: true })
  await list.waitFor()
  await page.getByRole('button', { name: '/a%2Fb/%E2%80%AEgpj.exe', exact: true }).waitFor()
  assert.equal(await list.locator('bdi bdi').count(), 2, 'each part stands apart from its neighbours')
  await list.click()
  await page.getByText(`Entry page is \u2068${ARABIC}\u2069`).waitFor()
  assert.deepEqual(new URL(page.url()).searchParams.getAll('f'), [
    `entry_path_full:equals:${KEPT_ARABIC.replaceAll('%', '%25')}`,
  ])
  await card(page, 'Sessions').getByText('1', { exact: true }).waitFor()

  await t.test('also where they are looked for', async () => {
    await page.keyboard.press('/')
    const dialog = page.getByRole('dialog', { name: 'Entry pages' })
    await dialog.getByRole('searchbox').fill('صفحة')
    await dialog.getByText('1 value', { exact: true }).waitFor()
    const saved = page.waitForEvent('download')
    await dialog.getByRole('button', { name: 'CSV' }).click()
    assert.ok(
      (await readFile(await (await saved).path(), 'utf8')).includes(`\n${KEPT_ARABIC},${KEPT_ARABIC},1,`),
      'a file has them as they are kept',
    )
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Filter', exact: true }).click()
    const adding = page.getByRole('dialog', { name: 'Add filter' })
    await adding.getByLabel('Filter by').selectOption('page_path')
    await adding.getByLabel('Value').fill(ARABIC)
    await adding.getByRole('button', { name: 'Filter', exact: true }).click()
    await page.getByText(`Page is \u2068${ARABIC}\u2069`, { exact: true }).waitFor()
    await card(page, 'Sessions').getByText('1', { exact: true }).waitFor()
  })

  await t.test('and on every page that tells of a visit', async () => {
    await page.goto(`${footfall.url}/dashboard${path}/sessions?period=today`)
    await page.getByRole('link', { name: ARABIC }).first().click()
    const drawer = page.getByRole('dialog')
    await drawer
      .getByRole('link', { name: `https://example.com${ARABIC}` })
      .first()
      .waitFor()
    assert.equal(await drawer.getByText('%D9').count(), 0)
    await page.goto(`${footfall.url}/dashboard${path}/live`)
    await page.getByRole('button', { name: ARABIC, exact: true }).waitFor()
    await assertAccessible(page)
  })
  assert.deepEqual(errors, [])
})
