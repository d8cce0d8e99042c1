// The overview of the dashboard over HTTP, over demo traffic of a given size: for a first request, for a
// repeated one, and after each new page view. Beside the time that the store needs for one bare count of the
// same sessions.
import { settingsFor } from './homes.ts'
import { askScript, startService } from './processes.ts'
import { type Row, share } from './table.ts'

const RUNS = 15
const DAY_MS = 86_400_000
const ADMIN_TOKEN = 'an-administrator-token-for-the-bench'
const AGENT =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36'

const questions = [
  { name: '28 days', body: { period: 'last_28' } },
  { name: 'all', body: { period: 'last_12_months' } },
  {
    name: 'all, by week, beside the year before',
    body: { period: 'last_12_months', interval: 'week', compare: 'year' },
  },
  {
    name: 'all, one country',
    body: { period: 'last_12_months', clauses: [{ id: 'country_code', op: 'equals', value: 'DE' }] },
  },
] as const

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

/** Milliseconds of one answer, and whether it came from the cache. */
async function ask({ url, id }: Site, body: object): Promise<{ ms: number; isKept: boolean }> {
  const startMs = performance.now()
  const answer = await fetch(`${url}/manage/properties/${id}/overview`, {
    method: 'POST',
    headers: adminHeaders,
    body: JSON.stringify(body),
  })
  const text = await answer.text()
  const ms = performance.now() - startMs
  if (answer.status !== 200) throw new Error(`the overview answered ${answer.status}: ${text.slice(0, 300)}`)
  const { data } = JSON.parse(text) as { data: { meta: { is_cached: boolean } } }
  return { ms, isKept: data.meta.is_cached }
}

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

async function times(
  site: Site,
  body: object,
  before: (run: number) => Promise<void>,
  isKept: boolean,
): Promise<number[]> {
  const taken: number[] = []
  for (let run = 0; run < RUNS; run++) {
    await before(run)
    const answer = await ask(site, body)
    if (answer.isKept !== isKept) throw new Error(`an answer was ${isKept ? 'not ' : ''}kept`)
    taken.push(answer.ms)
  }
  return taken.toSorted((a, b) => a - b)
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
  const server = await startService('server/main.ts', env)
  try {
    const site = await findSite(server.url)
    for (const { name, body } of questions) {
      const first = await ask(site, body)
      rows.push({ name: `${name}: first`, p50Ms: first.ms, ratio: first.ms / countMs })
      const said = (what: string, taken: readonly number[]): Row => ({
        name: `${name}: ${what}`,
        p50Ms: share(taken, 0.5),
        p99Ms: taken.at(-1)!,
        ratio: share(taken, 0.5) / countMs,
      })
      rows.push(said('again', await times(site, body, async () => undefined, true)))
      rows.push(said('after a new view', await times(site, body, (run) => view(site, run), false)))
    }
    rows.push({ name: 'memory while asked, MB', memoryMb: server.memory().most })
  } finally {
    await server.stop()
  }
  return { sessions: demo.sessions, rows }
}
