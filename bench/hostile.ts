// What callers of one property cost another: its overview on an idle service, and while ten share links and
// ten tokens of another property continuously make the most expensive queries that they may, and hang up on
// some of them.
import { settingsFor } from './homes.ts'
import { DEMO_NAME } from '../server/demo/demo.ts'
import { askScript, type Environment, startFootfall } from './processes.ts'
import { type Row, share } from './table.ts'

const RUNS = 12
const WARM_UP = 3
const SHARES = 10
const TOKENS = 10
/** Concurrent queries of each of them. */
const AT_ONCE = 2
/** By then all of them are running. */
const ONSET_MS = 3_000
const ADMIN_TOKEN = 'an-administrator-token-for-the-bench'
const admin = { authorization: `Bearer ${ADMIN_TOKEN}` }

interface Call {
  readonly path: string
  readonly body: object
  readonly headers: Readonly<Record<string, string>>
}

type Send = (call: Call, signal?: AbortSignal) => Promise<{ readonly status: number; readonly text: string }>

function sendTo(url: string): Send {
  return async ({ path, body, headers }, signal) => {
    const answer = await fetch(url + path, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      ...(signal && { signal }),
    })
    return { status: answer.status, text: await answer.text() }
  }
}

async function create<Data>(send: Send, path: string, body: object): Promise<Data> {
  const { status, text } = await send({ path, body, headers: admin })
  if (status !== 200) throw new Error(`${path} answered ${status}: ${text.slice(0, 300)}`)
  return (JSON.parse(text) as { data: Data }).data
}

let asked = 0
/** Found nowhere, and requested for the first time. */
const needle = (characters: number): string => `no such page ${++asked} `.padEnd(characters, 'x')

const needles = (count: number, characters: number) => Array.from({ length: count }, () => needle(characters))

/** The largest filter of a share link: five clauses, twenty values, 4 kB. */
const sharedAsk = () => ({
  period: 'last_12_months',
  clauses: Array.from({ length: 5 }, () => ({ id: 'city', op: 'equals', value: needles(4, 200) })),
})

/** The largest filter of anybody: ten clauses about page views, 16 kB. */
const tokenAsk = () => ({
  period: 'last_12_months',
  clauses: Array.from({ length: 10 }, () => ({ id: 'page_path', op: 'not_contains', value: needles(8, 200) })),
})

type NextCall = () => Call

async function sharesOf(send: Send, propertyId: string): Promise<NextCall[]> {
  const path = `/manage/properties/${propertyId}`
  return Promise.all(
    Array.from({ length: SHARES }, async (_, n) => {
      const { url } = await create<{ url: string }>(send, `${path}/shares`, { name: `Everybody ${n}` })
      const { access_token } = await create<{ access_token: string }>(send, '/manage/share', {
        token: url.split('/').at(-1),
      })
      const headers = { authorization: `Bearer ${access_token}` }
      let calls = 0
      return () => ({
        path: `${path}/overview`,
        body: sharedAsk(),
        headers: { ...headers, 'x-forwarded-for': `198.51.${n}.${calls++ % 250}` },
      })
    }),
  )
}

async function tokensOf(send: Send, propertyId: string): Promise<NextCall[]> {
  return Promise.all(
    Array.from({ length: TOKENS }, async (_, n) => {
      const { access_token } = await create<{ access_token: string }>(send, `/manage/properties/${propertyId}/tokens`, {
        name: `Token ${n}`,
        scopes: ['signals:read'],
      })
      const headers = { authorization: `Bearer ${access_token}` }
      return () => ({ path: '/v2/property/signals/analytics/metrics', body: tokenAsk(), headers })
    }),
  )
}

/** Every third hangs up at once: its query must not continue. */
async function askWithoutEnd(send: Send, next: NextCall, over: AbortSignal, statuses: Map<number, number>) {
  for (let n = 0; !over.aborted; n++) {
    const signal = n % 3 === 2 ? AbortSignal.any([over, AbortSignal.timeout(50)]) : over
    try {
      const { status } = await send(next(), signal)
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
    } catch {
      // The caller hung up.
    }
  }
}

async function overviewTimes(send: Send, propertyId: string): Promise<number[]> {
  const times: number[] = []
  for (let run = -WARM_UP; run < RUNS; run++) {
    const clauses = [{ id: 'city', op: 'not_equals', value: needle(40) }]
    const startMs = performance.now()
    const path = `/manage/properties/${propertyId}/overview`
    const { status, text } = await send({ path, body: { period: 'last_28', clauses }, headers: admin })
    if (status !== 200) throw new Error(`the overview answered ${status}: ${text.slice(0, 300)}`)
    if (run >= 0) times.push(performance.now() - startMs)
  }
  return times.toSorted((a, b) => a - b)
}

async function findProperty(url: string, name: string): Promise<string> {
  const answer = await fetch(`${url}/manage/properties`, { headers: admin })
  const { data } = (await answer.json()) as { data: { data: { id: string; name: string }[] } }
  const found = data.data.find((property) => property.name === name)
  if (!found) throw new Error(`there is no property ${name}`)
  return found.id
}

/** The demo fills the property with its name: the next one is another property. */
async function renameDemo(env: Environment): Promise<string> {
  const server = await startFootfall(env)
  try {
    const id = await findProperty(server.url, DEMO_NAME)
    await create(sendTo(server.url), `/manage/properties/${id}`, { name: 'Noisy' })
    return id
  } finally {
    await server.stop()
  }
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

export interface Disturbed {
  readonly sessions: number
  readonly rows: Row[]
  /** The answers to the hostile callers, by status. */
  readonly statuses: Readonly<Record<string, number>>
}

/** @param dataDir an empty folder. @param sessions of each of the two properties. */
export async function measureHostile(dataDir: string, sessions: number, days: number): Promise<Disturbed> {
  const env = { ...settingsFor(dataDir), ADMIN_TOKEN }
  const args = ['demo', '--json', '--sessions', `${sessions}`, '--days', `${days}`]
  const demo = (seed: string) => askScript<{ sessions: number }>('cli/footfall.ts', [...args, '--seed', seed], env)
  await demo('1')
  const noisy = await renameDemo(env)
  const filled = await demo('2')
  const server = await startFootfall(env)
  const over = new AbortController()
  const statuses = new Map<number, number>()
  try {
    const send = sendTo(server.url)
    const quiet = await findProperty(server.url, DEMO_NAME)
    const alone = await overviewTimes(send, quiet)
    const strangers = [...(await sharesOf(send, noisy)), ...(await tokensOf(send, noisy))].flatMap((next) =>
      Array.from({ length: AT_ONCE }, () => next),
    )
    const asking = strangers.map((next) => askWithoutEnd(send, next, over.signal, statuses))
    await pause(ONSET_MS)
    const disturbed = await overviewTimes(send, quiet)
    over.abort()
    await Promise.all(asking)
    const after = await overviewTimes(send, quiet)
    const usualMs = share(alone, 0.5)
    const rowOf = (name: string, times: readonly number[]): Row => ({
      name,
      p50Ms: share(times, 0.5),
      p95Ms: share(times, 0.95),
      ratio: share(times, 0.5) / usualMs,
    })
    return {
      sessions: filled.sessions,
      statuses: Object.fromEntries(statuses),
      rows: [
        rowOf('an overview, nobody else', alone),
        rowOf(`beside ${SHARES} share links and ${TOKENS} tokens`, disturbed),
        rowOf('once they have hung up', after),
      ],
    }
  } finally {
    over.abort()
    await server.stop()
  }
}
