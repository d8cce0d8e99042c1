// The overview in Chromium: reading, filtering and zooming; its notes, lists and share links; hostile
// visitors; errors; and what a share link may not.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import type { Page, Request } from 'playwright-core'
import { addPerson } from '../support/accounts.ts'
import {
  assertAccessible,
  assertNoSidewaysScroll,
  type Dashboard,
  openDashboard,
  untilTrue,
} from '../support/dashboard.ts'
import { intercept } from '../support/intercept.ts'
import type { Footfall } from '../support/server.ts'
import { eventually } from '../support/site.ts'
import { untilEqual, untilMatch } from '../support/until.ts'

const DAY_MS = 86_400_000
const NOW = Date.parse('2026-11-20T13:05:00Z')
const HOSTILE = `"><img src=x onerror=alert(1)><svg/onload=alert(1)>javascript:alert(1)`
const FORMULA = `=HYPERLINK("https://evil.example")`

/** Twenty visits over two weeks; those of the last days are hostile in whatever they can say. */
async function addVisits({ track, clock }: Footfall): Promise<void> {
  for (let n = 0; n < 20; n++) {
    clock.set(NOW - (19 - n) * 0.7 * DAY_MS)
    const visitor = { address: `203.0.113.${n + 1}` }
    const isHostile = n > 16
    const query = isHostile
      ? `?utm_source=${encodeURIComponent(HOSTILE)}&utm_campaign=${encodeURIComponent(FORMULA)}`
      : ''
    const { json } = await track.load({
      ...visitor,
      page: `https://example.com/${['', 'pricing', 'docs', `<b>${n}</b>`][isHostile ? 3 : n % 3]}${query}`,
      title: isHostile ? HOSTILE : 'Page',
      referrer: n % 2 === 0 ? 'https://www.google.com/' : 'https://news.example.org/<script>',
    })
    await track.ping(json.view_id, { ...visitor, tos: 30 + n, max: 70 })
    if (n % 4 === 0) await track.event(json.session_id, n === 16 ? HOSTILE : 'signup', { ...visitor, value: n })
  }
  clock.set(NOW)
}

const searchOf = (page: Page): URLSearchParams => new URL(page.url()).searchParams
const rowOf = (page: Page, label: string) => page.getByRole('button', { name: label, exact: true }).first()
const card = (page: Page, label: string) =>
  page.getByRole('group', { name: 'Metrics' }).getByRole('button', { name: label })

/**
 * The answer that `act` asks for is on the page. One that was asked for before may still come, or be given up
 * while it comes: its `finished` would then be waited for without an end.
 */
async function answered(page: Page, act: () => Promise<unknown>): Promise<void> {
  const asked = new Set<Request>()
  const note = (request: Request) => void (request.url().endsWith('/overview') && asked.add(request))
  page.on('request', note)
  const answer = page.waitForEvent('requestfinished', (request) => asked.has(request))
  await act()
  await answer
  page.off('request', note)
  await page.locator('[data-stale]').waitFor({ state: 'detached' })
}

async function readAndChoose(page: Page): Promise<void> {
  await card(page, 'Bounce rate').click()
  await untilEqual(() => searchOf(page).get('metric'), 'bounce')
  await page.getByRole('heading', { name: 'Bounce rate' }).waitFor()
  await page.getByRole('button', { name: /visits$/ }).click()
  await untilEqual(() => searchOf(page).get('metric'), 'visits')
  await page.goBack()
  await page.getByRole('heading', { name: 'Bounce rate' }).waitFor()
  // Arrows move among the metrics; Tab leaves them.
  await card(page, 'Sessions').focus()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowLeft')
  await page.locator('[role=tooltip]:popover-open', { hasText: 'One visitor on one day' }).waitFor()
  await card(page, 'Sessions').click()
}

async function filterByRows(page: Page): Promise<void> {
  await answered(page, () => rowOf(page, 'Google').click())
  await untilEqual(() => searchOf(page).getAll('f'), ['source:equals:Google'])
  await page.getByText('Source is Google').waitFor()
  await untilEqual(() => card(page, 'Sessions').locator('span').nth(1).textContent(), '4')
  await rowOf(page, 'Google').click()
  await page.getByText('Source is Google').waitFor({ state: 'detached' })
  await untilEqual(() => searchOf(page).getAll('f'), [])
  await rowOf(page, 'Google').click({ modifiers: ['Alt'] })
  await page.getByText('Source is not Google').waitFor()
  await page.goBack()
  await page.getByText('Source is not Google').waitFor({ state: 'detached' })
}

async function pressKeys(page: Page): Promise<void> {
  await answered(page, () => page.keyboard.press('t'))
  await untilEqual(() => searchOf(page).get('period'), 'last_28')
  await answered(page, () => page.keyboard.press('i'))
  await untilEqual(() => searchOf(page).get('interval'), 'week')
  await page.keyboard.press('x')
  await untilEqual(() => searchOf(page).get('compare'), 'year')
  await answered(page, () => page.keyboard.press('w'))
  await untilEqual(() => searchOf(page).get('interval'), null)
  await page.keyboard.press('x')
  await page.keyboard.press('x')
}

async function readGraph(page: Page): Promise<void> {
  const graph = page.getByRole('slider', { name: 'Sessions over time' })
  const words = () => graph.getAttribute('aria-valuetext')
  await graph.focus()
  await page.keyboard.press('End')
  await untilMatch(words, /^Fri, 20 Nov 2026: 1 Sessions, so far\. Before: /)
  await page.keyboard.press('ArrowLeft')
  await untilMatch(words, /^Thu, 19 Nov 2026: \d/)
  await answered(page, async () => {
    await page.keyboard.press('Shift+ArrowLeft')
    await page.keyboard.press('Enter')
  })
  const { period, date_from, date_to } = Object.fromEntries(searchOf(page))
  assert.deepEqual([period, date_from, date_to], ['custom', '2026-11-18', '2026-11-19'])
  await page.goBack()
  await page.getByText(/^14\s*–\s*20 Nov 2026 · UTC$/).waitFor()
  await untilItStands(page)
  const box = await graph.boundingBox()
  assert.ok(box)
  await answered(page, async () => {
    await page.mouse.move(box.x + box.width * 0.3, box.y + 80)
    await page.mouse.down()
    await page.mouse.move(box.x + box.width * 0.5, box.y + 90, { steps: 4 })
    await page.mouse.up()
  })
  await untilEqual(() => searchOf(page).get('period'), 'custom')
  await page.goBack()
  await page.getByRole('button', { name: 'Show as table' }).click()
  await page.getByRole('row', { name: /Thu, 19 Nov 2026/ }).waitFor()
  await page.getByRole('button', { name: 'Show as graph' }).click()
}

async function writeNotes(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Add note' }).click()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Enter a note.').waitFor()
  await page.getByLabel('Note', { exact: true }).fill(HOSTILE)
  await page.getByLabel('Date', { exact: true }).fill('2026-11-18')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('button', { name: `1 note: ${HOSTILE}` }).click()
  await page.getByRole('button', { name: 'Edit' }).click()
  await page.getByLabel('Note', { exact: true }).fill('The sale began')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('button', { name: '1 note: The sale began' }).click()
  await page.keyboard.press('Escape')
}

async function removeNote(page: Page): Promise<void> {
  await page.getByRole('button', { name: '1 note: The sale began' }).click()
  await page.getByRole('button', { name: 'Edit' }).click()
  await page.getByRole('button', { name: 'Delete note' }).click()
  await page.getByRole('button', { name: '1 note: The sale began' }).waitFor({ state: 'detached' })
}

async function searchList(page: Page): Promise<void> {
  await page.keyboard.press('/')
  const dialog = page.getByRole('dialog', { name: 'Entry pages' })
  await dialog.getByRole('searchbox').fill('PRIC')
  await dialog.getByText('1 value', { exact: true }).waitFor()
  await untilEqual(
    () => page.evaluate(`[...new Set([...(CSS.highlights.get('found') ?? [])].map(String))].join()`),
    'pric',
  )
  const saved = page.waitForEvent('download')
  await dialog.getByRole('button', { name: 'CSV' }).click()
  const file = await readFile(await (await saved).path(), 'utf8')
  assert.match(
    file,
    /^id,label,sessions,percent,country_code,visits,views,bounce,duration,scroll,value,currency\r?\n\/pricing,\/pricing,\d+,/,
  )
  await dialog.getByRole('combobox').selectOption('utm_campaign')
  await page.getByRole('dialog', { name: 'Campaigns' }).getByText('No results').waitFor()
  await untilEqual(() => searchOf(page).get('q'), 'PRIC')
  const campaigns = page.getByRole('dialog', { name: 'Campaigns' })
  await campaigns.getByRole('searchbox').fill('')
  await campaigns.getByRole('button', { name: FORMULA, exact: true }).waitFor()
  let isHeld = true
  await intercept(page, '**/lists/country', async (route) => {
    while (isHeld) await new Promise((resolve) => setTimeout(resolve, 20))
    await route.continue()
  })
  await campaigns.getByRole('combobox').selectOption('country')
  await page.getByRole('dialog', { name: 'Countries' }).waitFor()
  await page.getByRole('dialog').getByRole('button', { name: FORMULA, exact: true }).waitFor({ state: 'detached' })
  isHeld = false
  await page.getByRole('dialog').locator('[aria-busy=false]').waitFor()
  await page.unroute('**/lists/country')
  await page.keyboard.press('Escape')
  await untilEqual(() => searchOf(page).get('more'), null)
}

async function saveGraph(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Export' }).click()
  const saved = page.waitForEvent('download')
  await page.getByRole('menuitem', { name: 'Graph (CSV)' }).click()
  const file = await saved
  assert.equal(file.suggestedFilename(), 'overview.csv')
  assert.match(await readFile(await file.path(), 'utf8'), /^from_utc,to_utc,sessions,/)
}

/** A finger goes from one place to the other, both in shares of the graph's size. */
async function drag(page: Page, [fromX, fromY]: [number, number], [toX, toY]: [number, number]): Promise<void> {
  await untilItStands(page)
  const box = await page.getByRole('slider').boundingBox()
  assert.ok(box)
  const finger = await page.context().newCDPSession(page)
  const at = (step: number) => ({
    x: box.x + box.width * (fromX + (toX - fromX) * step),
    y: box.y + box.height * (fromY + (toY - fromY) * step),
  })
  await finger.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [at(0)] })
  for (const step of [0.2, 0.4, 0.6, 0.8, 1])
    await finger.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: [at(step)] })
  await finger.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
  await finger.detach()
}

async function zoomByFinger(page: Page): Promise<void> {
  const offer = page.getByRole('button', { name: /^Show .*2026$/ })
  await page.getByRole('slider').scrollIntoViewIfNeeded()
  await drag(page, [0.7, 0.4], [0.4, 0.4])
  await answered(page, () => offer.click())
  const { period, date_from = '', date_to = '' } = Object.fromEntries(searchOf(page))
  assert.ok(period === 'custom' && date_from < date_to, page.url())
  await page.goBack()
  await page.locator('[data-period=last_28]:not([data-stale])').waitFor()
  await drag(page, [0.4, 0.4], [0.7, 0.4])
  await offer.waitFor()
  const scrolled = await page.evaluate<number>('scrollY')
  await drag(page, [0.5, 0.9], [0.5, 0.1])
  await untilTrue(page, `scrollY > ${scrolled}`)
  await offer.waitFor({ state: 'detached' })
  await untilEqual(() => searchOf(page).get('period'), 'last_28')
  await untilItStands(page)
}

/** A page that a finger has set in motion rolls on, and what is clicked meanwhile is something else. */
async function untilItStands(page: Page): Promise<void> {
  let last = -1
  const stands = async () => {
    const before = last
    last = await page.evaluate<number>('scrollY')
    return before === last
  }
  assert.ok(await eventually(stands, Boolean))
}

/** Those of neighbouring days have no room for a mark each on a phone. */
async function readManyNotes(page: Page, texts: readonly string[]): Promise<void> {
  const mark = page.getByRole('button', { name: `${texts.length} notes: ${texts.join('; ')}`, exact: true })
  await mark.focus()
  await page.keyboard.press('Enter')
  await untilEqual(() => page.locator('[popover]:popover-open li p').allTextContents(), texts)
  await page.keyboard.press('Escape')
}

const periodOf = (request: Request): string =>
  (JSON.parse(request.postData() ?? '{}') as { period?: string | null }).period ?? 'usual'

/** The periods that the page asks the overview of, from now on. */
function askedBy(page: Page): string[] {
  const asked: string[] = []
  page.on('request', (request) => request.url().endsWith('/overview') && asked.push(periodOf(request)))
  return asked
}

/**
 * Nobody has asked for the year: its answer is there when somebody does, and gives way to what somebody waits
 * for.
 */
async function findYearReady(dashboard: Dashboard, path: string): Promise<void> {
  const { page, errors } = await dashboard.open('/account', { as: dashboard.owner, asksAhead: true })
  const asked = askedBy(page)
  let isHeld = true
  await page.route('**/overview', (route) =>
    isHeld && periodOf(route.request()) === 'last_12_months' ? undefined : route.continue(),
  )
  const isYear = (request: Request): boolean =>
    request.url().endsWith('/overview') && periodOf(request) === 'last_12_months'
  const begun = page.waitForRequest(isYear)
  await page.goto(`${dashboard.footfall.url}/dashboard${path}`)
  await begun
  const givenUp = page.waitForEvent('requestfailed', isYear)
  await answered(page, () => rowOf(page, 'Google').click())
  await givenUp
  isHeld = false
  const complete = page.waitForEvent('requestfinished', isYear)
  await page.goBack()
  await complete
  await page.keyboard.press('l')
  await page.locator('[data-period=last_12_months]:not([data-stale])').waitFor()
  assert.equal(asked.filter((period) => period === 'last_12_months').length, 2)
  assert.deepEqual(errors, [])
}

const periodIn = (page: Page): string =>
  ['period', 'date_from', 'date_to'].map((name) => searchOf(page).get(name) ?? '').join(' ')

async function choosePeriods(page: Page): Promise<void> {
  const [earlier, later] = ['Earlier', 'Later'].map((name) => page.getByRole('button', { name, exact: true }))
  await earlier!.click()
  await untilEqual(() => periodIn(page), 'custom 2026-11-07 2026-11-13')
  await page.keyboard.press(',')
  await untilEqual(() => periodIn(page), 'custom 2026-10-31 2026-11-06')
  await page.keyboard.press('.')
  await answered(page, () => later!.click())
  await untilEqual(() => periodIn(page), 'custom 2026-11-14 2026-11-20')
  assert.ok(await later!.isDisabled(), 'nothing comes after today')
  await page.keyboard.press('c')
  await page.getByRole('button', { name: 'Last quarter' }).click()
  await answered(page, () => later!.click())
  await untilEqual(() => periodIn(page), 'this_quarter  ')
}

/** By keyboard alone. */
async function chooseDays(page: Page): Promise<void> {
  await page.keyboard.press('c')
  const day = (words: RegExp) => page.getByRole('gridcell').getByRole('button', { name: words })
  const move = async (key: string, to: RegExp): Promise<void> => {
    await page.keyboard.press(key)
    await untilMatch(() => page.locator(':focus').getAttribute('aria-label'), to)
  }
  await day(/^Today, Fri/).focus()
  await move('ArrowUp', /^Fri.* 13 Nov/)
  await page.keyboard.press('Enter')
  await move('ArrowRight', /^Sat.* 14 Nov/)
  await move('ArrowRight', /^Sun.* 15 Nov/)
  await page.keyboard.press('Enter')
  await untilEqual(() => page.getByLabel('To', { exact: true }).inputValue(), '2026-11-15')
  await assertAccessible(page)
  await page.getByRole('button', { name: 'Show this range' }).press('Enter')
  await untilEqual(() => periodIn(page), 'custom 2026-11-13 2026-11-15')
}

async function compareWithDays(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Compare with: ' }).click()
  await page.getByRole('menuitemradio', { name: 'Custom dates' }).click()
  const dialog = page.getByRole('dialog', { name: 'Compare with' })
  await dialog.getByLabel('From', { exact: true }).fill('2026-11-09')
  await dialog.getByLabel('To', { exact: true }).fill('2026-11-11')
  await dialog.getByRole('button', { name: 'Compare' }).click()
  await page.getByText(/^compared with 9\s*–\s*11 Nov 2026$/).waitFor()
  await page.reload()
  await page.getByText(/^compared with 9\s*–\s*11 Nov 2026$/).waitFor()
}

async function shareIt(page: Page): Promise<string> {
  await page.getByRole('button', { name: 'Share' }).click()
  const dialog = page.getByRole('dialog', { name: 'Share dashboard' })
  await dialog.getByLabel('Name').fill('The board')
  await dialog.getByRole('button', { name: 'Create link' }).click()
  const url = (await dialog.locator('pre code').textContent()) ?? ''
  await page.keyboard.press('Escape')
  return url
}

/** What the answer is about does not matter: it comes late, wrong, and then right. */
async function seeFailure(dashboard: Dashboard): Promise<void> {
  const { footfall, owner } = dashboard
  const { page, errors } = await dashboard.open('/account', { as: owner }) // which does not ask that itself
  let isFailing = true // also for what is asked before the code is there
  await page.route('**/overview', (route) =>
    isFailing
      ? route.fulfill({ status: 500, json: { code: 500, message: 'Something went wrong.' } })
      : route.continue(),
  )
  await page.goto(`${footfall.url}/dashboard/properties/${footfall.property.id}`)
  await page.getByRole('alert').getByText('Something went wrong.').waitFor()
  isFailing = false
  await page.getByRole('button', { name: 'Try again' }).click()
  await card(page, 'Sessions').waitFor()
  await page.goto(`${footfall.url}/dashboard/properties/${footfall.property.id}?f=nonsense:equals:1`)
  await page.getByText(/is not known/).waitFor()
  await page.getByRole('button', { name: 'Reset view' }).click()
  await card(page, 'Sessions').waitFor()
  assert.deepEqual(
    errors.filter((error) => !error.includes('status of')),
    [],
  )
}

/** A goal in the cards, the graph and the rows; a list in full by each figure. */
async function seeGoal({ open, owner, footfall }: Dashboard, path: string): Promise<void> {
  const body = { name: 'Signed up', event_type: 'event', event_value: 'signup' }
  await footfall.call('POST', `/manage${path}/conversions`, { body })
  const { page, errors } = await open(`${path}?period=last_28`, { as: owner })
  await page.getByRole('button', { name: 'Goal', exact: false }).first().click()
  await answered(page, () => page.getByRole('menuitemradio', { name: 'Signed up' }).click())
  await card(page, 'Conversion rate').waitFor()
  await page.getByRole('heading', { name: 'Conversions', exact: true }).first().waitFor()
  assert.equal(searchOf(page).get('metric'), 'conversions')
  const sources = page.getByRole('tabpanel').filter({ has: rowOf(page, 'Google') })
  await sources.getByText('Conversions', { exact: true }).waitFor()
  assert.match(
    (await page
      .getByRole('listitem')
      .filter({ has: rowOf(page, 'Google') })
      .textContent()) ?? '',
    /9.*4.*44%/,
  )
  await assertAccessible(page)

  await sources.getByRole('button', { name: 'Metric' }).click()
  await page.getByRole('menuitemradio', { name: 'Time', exact: true }).click()
  await sources.getByText('Time', { exact: true }).waitFor()
  assert.equal(searchOf(page).get('by'), 'duration')

  await page.getByRole('button', { name: 'More: Sources' }).click()
  const dialog = page.getByRole('dialog', { name: 'Sources' })
  await dialog.getByRole('button', { name: 'Rate' }).click()
  await dialog.getByRole('columnheader', { name: 'Rate' }).and(page.locator('[aria-sort=descending]')).waitFor()
  await untilEqual(() => dialog.getByRole('row').nth(1).getByRole('cell').nth(9).textContent(), '44%')
  await assertAccessible(page)
  const [file] = await Promise.all([page.waitForEvent('download'), dialog.getByRole('button', { name: 'CSV' }).click()])
  assert.match(await readFile(await file.path(), 'utf8'), /conversions,rate,conversion_value/)
  await dialog.getByRole('button', { name: 'Google', exact: true }).click()
  await dialog.waitFor({ state: 'detached' })
  assert.equal(searchOf(page).get('f'), 'source:equals:Google')
  await page.setViewportSize({ width: 360, height: 800 })
  await assertNoSidewaysScroll(page)
  assert.deepEqual(errors, [])
}

/** A reader comes back through a newsletter, by keyboard: in the panel, in full, and from the URL. */
async function seeVisits({ open, owner, footfall }: Dashboard, path: string): Promise<void> {
  const day = { property: footfall.property.id, day: '2026-11-19', session: '4711' }
  const seen = (view: number, hour: number, source: string) => {
    const at = Date.parse('2026-11-19T00:00:00Z') + hour * 3_600_000
    return { ...day, view, at, seen: at, path: '/read', source }
  }
  await footfall.context.facts.appendAll('views', [seen(1, 8, 'Bing'), seen(2, 12, 'Letter'), seen(3, 18, 'Letter')])
  const { page, errors } = await open(`${path}?period=last_28`, { as: owner })
  const sources = page.getByRole('tabpanel').filter({ has: rowOf(page, 'Google') })
  await sources.getByRole('button', { name: 'Metric' }).press('Enter')
  await page.getByRole('menuitemradio', { name: 'Visits', exact: true }).press('Enter')
  const letter = sources.getByRole('listitem').filter({ hasText: 'Letter' })
  await untilMatch(() => letter.textContent(), /Letter20$/)
  assert.equal(await letter.getByRole('button').count(), 0, 'no session is found by it')
  assert.equal(searchOf(page).get('by'), 'visits')
  await assertAccessible(page)
  await page.reload()
  await untilMatch(() => letter.textContent(), /Letter20$/)
  await page.getByRole('button', { name: 'More: Sources' }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Sources' })
  await dialog.getByRole('button', { name: 'Visits' }).press('Enter')
  await dialog.getByRole('columnheader', { name: 'Visits' }).and(page.locator('[aria-sort=descending]')).waitFor()
  const cells = dialog.getByRole('row').filter({ hasText: 'Letter' }).getByRole('cell')
  await untilEqual(async () => (await cells.allTextContents()).slice(1, 5).join(), '0,2,0,–')
  const saving = page.waitForEvent('download')
  await dialog.getByRole('button', { name: 'CSV' }).click()
  assert.match(await readFile(await (await saving).path(), 'utf8'), /^id,label,sessions,percent,country_code,visits,/)
  await page.setViewportSize({ width: 390, height: 800 })
  await assertNoSidewaysScroll(page)
  assert.deepEqual(errors, [])
}

/** What was seen most, sorted and by folder; a page there is a filter. */
async function seeTopPages({ open, owner }: Dashboard, path: string): Promise<void> {
  const { page, errors } = await open(`${path}?period=last_28`, { as: owner })
  await page.getByRole('tab', { name: 'Top pages' }).click()
  const panel = page.getByRole('tabpanel').filter({ has: page.getByText('Visitors', { exact: true }) })
  await panel.getByRole('button', { name: '/pricing', exact: true }).waitFor()
  assert.match((await panel.getByRole('listitem').first().textContent()) ?? '', /s66$/)
  await page.getByRole('button', { name: 'More: Top pages' }).click()
  const dialog = page.getByRole('dialog', { name: 'Top pages' })
  await dialog.getByRole('button', { name: 'Exits' }).click()
  await dialog.getByRole('columnheader', { name: 'Exits' }).and(page.locator('[aria-sort=descending]')).waitFor()
  await dialog.getByLabel('Folders').selectOption('Folders')
  await untilEqual(() => searchOf(page).get('depth'), '1')
  await assertAccessible(page)
  const saving = page.waitForEvent('download')
  await dialog.getByRole('button', { name: 'CSV' }).click()
  assert.match(await readFile(await (await saving).path(), 'utf8'), /^path,views,visitors,time,scroll,entries,exits/)
  await page.setViewportSize({ width: 360, height: 800 })
  await assertNoSidewaysScroll(page)
  await dialog.getByLabel('Folders').selectOption('Pages')
  await dialog.getByRole('button', { name: '/docs', exact: true }).click()
  await dialog.waitFor({ state: 'detached' })
  assert.equal(searchOf(page).get('f'), 'page_path:equals:/docs')
  assert.deepEqual(errors, [])
}

/** What is typed finds values of the window in any case, with their counts; things have their names. */
async function seeSuggestions({ open, owner, footfall }: Dashboard, path: string): Promise<void> {
  const body = { name: 'Ask us', kind: 'open' }
  await footfall.call('POST', `/manage${path}/forms`, { body })
  const { page, errors } = await open(`${path}?period=last_28`, { as: owner })
  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Add filter' })
  const found = dialog.getByRole('list', { name: 'Suggestions' })
  await dialog.getByLabel('Filter by').selectOption('Source')
  await found.getByRole('button', { name: 'Google 9' }).waitFor()
  await dialog.getByLabel('Value').fill('goOG')
  await untilEqual(() => found.getByRole('button').count(), 1)
  await assertAccessible(page)
  await found.getByRole('button', { name: 'Google 9' }).click()
  await dialog.getByRole('button', { name: 'Filter', exact: true }).click()
  await untilEqual(async () => searchOf(page).get('f'), 'source:equals:Google')
  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  await dialog.getByLabel('Filter by').selectOption('Form')
  await found.getByRole('button', { name: 'Ask us' }).click()
  await dialog.getByRole('button', { name: 'Filter', exact: true }).click()
  await page.getByRole('button', { name: 'Form is Ask us', exact: true }).waitFor()
  assert.deepEqual(errors, [])
}

test('the overview answers on one page, and all of it is in the URL', async (t) => {
  const dashboard = await openDashboard(t, { now: NOW })
  t.afterEach(() => dashboard.leavePages())
  const { footfall, owner } = dashboard
  await addVisits(footfall)
  const path = `/properties/${footfall.property.id}`
  let shareUrl = ''

  await t.test('an owner reads, filters, zooms, notes, searches and shares', async () => {
    const { page, errors } = await dashboard.open(path, { as: owner })
    page.on('dialog', (dialog) => assert.fail(dialog.message()))
    await card(page, 'Sessions').waitFor()
    await page.getByText(/^14\s*–\s*20 Nov 2026 · UTC$/).waitFor()
    await page.getByText('1 visitor online').waitFor()
    await readAndChoose(page)
    await filterByRows(page)
    await pressKeys(page)
    await readGraph(page)
    await writeNotes(page)
    await searchList(page)
    await saveGraph(page)
    shareUrl = await shareIt(page)
    await page.locator('svg[role=img] path').first().waitFor()
    await assertAccessible(page)
    await assertNoSidewaysScroll(page)
    await page.setViewportSize({ width: 360, height: 740 })
    await assertAccessible(page)
    await assertNoSidewaysScroll(page)
    await page.setViewportSize({ width: 1280, height: 860 })
    await removeNote(page)
    await page.getByRole('tab', { name: 'Campaigns' }).click()
    await rowOf(page, FORMULA).waitFor()
    await untilEqual(() => searchOf(page).get('sources'), 'utm_campaign')
    assert.deepEqual(errors, [])
  })

  await t.test(
    'a viewer reads on a phone, in the dark, what hostile visitors have left, and is not offered to change anything',
    async () => {
      const viewer = await addPerson(footfall, { roles: { [footfall.property.id]: 'viewer' } })
      const texts = ['The sale began', 'A newsletter', 'The sale ended']
      for (const [index, text] of texts.entries())
        await owner.call('POST', `/manage${path}/annotations`, {
          body: { ts: NOW / 1000 - (5 - index) * 86_400, text },
        })
      const { page, errors } = await dashboard.open(`${path}?period=last_28&places=country`, {
        as: viewer,
        width: 360,
        hasTouch: true,
        theme: 'dark',
      })
      page.on('dialog', (dialog) => assert.fail(dialog.message()))
      await rowOf(page, HOSTILE).waitFor()
      await page.getByRole('tab', { name: 'Events' }).click()
      await page.getByRole('table', { name: 'Events' }).getByText(HOSTILE, { exact: true }).waitFor()
      assert.equal(await page.getByRole('button', { name: 'Add note' }).count(), 0)
      await readManyNotes(page, texts)
      await assertAccessible(page)
      await assertNoSidewaysScroll(page)
      await zoomByFinger(page)
      await rowOf(page, HOSTILE).click()
      await page.getByText(`Source is ${HOSTILE}`).waitFor()
      await assertNoSidewaysScroll(page)
      assert.deepEqual(errors, [])
    },
  )

  await t.test(
    'periods go back and forth, by name, by calendar and by keyboard, and compare with any other',
    async () => {
      const { page, errors } = await dashboard.open('/account', { as: owner })
      await page.clock.install({ time: NOW })
      await page.goto(`${footfall.url}/dashboard${path}`)
      await card(page, 'Sessions').waitFor()
      await choosePeriods(page)
      await chooseDays(page)
      await compareWithDays(page)
      await page.setViewportSize({ width: 360, height: 740 })
      await page.keyboard.press('c')
      await page.getByRole('grid').waitFor()
      await assertNoSidewaysScroll(page)
      assert.deepEqual(errors, [])
    },
  )

  await t.test('the year is asked for ahead while nobody waits for anything', () => findYearReady(dashboard, path))

  await t.test('a share link shows the same page, read only', async () => {
    const link = new URL(shareUrl).pathname.replace(/^.*\/share/, '/share')
    const { page, errors } = await dashboard.open(link, { asksAhead: true })
    const { page: saving } = await dashboard.open(path, { as: owner })
    const asked = [askedBy(page), askedBy(saving)]
    for (const shown of [page, saving]) {
      await shown.clock.install()
      await shown.reload()
      await card(shown, 'Sessions').waitFor()
      await shown.locator('[data-stale]').waitFor({ state: 'detached' })
      await shown.clock.runFor(5_000) // by then they would have asked
    }
    const isAhead = asked.flat().includes('last_12_months')
    assert.ok(!isAhead, 'neither a share link nor a browser that saves data asks ahead')
    await answered(page, () => rowOf(page, 'Google').click())
    for (const name of ['Add note', 'Share']) assert.equal(await page.getByRole('button', { name }).count(), 0)
    await page.getByRole('button', { name: 'More: Sources' }).click()
    await page.getByRole('dialog', { name: 'Sources' }).getByText('1 value', { exact: true }).waitFor()
    assert.deepEqual(errors, [])
  })

  await t.test('a goal is counted in the cards, the graph and every list', () => seeGoal(dashboard, path))

  await t.test('the pages that were seen are a list of their own', () => seeTopPages(dashboard, path))

  await t.test('a filter suggests what there is', () => seeSuggestions(dashboard, path))

  await t.test('visits are counted by where each of them came from', () => seeVisits(dashboard, path))

  await t.test('a property without visits says what to do, a window without them where they are', async () => {
    const empty = await footfall.addProperty()
    const { page, errors } = await dashboard.open(`/properties/${empty.id}`, { as: owner })
    await page.getByRole('link', { name: 'Set up tracking' }).waitFor()
    await page.getByRole('switch', { name: 'Show sample data' }).waitFor()
    await assertAccessible(page)
    await page.goto(`${footfall.url}/dashboard${path}?period=custom&date_from=2026-01-01&date_to=2026-01-05`)
    await page.getByRole('heading', { name: 'No sessions in this period' }).waitFor()
    await answered(page, () => page.getByRole('button', { name: 'Last 12 months' }).click())
    await page.getByRole('slider').waitFor()
    await page.goto(`${footfall.url}/dashboard${path}?period=last_12_months&f=country:equals:Nowhere`)
    await page.getByRole('heading', { name: 'No sessions match these filters' }).waitFor()
    assert.equal(await page.getByText('Try another period.').count(), 0)
    assert.deepEqual(errors, [])
  })

  await t.test('what cannot be answered says so, and leads back', () => seeFailure(dashboard))
})
