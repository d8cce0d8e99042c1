// The pages of the dashboard that screenshots are taken of: URL, viewer and format.
import type { Page } from 'playwright-core'
import type { Person } from '../test/support/accounts.ts'
import type { Dashboard } from '../test/support/dashboard.ts'
import type { World } from './screens-world.ts'

/** phone: 360 pixels wide; 4k: 3840 × 2160. */
export type Look = 'light' | 'dark' | 'phone' | '4k'
const usualLooks: readonly Look[] = ['light', 'dark', 'phone']

export interface Shot {
  readonly name: string
  /** Under the dashboard. */
  readonly path: string
  /** Nobody: whoever is not signed in. */
  readonly as: Person | undefined
  readonly looks: readonly Look[]
  /** Of a window of 1280 pixels, where a page has more to show than fits. */
  readonly height?: number
  readonly act?: (page: Page) => Promise<unknown>
}

/** What the first page of a list holds. */
async function firstOf({ footfall }: Dashboard, path: string): Promise<string> {
  const { status, json, text } = await footfall.call('GET', path)
  if (status !== 200) throw new Error(`${path}: ${text}`)
  const [row] = json.data.data
  return String(row?.id)
}

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

export async function shotsOf(world: World): Promise<readonly Shot[]> {
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
  const goal = await goalWithCosts(world)
  const few: readonly Look[] = ['light', 'phone']
  const one: readonly Look[] = ['light']
  const shots: readonly (Omit<Shot, 'as' | 'looks'> & Partial<Shot>)[] = [
    { name: 'overview', path: at, height: 1278, looks: [...usualLooks, '4k'] },
    { name: 'overview-filtered', path: `${at}?f=source:equals:Google&more=entry_path_full`, looks: one },
    { name: 'search', path: `${at}/links`, act: searching },
    { name: 'live', path: `${at}/live` },
    { name: 'sessions', path: `${at}/sessions` },
    { name: 'session', path: `${at}/sessions/${session}` },
    { name: 'contacts', path: `${at}/contacts` },
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
    { name: 'goals', path: `${at}/goals`, looks: one },
    { name: 'overview-costs', path: `${at}?goal=${goal}&sources=utm_campaign&by=cost`, height: 1278, looks: few },
    { name: 'costs', path: `${at}/settings/costs`, looks: few },
    { name: 'content', path: `${at}/content` },
    { name: 'content-results', path: `${at}/content/${block}/results` },
    { name: 'bots', path: `${at}/bots` },
    { name: 'settings', path: `${at}/settings` },
    { name: 'settings-team', path: `${at}/settings/team`, looks: few },
    { name: 'settings-data', path: `${at}/settings/data`, looks: one },
    { name: 'account', path: '/account', looks: few },
    { name: 'users', path: '/users', looks: one },
    { name: 'sign-in', path: '/sign-in', as: undefined },
    { name: 'first-property', path: '/new', looks: few },
    { name: 'first-visit', path: `/properties/${footfall.property.id}/start`, looks: few },
    { name: 'empty', path: `/properties/${footfall.property.id}`, looks: few },
    { name: 'empty-links', path: `/properties/${footfall.property.id}/links`, looks: one },
    { name: 'error', path: `${at}/contacts?q=away`, looks: one, act: failing },
    { name: 'no-permission', path: `${at}/settings/keys`, as: viewer, looks: one },
  ]
  return shots.map((shot) => ({ as: owner, looks: usualLooks, ...shot }))
}

/** The search over everything. */
async function searching(page: Page): Promise<void> {
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Search' }).fill('e')
  await page.getByRole('status').getByText('result').waitFor()
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

/** The goal that costs are shown of. */
async function goalWithCosts(world: World): Promise<string> {
  await recordCosts(world)
  return firstOf(world.dashboard, `/manage/properties/${world.property.id}/conversions`)
}

/** What the campaigns of the last weeks cost, as an account of each would say it. */
async function recordCosts({ dashboard: { footfall }, property }: World): Promise<void> {
  const at = `/manage/properties/${property.id}`
  const body = { period: 'last_30', metrics: ['views'], per_page: 4 }
  const { json } = await footfall.call('POST', `${at}/lists/utm_campaign`, { body })
  const campaigns = (json.data.rows as { id: string; value: number }[]).map(({ id, value }) => ({ id, value }))
  const rows = Array.from({ length: 30 }, (_, ago) => {
    const day = new Date(footfall.clock.now() - ago * 86_400_000).toISOString().slice(0, 10)
    return campaigns.map(({ id, value }, index) => ({
      day,
      source: 'google',
      medium: 'cpc',
      campaign: id,
      amount: 400 + Math.round(value * (3 + index)) + ((ago * 37) % 5) * 60,
      currency: 'EUR',
    }))
  }).flat()
  if (rows.length > 0) await footfall.call('POST', `${at}/costs`, { body: { rows } })
}
