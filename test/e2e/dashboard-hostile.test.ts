// Whatever strangers write, in everything that is collected, stays text on every page of the dashboard:
// nothing runs, nothing is asked for elsewhere, no element is made of it, and no page gets wider than the
// phone on which it is read, or is stretched over a screen of 3840 pixels.
import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, test } from 'node:test'
import type { Page } from 'playwright-core'
import { isPathId, shownAddress } from '../../dashboard/address.ts'
import { addPerson, type Person } from '../support/accounts.ts'
import { assertNoSidewaysScroll, type Dashboard, openDashboard } from '../support/dashboard.ts'
import { ALLOW_LOOPBACK } from '../support/automation-calls.ts'
import { hostileNames, hostileTexts, marker } from '../support/hostile-texts.ts'
import { type HostileWorld, openHostileWorld, propertyName } from '../support/hostile-world.ts'
import { moveTo, watchRequests } from '../support/moving.ts'
import { eventually } from '../support/site.ts'

const ends: (() => Promise<void>)[] = []
let dashboard: Dashboard
let world: HostileWorld
/** Another one in each test: all of them together would ask for more than one person may in a minute. */
let owner: Person

before(async () => {
  dashboard = await openDashboard({ after: (end) => ends.push(end) }, { env: ALLOW_LOOPBACK })
  world = await openHostileWorld(dashboard)
})
beforeEach(async () => {
  owner = await addPerson(dashboard.footfall, { isOwner: true })
  assert.equal((await owner.call('POST', '/manage/account', { body: { name: marker } })).status, 200)
})
after(async () => {
  for (const end of ends.toReversed()) await end()
})
afterEach(() => dashboard.leavePages())

/** What must not happen on a page, noted from its first moment on. */
interface Watched {
  readonly page: Page
  /** Dialogs, calls of `hit()`, requests to elsewhere, and what console and policy complained about. */
  readonly faults: string[]
  /** Until everything that the page asked for has come, and is shown. */
  readonly settled: () => Promise<void>
}

async function watch(path: string, isOwner = true): Promise<Watched> {
  const { footfall, open } = dashboard
  const { page } = await open('/icon.svg', { as: isOwner ? owner : undefined, width: 360, theme: 'dark' })
  const faults: string[] = []
  const settled = watchRequests(page)
  page.on('dialog', (dialog) => {
    faults.push(`a dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('request', (request) => {
    if (new URL(request.url()).origin !== footfall.url) faults.push(`a request: ${request.url()}`)
  })
  page.on('console', (message) => {
    const { url } = message.location()
    if (message.type() === 'error' && !url.endsWith('/favicon.ico')) faults.push(`console: ${message.text()} ${url}`)
  })
  page.on('pageerror', (error) => faults.push(`script: ${error.message}`))
  page.on('popup', (popup) => faults.push(`a window: ${popup.url()}`))
  await page.exposeFunction('hit', () => faults.push('something ran'))
  await page.goto(`${footfall.url}/dashboard${path}`)
  return { page, faults, settled }
}

const go = ({ page }: Watched, path: string): Promise<void> => moveTo(page, `/dashboard${path}`)

/**
 * Runs in the page: all elements that only HTML of a stranger would have made, and links that lead where none
 * may.
 */
const lookAround = `(() => {
  const faults = []
  const width = document.documentElement.clientWidth
  const isWide = document.documentElement.scrollWidth > width
  const addresses = ['href', 'src', 'action', 'formaction', 'srcdoc', 'poster', 'xlink:href', 'data']
  for (const element of document.querySelectorAll('*')) {
    const say = (what) => faults.push(what + ': ' + element.outerHTML.slice(0, 200))
    if (isWide && element.getBoundingClientRect().right > width + 1) say('wider than the window')
    if (element.matches('.evil, object, embed, base, body style, [autofocus][onfocus], meta[http-equiv=refresh]')) say('an element')
    // The page's own text (begin.js), which the policy names, or a file of ours.
    const isOurs = element.matches('head > title + script:not([src])') || element.src?.startsWith?.(location.origin)
    if (element.matches('script') && !isOurs) say('a script')
    if (element.matches('iframe') && (!element.hasAttribute('sandbox') || element.sandbox.contains('allow-same-origin'))) say('a frame')
    for (const { name, value } of element.attributes) {
      if (/^on/i.test(name)) say('a handler')
      if (addresses.includes(name) && /^[\\s\\0-\\x20]*(javascript|data|vbscript|blob|file):/i.test(value)) say('an address')
    }
    if (!element.matches('a[href]') || element.origin === location.origin) continue
    // A reply: the service writes no other field of a message than its subject.
    if (/^mailto:[^?&]+[?]subject=[^&]*$/.test(element.href)) continue
    if (!/^https?:$/.test(element.protocol)) say('a link')
    if (!element.relList.contains('noopener') || !element.relList.contains('noreferrer')) say('a link that tells')
  }
  return faults
})()`

/** All words of the page, those in its fields too. */
const wordsOf = `document.body.textContent + ' ' + [...document.querySelectorAll('input, textarea')].map(({ value }) => value).join(' ')`

interface View {
  /** Under the property; with `/` alone under the dashboard. */
  readonly path: string
  /** What is to stand there; the marker when left out. */
  readonly shows?: string
  readonly act?: (page: Page) => Promise<unknown>
}

/**
 * No column, card or line of a page is wider, in a window of whatever width: the overview with 120rem, and
 * something to spare.
 */
const WIDEST = 2_500
/**
 * Runs in a window of 3840 pixels: what is stretched over it and is not shown in a narrower place that can be
 * scrolled.
 */
const stretched = `[...document.querySelectorAll('body *')].filter((element) => {
  const isWide = (one) => one.getBoundingClientRect().width > ${WIDEST}
  if (!isWide(element) || element.offsetHeight === 0 || element.matches('main, [data-progress]') || element.querySelector('main')) return false
  for (let above = element.parentElement; above; above = above.parentElement)
    if (!isWide(above) && getComputedStyle(above).overflowX !== 'visible') return false
  return true
}).map((element) => element.outerHTML.slice(0, 200))`

const seenLarge = new Set<string>()
/** Once for each page: what is asked of it in its address makes it no wider. */
async function assertFitsLargeScreen(page: Page): Promise<void> {
  const { pathname } = new URL(page.url())
  const before = page.viewportSize()
  if (seenLarge.has(pathname) || !before) return
  seenLarge.add(pathname)
  await page.setViewportSize({ width: 3840, height: 600 })
  await assertNoSidewaysScroll(page)
  assert.deepEqual(await page.evaluate(stretched), [], pathname)
  await page.setViewportSize(before)
}

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).first()

async function assertHarmless(watched: Watched, { path, shows = marker, act }: View): Promise<void> {
  const { page, faults, settled } = watched
  await act?.(page)
  await settled()
  const words = await eventually(
    () => page.evaluate<string>(wordsOf),
    (found) => found.includes(shows),
  )
  assert.ok(words.includes(shows), `${path} does not show ${shows} but ${words} ${faults.join(' ')}`)
  await page.locator('main [aria-busy=true]').first().waitFor({ state: 'detached' })
  assert.deepEqual(await page.evaluate(lookAround), [], path)
  await assertNoSidewaysScroll(page)
  if (act === undefined) await assertFitsLargeScreen(page)
  assert.deepEqual(faults, [], path)
}

const visitorLists = [
  'source',
  'referrer_domain',
  'entry_path_full',
  'exit_path_full',
  'hostname',
  'tag',
  'event_name',
  'utm_source',
  'utm_medium',
  'utm_campaign',
  'utm_term',
  'utm_content',
]

/** A row of each list, as it is shown. */
async function firstLabel(list: string): Promise<string> {
  const { footfall } = dashboard
  const { json, text } = await footfall.call('POST', `/manage/properties/${footfall.property.id}/lists/${list}`, {
    body: { period: 'today', per_page: 100 },
  })
  const labels: string[] = json?.data?.rows.map(({ label }: { label: string }) => label)
  assert.ok(labels?.length > 0, `${list}: ${text}`)
  const label = labels.find((one) => one.includes('evil')) ?? labels[0]!
  return isPathId(list) ? shownAddress(label) : label
}

test('figures: what strangers say in addresses, referrers, campaigns, titles, tags and events is text, in every list and filter', async () => {
  const at = `/properties/${dashboard.footfall.property.id}`
  const watched = await watch(`${at}?period=today`)
  await assertHarmless(watched, { path: 'overview', shows: propertyName })
  for (const list of visitorLists) {
    const path = `${at}?period=today&more=${list}`
    await go(watched, path)
    await assertHarmless(watched, { path, shows: await firstLabel(list) })
  }
  for (const outcomes of ['events', 'conversions', 'forms', 'links', 'content']) {
    const path = `${at}?period=today&outcomes=${outcomes}`
    await go(watched, path)
    await assertHarmless(watched, { path })
  }
  for (const view of ['pages=top', 'top=1', 'top=1&depth=1', 'by=value', `goal=${world.conversion}`]) {
    const path = `${at}?period=today&${view}`
    await go(watched, path)
    await assertHarmless(watched, { path })
  }
  for (const text of [marker, hostileTexts[0]!, '__proto__', hostileTexts.find((long) => long.startsWith('www'))!]) {
    const filters = ['utm_source:equals:', 'event_name:not_equals:', 'page_path:contains:'].map((clause) =>
      encodeURIComponent(clause + text.slice(0, 200)),
    )
    const path = `${at}?period=today&f=${filters.join('&f=')}`
    await go(watched, path)
    await assertHarmless(watched, { path, shows: text.slice(0, 200) })
  }
  const path = `${at}?period=today`
  await go(watched, path)
  await assertHarmless(watched, { path: 'the notes', act: (page) => button(page, /\d+ notes?/).press('Enter') })
  await watched.page.keyboard.press('Escape')
  await assertHarmless(watched, {
    path: 'the menu of properties',
    shows: propertyName,
    act: (page) => button(page, /^Property: /).click(),
  })
  await go(watched, '/')
  await assertHarmless(watched, { path: 'all properties', shows: propertyName })
  const names = await watched.page.evaluate<string>(wordsOf)
  for (const name of hostileNames) assert.ok(names.includes(name.toWellFormed().trim()), `a property called ${name}`)
})

test('visits and people: stories, contacts, bots and errors show what was written as it was written', async () => {
  const at = `/properties/${dashboard.footfall.property.id}`
  const watched = await watch(`${at}/sessions?period=today`)
  await assertHarmless(watched, { path: 'sessions', shows: 'evil' })
  const views: readonly View[] = [
    { path: `/sessions/${encodeURIComponent(world.session)}?period=today` },
    { path: '/live' },
    { path: '/contacts' },
    { path: '/contacts?open=lists' },
    { path: `/contacts/${world.contact}` },
    { path: `/contacts/${world.contact}?open=edit` },
    { path: `/contacts/${world.contact}?open=merge` },
    { path: `/contacts/${world.contact}?open=erase` },
    { path: '/bots?period=today', shows: 'Googlebot' },
    { path: '/bots?tab=errors&period=today' },
  ]
  for (const view of views) {
    await go(watched, at + view.path)
    await assertHarmless(watched, view)
  }
})

test('things with names: links, forms, automations and content, their lists, pages and drawers', async () => {
  const at = `/properties/${dashboard.footfall.property.id}`
  const watched = await watch(`${at}/forms`)
  await assertHarmless(watched, { path: 'forms' })
  const { form, submission, automation, delivery, conversion } = world
  const views: readonly View[] = [
    { path: `/forms/${form}?show=all` },
    { path: `/forms/${form}?show=all&submission=${submission}` },
    { path: `/forms/${form}/statistics` },
    { path: `/forms/${form}/embed` },
    { path: '/automations/new', shows: 'New automation' },
    { path: `/forms/${form}/settings` },
    { path: '/automations' },
    { path: `/automations/${automation}` },
    { path: `/automations/${automation}?delivery=${delivery}` },
    { path: `/automations/${automation}/settings` },
    { path: '/goals' },
    { path: `/goals/${conversion}` },
    { path: `/goals/${conversion}?conversion=${conversion}` },
    ...thingViews(),
  ]
  for (const view of views) {
    await go(watched, at + view.path)
    await assertHarmless(watched, view)
  }
})

/** Links and content. */
function thingViews(): readonly View[] {
  const { group, link, block } = world
  return [
    { path: '/links' },
    { path: '/links?new=1' },
    { path: `/links/${link}` },
    { path: `/links/${link}?edit=1` },
    { path: '/links/groups', shows: 'evil' },
    { path: `/links/groups/${group}` },
    { path: '/content', shows: 'evil' },
    { path: `/content/${block}` },
    { path: `/content/${block}/results` },
    { path: `/content/${block}/history` },
    { path: `/content/${block}/settings` },
  ]
}

test('settings and accounts: names of properties, tokens, links and people; and what a share link shows', async () => {
  const at = `/properties/${dashboard.footfall.property.id}`
  const watched = await watch(`${at}/settings`)
  await assertHarmless(watched, { path: 'tracking', shows: propertyName })
  for (const section of ['general', 'exclusions', 'costs', 'keys', 'team', 'sharing', 'data']) {
    const path = `${at}/settings/${section}`
    await go(watched, path)
    await assertHarmless(watched, {
      path,
      shows: ['costs', 'keys', 'sharing'].includes(section) ? 'evil' : propertyName,
    })
  }
  for (const path of ['/account', '/users', `/users?user=${world.user}`]) {
    await go(watched, path)
    await assertHarmless(watched, { path })
  }
  const shared = await watch(new URL(world.shareUrl).pathname.replace(/^\/dashboard/, ''), false)
  await assertHarmless(shared, { path: 'shared overview', shows: propertyName })
  await go(shared, `${at}/live`)
  await assertHarmless(shared, { path: 'shared live view', shows: 'evil' })
})

test('the looking around finds what it looks for', async () => {
  const { page } = await watch('/sign-in', false)
  await page.locator('main, form').first().waitFor()
  assert.deepEqual(await page.evaluate(lookAround), [])
  const evil = [
    ['a', { href: 'javascript:1' }],
    ['a', { href: 'https://evil.test/' }],
    ['img', { class: 'evil' }],
    ['b', { onauxfault: '' }],
    ['iframe', {}],
    ['script', {}],
  ] as const
  for (const [name, attributes] of evil) {
    const set = Object.entries(attributes).map(([key, value]) => `e.setAttribute('${key}', '${value}');`)
    await page.evaluate(
      `(() => { const e = document.createElement('${name}'); ${set.join('')} document.body.append(e) })()`,
    )
    assert.notDeepEqual(await page.evaluate(lookAround), [], name)
    await page.evaluate('document.body.lastElementChild.remove()')
  }
})
