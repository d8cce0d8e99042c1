// What the screenshots of the dashboard show: a service of its own with a year of generated visits, and
// everything that visits do not bring by themselves.
import { openDelivering } from '../server/deliveries/delivering.ts'
import { writeDemo } from '../server/demo/demo.ts'
import { createProperty } from '../server/properties/properties.ts'
import { addPerson, type Person } from '../test/support/accounts.ts'
import { type Dashboard, openDashboard } from '../test/support/dashboard.ts'
import { certificateFor, openEndpoint } from '../test/support/endpoint.ts'

/** Enough to fill every list on each day of two months. */
const demo = { sessions: 5_000, days: 60, seed: 11 } as const

export interface Ending {
  after(end: () => unknown): unknown
}

async function send({ footfall }: Dashboard, path: string, body: object) {
  const { status, json, text } = await footfall.call('POST', path, { body })
  if (status !== 200) throw new Error(`${path}: ${text}`)
  return json.data
}

/** How far the service's clock is behind; for visits of the last minutes. */
let behindMs = 0

/** Seventeen people within the last five minutes, for the live view. */
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

async function addAutomations(ending: Ending, dashboard: Dashboard, id: string): Promise<string> {
  const certificate = await certificateFor(['127.0.0.1'])
  const endpoint = await openEndpoint(ending, certificate, (response) => response.end('{"received":true}'))
  const delivering = openDelivering(dashboard.footfall.context, { ca: certificate.cert })
  await delivering.start()
  ending.after(() => delivering.close())
  const at = `/manage/properties/${id}`
  await send(dashboard, `${at}/conversions`, {
    name: 'Read about delivery',
    event_type: 'page_view',
    event_value: '/delivery',
  })
  const actions = [{ type: 'webhook', url: `https://127.0.0.1:${endpoint.port}/leads` }]
  const orders = { name: 'Orders to the shop', trigger: { event_type: 'acquisition', event_value: null }, actions }
  await send(dashboard, `${at}/automations`, orders)
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
  const viewer = await addPerson(footfall, {
    email: 'vera@lumen.example',
    roles: { [id]: 'viewer' },
  })
  const admin = await addPerson(footfall, { email: 'adam@lumen.example', roles: { [id]: 'admin' } })
  await viewer.call('POST', '/manage/account', { body: { name: 'Vera Vance' } })
  await admin.call('POST', '/manage/account', { body: { name: 'Adam Ames' } })
  await send(dashboard, `/manage/properties/${id}/members`, { email: 'ines@lumen.example', role: 'viewer' })
  await send(dashboard, `/manage/properties/${id}/shares`, { name: 'The board', password: 'lamps for everybody' })
  await send(dashboard, `/manage/properties/${id}/tokens`, { name: 'Shop', scopes: ['signals:read', 'contacts:write'] })
  await send(dashboard, `/manage/properties/${id}/exports`, { kind: 'sessions' })
  const ts = Math.floor(Date.now() / 1000) - 9 * 86_400
  await send(dashboard, `/manage/properties/${id}/annotations`, { ts, text: 'The spring offers began' })
  return viewer
}

/** A property with a year of visits, and everything that visits do not bring by themselves. */
export async function openWorld(ending: Ending) {
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
  const automation = await addAutomations(ending, dashboard, property.id)
  const viewer = await addTeam(dashboard, property.id)
  await visitNow(dashboard, property.key)
  return { dashboard, property, automation, viewer }
}

export type World = Awaited<ReturnType<typeof openWorld>>
