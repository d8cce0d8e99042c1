// Pictures of every page of the dashboard for docs/screens: `npm run screens`, or with words that their names contain: `npm run screens -- link forms`.
// A service of its own with made-up visits, on a folder that goes afterwards; names of pictures stay, so that a change shows as a change.
import { mkdirSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Page, Request } from 'playwright-core'
import { openDelivering } from '../server/automations/delivering.ts'
import { writeDemo } from '../server/demo/demo.ts'
import { createProperty } from '../server/properties/properties.ts'
import { addPerson, type Person } from '../test/support/accounts.ts'
import {
  openPage,
  openDashboard,
  type Dashboard,
  type DashboardPage,
  type PageOptions,
} from '../test/support/dashboard.ts'
import { certificateFor, openEndpoint } from '../test/support/endpoint.ts'
import { pause } from '../test/support/site.ts'

const folder = new URL('../docs/screens/', import.meta.url).pathname
/** Enough for every list to say something, on each day of two months. */
const demo = { sessions: 5_000, days: 60, seed: 11 } as const
const wanted = process.argv.slice(2)

type Look = 'light' | 'dark' | 'phone'
const allLooks: readonly Look[] = ['light', 'dark', 'phone']
const looks: Readonly<Record<Look, PageOptions & { readonly height: number }>> = {
  light: { width: 1280, height: 800, theme: 'light' },
  dark: { width: 1280, height: 800, theme: 'dark' },
  phone: { width: 360, height: 780, theme: 'light' },
}

interface Shot {
  readonly name: string
  /** Under the dashboard. */
  readonly path: string
  readonly as?: Person | undefined
  readonly looks?: readonly Look[]
  /** Of the window, where a page has more to show than fits; not on the phone. */
  readonly height?: number
  readonly act?: (page: Page) => Promise<unknown>
}

const ends: (() => unknown)[] = []
const ending = { after: (end: () => unknown) => ends.push(end) }

/** What the first page of a list holds. */
async function firstOf({ footfall }: Dashboard, path: string): Promise<string> {
  const { status, json, text } = await footfall.call('GET', path)
  if (status !== 200) throw new Error(`${path}: ${text}`)
  const [row] = json.data.data
  return String(row?.id)
}

async function send({ footfall }: Dashboard, path: string, body: object) {
  const { status, json, text } = await footfall.call('POST', path, { body })
  if (status !== 200) throw new Error(`${path}: ${text}`)
  return json.data
}

/** How far the service's clock is behind; for visits of the last minutes. */
let behindMs = 0

/** Seventeen people who came within the last five minutes, so that the live view has something to show. */
async function visitNow({ footfall }: Dashboard, key: string): Promise<void> {
  const pages = ['/', '/lamps/heron', '/lamps/wren', '/journal/warm-or-cold-light', '/journal/light-and-sleep', '/cart']
  const referrers = ['https://www.google.com/', 'https://chatgpt.com/', '', 'https://news.ycombinator.com/']
  const addresses = ['193.5.216.9', '81.2.69.160', '89.160.20.112', '2.125.160.216', '175.16.199.3', '216.160.83.56']
  for (let n = 0; n < 17; n++) {
    behindMs = Math.round(275_000 * (1 - n / 17) ** 1.3)
    const referrer = referrers[n % referrers.length] ?? ''
    const address = `${(addresses[n % addresses.length] ?? '').replace(/\d+$/, '')}${20 + n}`
    const page = `https://demo.example${pages[(n * 5) % pages.length]}`
    await footfall.track.load({ key, address, page, ...(referrer !== '' && { referrer }) })
  }
  behindMs = 0
}

async function addAutomations(dashboard: Dashboard, id: string): Promise<string> {
  const certificate = await certificateFor(['127.0.0.1'])
  const endpoint = await openEndpoint(ending, certificate, (response) => response.end('{"received":true}'))
  const delivering = openDelivering(dashboard.footfall.context, { ca: certificate.cert })
  await delivering.start()
  ending.after(() => delivering.close())
  const at = `/manage/properties/${id}`
  const { conversion } = await send(dashboard, `${at}/conversions`, {
    name: 'Bought a lamp',
    event_type: 'acquisition',
    event_value: null,
  })
  await send(dashboard, `${at}/conversions`, {
    name: 'Asked for a quote',
    event_type: 'form_submit',
    event_value: null,
  })
  await send(dashboard, `${at}/conversions`, {
    name: 'Read about delivery',
    event_type: 'page_view',
    event_value: '/delivery',
  })
  const actions = [{ type: 'webhook', url: `https://127.0.0.1:${endpoint.port}/leads` }]
  const orders = { name: 'Orders to the shop', trigger: { event_type: 'acquisition', event_value: null }, actions }
  await send(dashboard, `${at}/automations`, { ...orders, conversion_id: conversion.id }).catch(() =>
    send(dashboard, `${at}/automations`, orders),
  )
  const { automation } = await send(dashboard, `${at}/automations`, {
    name: 'Leads to sales',
    trigger: { event_type: 'form_submit', event_value: null },
    actions,
  })
  for (let n = 0; n < 3; n++) await send(dashboard, `${at}/automations/${automation.id}/test`, {})
  return automation.id
}

async function addTeam(dashboard: Dashboard, id: string): Promise<Person> {
  const { footfall } = dashboard
  const viewer = await addPerson(footfall, { email: 'vera@lumen.example', roles: { [id]: 'viewer' } })
  await addPerson(footfall, { email: 'adam@lumen.example', roles: { [id]: 'admin' } })
  await send(dashboard, `/manage/properties/${id}/members`, { email: 'ines@lumen.example', role: 'viewer' })
  await send(dashboard, `/manage/properties/${id}/shares`, { name: 'The board', password: 'lamps for everybody' })
  await send(dashboard, `/manage/properties/${id}/tokens`, { name: 'Shop', scopes: ['signals:read', 'contacts:write'] })
  await send(dashboard, `/manage/properties/${id}/exports`, { kind: 'sessions' })
  const ts = Math.floor(Date.now() / 1000) - 9 * 86_400
  await send(dashboard, `/manage/properties/${id}/annotations`, { ts, text: 'The spring offers began' })
  return viewer
}

/** A property with a year of visits, and everything that a year of visits does not bring by itself. */
async function openWorld() {
  const dashboard = await openDashboard(ending, {
    env: { GEO_DIR: '', WEBHOOK_ALLOW: '127.0.0.0/8', BASE_URL: 'http://go.lumen.example' },
    now: () => Date.now() - behindMs,
  })
  const { footfall, owner } = dashboard
  const { context } = footfall
  await owner.call('POST', '/manage/account', { body: { name: 'Olive Owner' } })
  await footfall.call('POST', `/manage/properties/${footfall.property.id}`, { body: { name: 'Journal' } })
  const property = await createProperty(context, {
    name: 'Lumen & Lark',
    domains: ['demo.example'],
    default_period: 'last_28',
    plan: 'paid',
  })
  await writeDemo(context, property, demo, () => undefined)
  const automation = await addAutomations(dashboard, property.id)
  const viewer = await addTeam(dashboard, property.id)
  await visitNow(dashboard, property.key)
  return { dashboard, property, automation, viewer }
}

type World = Awaited<ReturnType<typeof openWorld>>

/** The session of a list with the most in it: what a story is for. */
async function richSession({ dashboard, property }: World): Promise<string> {
  const { json, text } = await dashboard.footfall.call('POST', '/v2/property/signals/sessions', {
    token: dashboard.footfall.admin,
    headers: { 'x-footfall-property': property.id },
    body: { period: 'last_28', clauses: [{ id: 'event_name', op: 'is_set' }] },
  })
  const rows: { id: string; views: number; event_tags: unknown[]; form_tags?: unknown[] }[] | undefined = json.data
  if (!rows) throw new Error(text.slice(0, 300))
  const worth = ({ views, event_tags, form_tags = [] }: (typeof rows)[number]): number =>
    views + 3 * event_tags.length + 5 * form_tags.length
  return rows.toSorted((one, other) => worth(other) - worth(one))[0]?.id ?? ''
}

async function busiestLink({ dashboard, property }: World): Promise<string> {
  const { json } = await dashboard.footfall.call('GET', `/manage/properties/${property.id}/links`)
  const links: { id: string; figures: { clicks: number } }[] = json.data.data
  return links.toSorted((one, other) => other.figures.clicks - one.figures.clicks)[0]?.id ?? ''
}

/** One that is drawn in the page, and has most to be seen. */
async function builtForm({ dashboard, property }: World): Promise<string> {
  const { json } = await dashboard.footfall.call('GET', `/manage/properties/${property.id}/forms`)
  const forms: { id: string; kind: string; form_type: string; fields: readonly unknown[] }[] = json.data.data
  const shown = forms.filter(({ kind, form_type }) => kind === 'managed' && form_type === 'inline')
  return (
    (shown.length > 0 ? shown : forms).toSorted((one, other) => other.fields.length - one.fields.length)[0]?.id ?? ''
  )
}

async function shotsOf(world: World): Promise<readonly Shot[]> {
  const { dashboard, property, automation, viewer } = world
  const { owner, footfall } = dashboard
  const at = `/properties/${property.id}`
  const manage = `/manage/properties/${property.id}`
  const scoped = async (path: string): Promise<string> => {
    const headers = { 'x-footfall-property': property.id }
    const { json } = await footfall.call('GET', path, { token: footfall.admin, headers })
    return String(json.data.data[0]?.id)
  }
  const form = await firstOf(dashboard, `${manage}/forms`)
  const block = await firstOf(dashboard, `${manage}/content`)
  const contact = await scoped('/v2/property/contacts')
  const link = await busiestLink(world)
  const built = await builtForm(world)
  const submission = await firstOf(dashboard, `${manage}/forms/${form}/submissions`)
  const delivery = await firstOf(dashboard, `${manage}/automations/${automation}/deliveries`)
  const session = encodeURIComponent(await richSession(world))
  const few: readonly Look[] = ['light', 'phone']
  const one: readonly Look[] = ['light']
  const shots: readonly Shot[] = [
    { name: 'overview', path: at, height: 1278 },
    { name: 'overview-filtered', path: `${at}?f=source:equals:Google&more=entry_path_full`, looks: one },
    { name: 'live', path: `${at}/live` },
    { name: 'sessions', path: `${at}/sessions` },
    { name: 'session', path: `${at}/sessions/${session}` },
    { name: 'contacts', path: `${at}/contacts`, looks: few },
    { name: 'contact', path: `${at}/contacts/${contact}`, looks: few },
    { name: 'links', path: `${at}/links` },
    { name: 'link', path: `${at}/links/${link}` },
    { name: 'forms', path: `${at}/forms` },
    { name: 'form-builder', path: `${at}/forms/${built}/build` },
    { name: 'submissions', path: `${at}/forms/${form}`, looks: few },
    { name: 'submission', path: `${at}/forms/${form}?submission=${submission}`, looks: few },
    { name: 'automations', path: `${at}/automations` },
    { name: 'automation', path: `${at}/automations/${automation}`, looks: few },
    { name: 'delivery', path: `${at}/automations/${automation}?delivery=${delivery}`, looks: few },
    { name: 'conversions', path: `${at}/automations/conversions`, looks: one },
    { name: 'content', path: `${at}/content` },
    { name: 'content-results', path: `${at}/content/${block}/results` },
    { name: 'bots', path: `${at}/bots`, looks: few },
    { name: 'settings', path: `${at}/settings` },
    { name: 'settings-team', path: `${at}/settings/team`, looks: few },
    { name: 'settings-data', path: `${at}/settings/data`, looks: one },
    { name: 'account', path: '/account', looks: few },
    { name: 'users', path: '/users', looks: one },
    { name: 'sign-in', path: '/sign-in', as: undefined, looks: few },
    { name: 'first-property', path: '/new', looks: few },
    { name: 'first-visit', path: `/properties/${footfall.property.id}/start`, looks: few },
    { name: 'empty', path: `/properties/${footfall.property.id}`, looks: few },
    { name: 'empty-links', path: `/properties/${footfall.property.id}/links`, looks: one },
    { name: 'error', path: `${at}/contacts?q=away`, looks: one, act: failing },
    { name: 'no-permission', path: `${at}/settings/keys`, as: viewer, looks: one },
  ]
  return shots.map((shot) => ('as' in shot ? shot : { ...shot, as: owner }))
}

/** As when the service is away. */
async function failing(page: Page): Promise<void> {
  await page.route('**/v2/property/**', (route) =>
    route.fulfill({
      status: 503,
      json: { code: 503, status: 'Error', error_code: 'unavailable', message: 'A store is away.' },
    }),
  )
  await page.reload()
  await page.getByRole('button', { name: 'Try again' }).waitFor()
}

const QUIET_MS = 250
/** Some pages look for news all the time. */
const MAX_SETTLING_MS = 15_000

/** Watches a page from now on. @returns what resolves when everything that it asked for has come, and is shown. */
function watch(page: Page): () => Promise<void> {
  let lastMs = 0
  const open = new Set<Request>()
  const end = (request: Request): void => {
    open.delete(request)
    lastMs = Date.now()
  }
  page.on('request', (request) => {
    // What the page before had asked for comes to no end.
    if (request.isNavigationRequest()) open.clear()
    open.add(request)
  })
  page.on('requestfinished', end).on('requestfailed', end)
  const isBusy = async () => (await page.locator('main [aria-busy=true]').count()) > 0
  return async () => {
    await page.locator('h1').first().waitFor()
    const endMs = Date.now() + MAX_SETTLING_MS
    lastMs = Date.now()
    while (Date.now() < endMs && (open.size > 0 || Date.now() - lastMs < QUIET_MS || (await isBusy()))) await pause(50)
  }
}

interface Watched extends DashboardPage {
  readonly settled: () => Promise<void>
}

/** One for each person and look, so that nothing is loaded again for every picture. */
const opened = new Map<string, Watched>()

async function pageFor({ browser, footfall }: Dashboard, { as, path }: Shot, look: Look): Promise<Watched> {
  const { height, ...options } = looks[look]
  const key = `${as?.id ?? ''} ${look}`
  const known = opened.get(key) ?? (await openFirst())
  await known.page.goto(`${footfall.url}/dashboard${path}`)
  return known

  async function openFirst(): Promise<Watched> {
    const made = await openPage(ending, browser, footfall, '/icon.svg', { ...options, as })
    await made.page.setViewportSize({ width: options.width ?? 1280, height })
    const watched = { ...made, settled: watch(made.page) }
    opened.set(key, watched)
    return watched
  }
}

async function take(dashboard: Dashboard, shot: Shot, look: Look): Promise<void> {
  const { page, errors, settled } = await pageFor(dashboard, shot, look)
  const before = errors.length
  const { width = 1280, height } = looks[look]
  await page.setViewportSize({ width, height: look === 'phone' ? height : (shot.height ?? height) })
  await settled()
  if (shot.act) {
    await shot.act(page)
    await settled()
  }
  await page.screenshot({ path: join(folder, `${shot.name}-${look}.png`), animations: 'disabled' })
  await page.unrouteAll()
  console.log(`${shot.name}-${look} ${errors.slice(before).join(' · ')}`)
}

async function run(): Promise<void> {
  mkdirSync(folder, { recursive: true })
  const world = await openWorld()
  for (const shot of await shotsOf(world)) {
    if (wanted.length > 0 && !wanted.some((word) => shot.name.includes(word))) continue
    for (const look of shot.looks ?? allLooks) await take(world.dashboard, shot, look)
  }
  const pictures = readdirSync(folder).filter((file) => file.endsWith('.png'))
  const bytes = pictures.reduce((sum, file) => sum + statSync(join(folder, file)).size, 0)
  console.log(`${pictures.length} pictures, ${(bytes / 1024 ** 2).toFixed(1)} MiB`)
}

try {
  await run()
} finally {
  for (const end of ends.toReversed()) await end()
}
