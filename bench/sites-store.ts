// The list of all sites over a store of many properties in several time zones, each day but today settled.
// Started by bench.ts; prints one line of JSON.
import { mkdirSync } from 'node:fs'
import { readConfig } from '../server/config.ts'
import { openContext } from '../server/context.ts'
import { DAY_MS, dayOf, dayText } from '../server/kernel/days.ts'
import { createProperty } from '../server/properties/properties.ts'
import { answerSites } from '../server/sites/sites.ts'
import { sitePeriods } from '../server/sites/schema.ts'
import { settleFacts } from '../server/stores/facts/retention.ts'

const PROPERTIES = 100
const SESSIONS = 1_000_000
const DAYS = 180
const RUNS = 15
const PART = 20_000
const zones = ['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kolkata']

const config = readConfig()
mkdirSync(config.dataDir, { recursive: true })
const context = await openContext({ ...config, logLevel: 'silent' })
const ids: string[] = []
for (let n = 0; n < PROPERTIES; n++) {
  const timezone = zones[n % zones.length]!
  const draft = { name: `Site ${n}`, domains: [], default_period: null, timezone }
  ids.push((await createProperty(context, { ...draft, plan: 'paid' })).id)
}

const nowMs = Date.now()

function viewOf(n: number) {
  const at = nowMs - Math.floor(((SESSIONS - n) / SESSIONS) * DAYS * DAY_MS)
  return { property: ids[n % PROPERTIES]!, day: dayText(dayOf(at)), session: String(n + 1), view: 1, at, seen: at }
}

for (let n = 0; n < SESSIONS; n += PART)
  await context.facts.appendAll(
    'views',
    Array.from({ length: PART }, (_, i) => viewOf(n + i)),
  )
await settleFacts(context.facts)
await context.facts.settle(nowMs, false)

async function measure(period: (typeof sitePeriods)[number]): Promise<number> {
  const times: number[] = []
  for (let run = 0; run <= RUNS; run++) {
    const startMs = performance.now()
    const { sites } = await answerSites(context, undefined, period)
    if (sites.length !== PROPERTIES) throw new Error(`${sites.length} sites instead of ${PROPERTIES}`)
    if (run > 0) times.push(performance.now() - startMs) // the first one warms up
  }
  return times.toSorted((a, b) => a - b)[RUNS >> 1]!
}

const measured: Record<string, number> = {}
for (const period of sitePeriods) measured[period] = await measure(period)
process.stdout.write(`${JSON.stringify(measured)}\n`)
await context.close()
