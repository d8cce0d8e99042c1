// Many contacts over HTTP, on SQLite and on PostgreSQL: the list and its searches, one contact,
// identification; and how long other callers wait while the widest search runs. Each beside a bare route of
// the same run.
import { personOf, PROPERTY_KEY, SHARED_DOMAIN, TOKENS, type Person } from './contacts-rows.ts'
import { type Home, onBothHomes } from './homes.ts'
import { askScript, type Environment, startFootfall, startService } from './processes.ts'
import { type Row, share } from './table.ts'

const RUNS = 40
const WARM_UP = 3
/** A slow query is made less often, but often enough for a meaningful 95th percentile. */
const QUESTION_MS = 8_000
const MIN_RUNS = 10
/** How long other calls are measured while a search runs repeatedly. */
const WATCH_MS = 4_000
const WATCH_EVERY_MS = 10
const PER_PAGE = 25

interface Call {
  readonly method: 'GET' | 'POST' | 'DELETE'
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: object
}

interface Question {
  readonly name: string
  /** @param run counts up from 0, so that no two calls need to be the same. */
  readonly call: (run: number) => Call | Promise<Call>
}

const CONTACTS = '/v2/property/contacts'
const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36'

let calls = 0

async function send(url: string, { method, path, headers, body }: Call): Promise<string> {
  const response = await fetch(url + path, {
    method,
    headers: {
      authorization: `Bearer ${TOKENS[calls++ % TOKENS.length]}`,
      ...(body && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  if (response.status !== 200) throw new Error(`${method} ${path} answered ${response.status}: ${text.slice(0, 300)}`)
  return text
}

const list = (query: Readonly<Record<string, string>>): Call => ({
  method: 'GET',
  path: `${CONTACTS}?${new URLSearchParams(query).toString()}`,
})

const loadOf = (visitor: number): Call => ({
  method: 'GET',
  path: '/v2/signal/load',
  headers: {
    'x-svc-id': PROPERTY_KEY,
    'x-svc-lib': 'signals/1.2.0',
    'x-svc-page': encodeURIComponent('https://bench.example/account'),
    'x-forwarded-for': `81.${128 + (visitor % 16)}.${(visitor >> 8) & 255}.${visitor & 255}`,
    'user-agent': CHROME,
    'accept-language': 'en-GB,en;q=0.9',
  },
})

const identify = (body: object): Call => ({ method: 'POST', path: `${CONTACTS}/identify`, body })

const traitsOf = ({ first_name, last_name, company }: Person) => ({ traits: { first_name, last_name, company } })

const COMMON_TERM = '.example'

/** What is read. Terms come from contacts of the middle, pages from three quarters of the way. */
function readings(count: number): readonly Question[] {
  const middle = personOf(count >> 1)
  const page = Math.floor((count / PER_PAGE) * 0.75)
  const any = (run: number): Person => personOf((run * 7_919 + 13) % count)
  const search = (term: (run: number) => string) => (run: number) => list({ search: term(run) })
  return [
    { name: 'list, page 1', call: () => list({}) },
    { name: `list, page ${page.toLocaleString('en')}`, call: () => list({ page: `${page}` }) },
    { name: 'search: one address', call: search((run) => any(run).email) },
    { name: 'search: nobody', call: search((run) => `zqxj${run}zqxj`) },
    { name: 'search: a first name', call: search((run) => any(run).first_name) },
    { name: 'search: two words', call: search((run) => `${any(run).first_name} ${any(run).last_name}`) },
    { name: 'search: a company', call: search((run) => any(run).company.split(' ')[0]!) },
    { name: 'search: a domain of 2%', call: () => list({ search: `@${SHARED_DOMAIN}` }) },
    { name: 'search: what all have', call: () => list({ search: COMMON_TERM }) },
    { name: 'search: what all have, deep', call: () => list({ search: COMMON_TERM, page: `${page}` }) },
    { name: 'search: two letters', call: () => list({ search: 'jo' }) },
    { name: 'search: two letters of nobody', call: () => list({ search: 'ßß' }) },
    { name: 'search: a name and two letters', call: () => list({ search: `${middle.first_name} +4` }) },
    { name: 'state: 2%', call: () => list({ state: 'unsubscribed' }) },
    { name: 'stage: 60%', call: () => list({ lifecycle_stage: 'lead' }) },
    { name: 'stage and a first name', call: () => list({ lifecycle_stage: 'customer', search: middle.first_name }) },
    { name: 'one contact', call: (run) => ({ method: 'GET', path: `${CONTACTS}/${any(run).id}` }) },
    { name: 'its sessions', call: (run) => ({ method: 'GET', path: `${CONTACTS}/${any(run).id}/sessions` }) },
  ]
}

function writings(url: string, count: number): readonly Question[] {
  const any = (run: number): Person => personOf((run * 104_729 + 17) % count)
  const change = (body: (run: number) => object) => (run: number) =>
    ({ method: 'POST', path: `${CONTACTS}/${any(run).id}`, body: body(run) }) as const
  const newcomer = (kind: string, run: number): Person => {
    const person = personOf(count + run)
    return { ...person, external_id: `${kind}-${person.external_id}`, email: `${kind}.${person.email}` }
  }
  const withSession = async (run: number): Promise<Call> => {
    const answer = JSON.parse(await send(url, loadOf(run))) as { session_id: string }
    const { external_id } = newcomer('visitor', run)
    return identify({ external_id, session_id: answer.session_id, ...traitsOf(personOf(run)) })
  }
  return [
    { name: 'update: a job title', call: change((run) => ({ job_title: `Keeper ${run}` })) },
    { name: 'update: a name (searched)', call: change((run) => ({ last_name: `Newname${run}` })) },
    { name: 'identify: known by external id', call: (run) => identify({ external_id: any(run + 900).external_id }) },
    { name: 'identify: known by email', call: (run) => identify({ email: any(run + 1_800).email }) },
    {
      name: 'identify: new, external id',
      call: (run) => identify({ external_id: newcomer('new', run).external_id, ...traitsOf(personOf(run)) }),
    },
    {
      name: 'identify: new, address',
      call: (run) => identify({ email: newcomer('mail', run).email, ...traitsOf(personOf(run)) }),
    },
    { name: 'identify: new, with its session', call: withSession },
    { name: 'delete', call: (run) => ({ method: 'DELETE', path: `${CONTACTS}/${any(run + 2_700).id}` }) },
  ]
}

async function timeOnce(url: string, call: Call): Promise<number> {
  const startMs = performance.now()
  await send(url, call)
  return performance.now() - startMs
}

function rowOf(name: string, times: readonly number[], bareMs: number): Row {
  const sorted = times.toSorted((a, b) => a - b)
  const p50Ms = share(sorted, 0.5)
  return { name, p50Ms, p95Ms: share(sorted, 0.95), p99Ms: sorted.at(-1)!, ratio: p50Ms / bareMs }
}

async function time(url: string, { call }: Question): Promise<number[]> {
  const times: number[] = []
  const endMs = performance.now() + QUESTION_MS
  for (let run = 0; run < RUNS + WARM_UP && (run < MIN_RUNS + WARM_UP || performance.now() < endMs); run++) {
    const ms = await timeOnce(url, await call(run))
    if (run >= WARM_UP) times.push(ms)
  }
  return times
}

/** How long a call takes while `beside`, when there is one, runs repeatedly. */
async function watch(url: string, call: (run: number) => Call, beside?: Call): Promise<number[]> {
  const endMs = performance.now() + WATCH_MS
  const keepAsking = async (): Promise<void> => {
    while (beside && performance.now() < endMs) await send(url, beside)
  }
  const times: number[] = []
  const keepWatching = async (): Promise<void> => {
    for (let run = 0; performance.now() < endMs; run++) {
      times.push(await timeOnce(url, call(run)))
      await new Promise((resolve) => setTimeout(resolve, WATCH_EVERY_MS))
    }
  }
  await Promise.all([keepAsking(), keepWatching()])
  return times
}

const health = (): Call => ({ method: 'GET', path: '/healthz' })

async function watchOthers(url: string, bareMs: number): Promise<Row[]> {
  const rows: Row[] = []
  const add = async (name: string, call: (run: number) => Call, beside?: Call): Promise<void> => {
    rows.push(rowOf(name, await watch(url, call, beside), bareMs))
  }
  await add('healthz, alone', health)
  await add('healthz, beside what all have', health, list({ search: COMMON_TERM }))
  await add('healthz, beside two letters of nobody', health, list({ search: 'ßß' }))
  await add('page view, alone', loadOf)
  await add('page view, beside what all have', loadOf, list({ search: COMMON_TERM }))
  await add('page view, beside two letters of nobody', loadOf, list({ search: 'ßß' }))
  return rows
}

async function askAll(url: string, bareUrl: string, count: number): Promise<Row[]> {
  const bareTimes = await time(bareUrl, { name: 'bare', call: () => ({ method: 'GET', path: '/v2/signal/load' }) })
  const bare = rowOf('bare Fastify route', bareTimes, 1)
  const bareMs = bare.p50Ms!
  const rows: Row[] = [{ ...bare, ratio: 1 }]
  for (const question of [...readings(count), ...writings(url, count)]) {
    rows.push(rowOf(question.name, await time(url, question), bareMs))
  }
  return [...rows, ...(await watchOthers(url, bareMs))]
}

export interface AskedContacts {
  readonly home: Home
  readonly contacts: number
  /** The size of the records, with the links and every index. */
  readonly bytesAContact: number
  readonly fillMs: number
  readonly rows: Row[]
}

async function measureHome(home: Home, env: Environment, count: number): Promise<AskedContacts> {
  // Both databases have the same contacts, and so the same sessions: these are written once.
  const what = home === 'SQLite' ? ['facts'] : []
  const filled = await askScript<{ bytes: number; recordsMs: number }>(
    'bench/contacts-fill.ts',
    [`${count}`, ...what],
    env,
  )
  const server = await startFootfall(env)
  const bare = await startService('bench/bare.ts', {})
  try {
    const rows = await askAll(server.url, bare.url, count)
    rows.push({ name: 'memory at most', memoryMb: server.memory().most })
    return { home, contacts: count, bytesAContact: filled.bytes / count, fillMs: filled.recordsMs, rows }
  } finally {
    await server.stop()
    await bare.stop()
  }
}

/** @param dataDir an empty folder. */
export const measureContacts = (dataDir: string, count: number): Promise<AskedContacts[]> =>
  onBothHomes(dataDir, (home, env) => measureHome(home, env, count))
