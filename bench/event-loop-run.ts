// How long the event loop waits for its next turn while the contacts of a property are searched, listed,
// exported and removed: `node bench/event-loop-run.ts`. Started by event-loop.ts when no server has the
// stores open; prints one line of JSON.
import { monitorEventLoopDelay, PerformanceObserver } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import { readConfig } from '../server/config.ts'
import { exportContacts } from '../server/contact-files/export.ts'
import type { ContactOrder } from '../server/contacts/contact-model.ts'
import { type ContactFilter, listContacts } from '../server/contacts/contacts.ts'
import { openContext } from '../server/context.ts'
import { personOf, PROPERTY_ID } from './contacts-rows.ts'
import type { Row } from './table.ts'

/** Of the timer that is watched: it is part of each delay. */
const RESOLUTION_MS = 1
const PER_PAGE = 100
const RUNS = 5
/** What was begun by one is over before the next one is watched. */
const REST_MS = 500

const context = await openContext({ ...readConfig(), logLevel: 'warn' })
const { total } = await listContacts(context, PROPERTY_ID, {}, { page: 1, perPage: 1 })
const middle = Math.floor(total / PER_PAGE / 2)

let longestPauseMs = 0
new PerformanceObserver((entries) => {
  for (const { duration } of entries.getEntries()) longestPauseMs = Math.max(longestPauseMs, duration)
}).observe({ entryTypes: ['gc'] })

/** Of the processor, between two ticks of a timer: what others take from the machine is not in it. */
let longestTurnMs = 0
let before = process.threadCpuUsage()
setInterval(() => {
  const { user, system } = process.threadCpuUsage(before)
  before = process.threadCpuUsage()
  longestTurnMs = Math.max(longestTurnMs, (user + system) / 1e3)
}, RESOLUTION_MS).unref()

const ms = (nanoseconds: number): number => Math.max(nanoseconds / 1e6 - RESOLUTION_MS, 0)

async function watched(name: string, work: () => Promise<unknown>): Promise<Row> {
  await pause(REST_MS)
  longestPauseMs = 0
  longestTurnMs = 0
  const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  delays.enable()
  await work()
  delays.disable()
  await pause(0) // for the observer of the collector
  return {
    name,
    p50Ms: ms(delays.percentile(50)),
    p95Ms: ms(delays.percentile(95)),
    p99Ms: ms(delays.percentile(99)),
    p999Ms: ms(delays.percentile(99.9)),
    mostMs: ms(delays.max),
    pauseMs: longestPauseMs,
    turnMs: longestTurnMs,
  }
}

function listing(filter: ContactFilter, page: number, order?: ContactOrder): () => Promise<void> {
  return async () => {
    for (let run = 0; run < RUNS; run++)
      await listContacts(context, PROPERTY_ID, filter, { page, perPage: PER_PAGE, order })
  }
}

async function exportAll(): Promise<void> {
  for await (const _part of exportContacts(context.records, PROPERTY_ID));
}

const { first_name: name } = personOf(total >> 1)
const rows = [
  await watched('nothing', () => pause(2_000)),
  await watched('search: what all have', listing({ search: '.example' }, 1)),
  await watched('search: two letters of nobody', listing({ search: 'ßß' }, 1)),
  await watched('search: a first name', listing({ search: name }, 1)),
  await watched('list, a page of the middle', listing({}, middle)),
  await watched('list by name, a page of the middle', listing({}, middle, { sort: 'name', isDescending: false })),
  await watched('export', exportAll),
  await watched('removal', () => context.emptyProperty(PROPERTY_ID)),
]
process.stdout.write(`${JSON.stringify(rows)}\n`)
await context.close()
