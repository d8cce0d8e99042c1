// The overview of the dashboard over HTTP, over demo traffic of a given size: cold, which means by a server
// that has answered others of each kind, and nothing that is of use to this one; early, which means by one
// that has just started and answered one question that finds nothing; warm, which means again; after each new
// page view; and of ten dashboards at once with a country each. Beside the time that the store needs for one
// bare count of the same sessions.
import { settingsFor } from './homes.ts'
import { askScript, type Environment, type Service, startFootfall } from './processes.ts'
import { type Row, share } from './table.ts'

const RUNS = 15
/** Each begins with a server of its own. */
const COLD_RUNS = 3
const DASHBOARDS = 10
const DAY_MS = 86_400_000
const ADMIN_TOKEN = 'an-administrator-token-for-the-bench'
const AGENT =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36'

type Body = Readonly<Record<string, unknown>>

interface Asking {
  readonly name: string
  readonly body: Body
}

const equals = (id: string, value: string) => [{ id, op: 'equals', value }]
const LAST_28 = { period: 'last_28' } as const
const ALL = { period: 'last_12_months' } as const

interface Goals {
  readonly orders: string
  readonly pages: string
}

/** @param page that many have seen. */
const questionsAbout = (country: string, page: string, goals: Goals): Asking[] => [
  { name: '28 days', body: LAST_28 },
  { name: '28 days, with orders as the goal', body: { ...LAST_28, goal: goals.orders } },
  { name: '28 days, with a page as the goal', body: { ...LAST_28, goal: goals.pages } },
  { name: '28 days, one country', body: { ...LAST_28, clauses: equals('country_code', country) } },
  { name: '28 days, one page', body: { ...LAST_28, clauses: equals('page_path', page) } },
  { name: 'all', body: ALL },
  { name: 'all, by week, beside the year before', body: { ...ALL, interval: 'week', compare: 'year' } },
  { name: 'all, one country', body: { ...ALL, clauses: equals('country_code', country) } },
]

interface Site {
  readonly url: string
  readonly id: string
  readonly key: string
}

const adminHeaders = { authorization: `Bearer ${ADMIN_TOKEN}`, 'content-type': 'application/json' }

async function findSite(url: string): Promise<Site> {
  const answer = await fetch(`${url}/manage/properties`, { headers: adminHeaders })
  const { data } = (await answer.json()) as { data: { data: { id: string; key: string }[] } }
  const [property] = data.data
  if (!property) throw new Error('the demo made no property')
  return { url, id: property.id, key: property.key }
}

interface Overview {
  readonly meta: { readonly is_cached: boolean }
  readonly countries: Readonly<Record<string, number>>
  readonly lists: { readonly entry_path_full: { readonly rows: readonly { readonly id: string }[] } }
}

/** One answer, and how long it took. */
async function ask({ url, id }: Site, body: Body): Promise<{ ms: number; overview: Overview }> {
  const startMs = performance.now()
  const answer = await fetch(`${url}/manage/properties/${id}/overview`, {
    method: 'POST',
    headers: adminHeaders,
    body: JSON.stringify(body),
  })
  const text = await answer.text()
  const ms = performance.now() - startMs
  if (answer.status !== 200) throw new Error(`the overview answered ${answer.status}: ${text.slice(0, 300)}`)
  return { ms, overview: (JSON.parse(text) as { data: Overview }).data }
}

async function addGoal({ url, id }: Site, body: Body): Promise<string> {
  const answer = await fetch(`${url}/manage/properties/${id}/conversions`, {
    method: 'POST',
    headers: adminHeaders,
    body: JSON.stringify(body),
  })
  return ((await answer.json()) as { data: { conversion: { id: string } } }).data.conversion.id
}

const addGoals = async (site: Site, page: string): Promise<Goals> => ({
  orders: await addGoal(site, { name: 'Order', event_type: 'acquisition' }),
  pages: await addGoal(site, { name: 'Page', event_type: 'page_view', event_value: page }),
})

async function view({ url, key }: Site, number: number): Promise<void> {
  const answer = await fetch(`${url}/v2/signal/load`, {
    headers: {
      'x-svc-id': key,
      'x-svc-lib': 'signals/1.1.0',
      'x-svc-page': 'https://example.com/',
      'x-forwarded-for': `198.51.100.${number % 250}`,
      'user-agent': AGENT,
    },
  })
  if (!((await answer.json()) as { success: boolean }).success) throw new Error('a page view was not taken')
}

const inOrder = (times: readonly number[]): number[] => times.toSorted((a, b) => a - b)

async function times(
  site: Site,
  body: Body,
  before: (run: number) => Promise<void>,
  isKept: boolean,
): Promise<number[]> {
  const taken: number[] = []
  for (let run = 0; run < RUNS; run++) {
    await before(run)
    const { ms, overview } = await ask(site, body)
    if (overview.meta.is_cached !== isKept) throw new Error(`an answer was ${isKept ? 'not ' : ''}kept`)
    taken.push(ms)
  }
  return inOrder(taken)
}

async function onService<Result>(env: Environment, work: (server: Service, site: Site) => Promise<Result>) {
  const server = await startFootfall(env)
  try {
    return await work(server, await findSite(server.url))
  } finally {
    await server.stop()
  }
}

/** A question that finds nothing, and shares nothing with others: what begins with a server has begun. */
const ofNobody: readonly Body[] = [{ ...LAST_28, clauses: equals('city', 'a city that nobody comes from') }]

/** YYYY-MM-DD, of today in UTC or so many days before. */
const dayBefore = (days: number): string => new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10)

/**
 * Questions of every kind that is measured: what a process does only once is done. None of them is about all
 * visitors of today, about the days of another one, or has its filter, so nothing of them is of use to it.
 */
const othersThan = ({ orders, pages }: Goals): readonly Body[] => {
  const ofPast = { period: 'custom', date_from: dayBefore(25), date_to: dayBefore(2) }
  const ofSome = [
    { ...LAST_28, clauses: equals('device', 'mobile') },
    { ...LAST_28, clauses: [{ id: 'page_path', op: 'contains', value: 'checkout' }] },
  ]
  return [ofPast, ...ofSome].flatMap((body) => [body, { ...body, goal: orders }, { ...body, goal: pages }])
}

/** Less than this in a moment is what an idle server takes. */
const IDLE_CPU_MS = 20
const MOMENT_MS = 250
const MOST_MOMENTS = 40

/** What a server does after its start takes the processor from the first answers. */
async function untilIdle(server: Service): Promise<void> {
  for (let moment = 0; moment < MOST_MOMENTS; moment++) {
    const before = server.cpuMs()
    await new Promise((resolve) => setTimeout(resolve, MOMENT_MS))
    if (server.cpuMs() - before <= IDLE_CPU_MS) return
  }
}

/** By a server that was asked nothing but the others; with the processor time of an answer. */
async function after(
  others: readonly Body[],
  env: Environment,
  bodies: readonly Body[],
): Promise<{ ms: number[]; cpuMs: number }> {
  const taken: number[] = []
  const used: number[] = []
  for (let run = 0; run < COLD_RUNS; run++) {
    await onService(env, async (server, site) => {
      for (const other of others) await ask(site, other)
      await untilIdle(server)
      const [startMs, startCpuMs] = [performance.now(), server.cpuMs()]
      await Promise.all(bodies.map((body) => ask(site, body)))
      taken.push(performance.now() - startMs)
      used.push(server.cpuMs() - startCpuMs)
    })
  }
  return { ms: inOrder(taken), cpuMs: share(inOrder(used), 0.5) }
}

export interface Overviewed {
  readonly sessions: number
  readonly rows: Row[]
}

/** @param dataDir an empty folder. @param days over which the sessions are spread. */
export async function measureOverview(dataDir: string, sessions: number, days: number): Promise<Overviewed> {
  const env = { ...settingsFor(dataDir), ADMIN_TOKEN }
  const args = ['demo', '--json', '--sessions', `${sessions}`, '--days', `${days}`]
  const demo = await askScript<{ sessions: number }>('cli/footfall.ts', args, env)
  const from = new Date(Date.now() - (days + 1) * DAY_MS).toISOString().slice(0, 10)
  const store = await askScript<{ counts: Record<string, { ms: number }> }>('bench/store.ts', [from], env)
  const countMs = store.counts[from]!.ms
  const rows: Row[] = [{ name: 'bare count() in the store', p50Ms: countMs, ratio: 1 }]
  const said = (name: string, taken: readonly number[], cpuMs?: number): Row => ({
    name,
    p50Ms: share(taken, 0.5),
    p99Ms: taken.at(-1)!,
    ratio: share(taken, 0.5) / countMs,
    ...(cpuMs !== undefined && { cpuMs }),
  })
  const { countries, page, goals } = await onService(env, async (_server, site) => {
    const { overview } = await ask(site, ALL)
    const seen = overview.lists.entry_path_full.rows[0]?.id ?? '/'
    return { countries: overview.countries, page: seen, goals: await addGoals(site, seen) }
  })
  const codes = Object.keys(countries).slice(0, DASHBOARDS)
  const asked = questionsAbout(codes[0] ?? 'DE', page, goals)
  const others = othersThan(goals)
  for (const { name, body } of asked) {
    const cold = await after(others, env, [body])
    rows.push(said(`${name}: cold`, cold.ms, cold.cpuMs))
    const early = await after(ofNobody, env, [body])
    rows.push(said(`${name}: early`, early.ms, early.cpuMs))
  }
  const ofCountries = codes.map((code) => ({ ...LAST_28, clauses: equals('country_code', code) }))
  const together = await after(others, env, ofCountries)
  rows.push(said(`${codes.length} dashboards, a country each: cold, the last one`, together.ms, together.cpuMs))
  await onService(env, async (server, site) => {
    for (const { name, body } of asked) {
      await ask(site, body)
      rows.push(said(`${name}: warm`, await times(site, body, async () => undefined, true)))
      rows.push(said(`${name}: after a new view`, await times(site, body, (run) => view(site, run), false)))
    }
    rows.push({ name: 'memory while asked, MB', memoryMb: server.memory().most })
  })
  return { sessions: demo.sessions, rows }
}
