// What marks of invalid sessions cost the queries of a property: the same queries on one store with and
// without them, alternating, by CPU time. Started by bench.ts; prints one line of JSON.
import { mkdirSync } from 'node:fs'
import { pino } from 'pino'
import { readParts, type Scope } from '../server/analytics/facts.ts'
import { readTopLists } from '../server/analytics/tops-facts.ts'
import { readLive } from '../server/analytics/live-facts.ts'
import { figureNames } from '../server/analytics/metrics.ts'
import { factsSettings, readConfig } from '../server/config.ts'
import { dayOf, DAY_MS, dayText, mondayOf } from '../server/kernel/days.ts'
import { countClicks } from '../server/clicks/facts.ts'
import { type Facts, openFacts } from '../server/stores/facts.ts'
import { settleFacts } from '../server/stores/facts/retention.ts'
import { migrateFacts } from '../server/stores/migrations/facts.ts'

const SESSIONS = 100_000
const CLICKS = 200_000
const RUNS = 15
const WARM_UP = 3
const PART = 5_000
const PROPERTY = 'pr_bench'

const config = readConfig()
mkdirSync(config.dataDir, { recursive: true })
const facts = await openFacts({ ...factsSettings(config), log: pino({ level: 'silent' }) })
await migrateFacts(facts)

/** Last week: folded, since nothing settles it here. */
const firstMs = (mondayOf(dayOf(Date.now())) - 7) * DAY_MS
const atOf = (n: number, of: number): number => firstMs + Math.floor((n / of) * 7 * DAY_MS)

function viewOf(n: number) {
  const at = atOf(n >> 1, SESSIONS)
  const day = dayText(dayOf(at))
  return { property: PROPERTY, day, session: String((n >> 1) + 1), view: n & 1, at, seen: at, path: `/${n % 50}` }
}

function clickOf(n: number) {
  const at = atOf(n, CLICKS)
  const day = dayText(dayOf(at))
  const click = { link: `li_${n % 20}`, link_group: 'lg_1', session_day: day, session: String(n + 1) }
  return { property: PROPERTY, day, at, id: String(n + 1), ...click }
}

async function fill(): Promise<void> {
  for (let n = 0; n < 2 * SESSIONS; n += PART)
    await facts.appendAll(
      'views',
      Array.from({ length: PART }, (_, i) => viewOf(n + i)),
    )
  for (let n = 0; n < CLICKS; n += PART)
    await facts.appendAll(
      'clicks',
      Array.from({ length: PART }, (_, i) => clickOf(n + i)),
    )
  await settleFacts(facts)
}

const scope: Scope = { propertyId: PROPERTY, span: { fromMs: firstMs, toMs: firstMs + 7 * DAY_MS }, clauses: [] }
const links = Array.from({ length: 20 }, (_, n) => `li_${n}`)
const bucket = { ...scope.span, fullToMs: scope.span.toMs, label: '' }

const questions: Readonly<Record<string, (facts: Facts) => Promise<unknown>>> = {
  'summary of a folded week': (of) =>
    readParts(of, scope, { name: 'bench.parts', edges: [firstMs], figures: figureNames }),
  'top lists of a folded week': (of) => readTopLists(of, scope),
  'page views of a live window': (of) => readLive(of, scope, [bucket], ['sessions', 'views']),
  'clicks of twenty links': (of) => countClicks(of, PROPERTY, { by: 'link', ids: links, groups: ['lg_1'] }),
}

/** In milliseconds of all threads, including the engine's. */
async function cpuOf(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

/** As the store answers it, twice to know the noise, and as if the property had marks. */
const ways: Readonly<Record<'without' | 'again' | 'marked', Facts>> = {
  without: facts,
  again: facts,
  marked: { ...facts, hasMarks: async () => true },
}

async function measure(ask: (facts: Facts) => Promise<unknown>): Promise<Record<keyof typeof ways, number>> {
  const times = { without: [] as number[], again: [] as number[], marked: [] as number[] }
  for (let run = -WARM_UP; run < RUNS; run++)
    for (const way of ['without', 'marked', 'again'] as const) {
      const cpuMs = await cpuOf(() => ask(ways[way]))
      if (run >= 0) times[way].push(cpuMs)
    }
  const middle = (of: readonly number[]): number => of.toSorted((a, b) => a - b)[RUNS >> 1]!
  return { without: middle(times.without), again: middle(times.again), marked: middle(times.marked) }
}

await fill()
const measured: Record<string, Record<keyof typeof ways, number>> = {}
for (const [name, ask] of Object.entries(questions)) measured[name] = await measure(ask)
process.stdout.write(`${JSON.stringify(measured)}\n`)
await facts.close()
