// A worker's end of the line to the primary, and what it makes of it.
import { settledWithin } from '../queues/deadline.ts'
import { Problem } from '../kernel/problem.ts'
import type { Limits } from '../http/limits.ts'
import type { Beside, OwnRows } from '../stores/beside.ts'
import type { FactTable } from '../stores/tables.ts'
import { Desk, gathering } from './desk.ts'
import { teamTurns } from './team-turns.ts'
import { Waiting, WAITING_FD } from './waiting.ts'
import { type Message, PRIMARY } from './wire.ts'
import type { Team } from './workers.ts'

/** What the primary tells a worker first. */
export type Welcome = Pick<Team, 'slot' | 'count' | 'isFirst' | 'mends' | 'command' | 'engineUrl'>

/**
 * As long as a question waits for inserts: a worker that was killed is back, and has read its log, by then.
 */
const ANSWER_MS = 10_000
/** Whoever gathers figures can do without one of them. */
const SOON_MS = 2_000

function unavailable(): Problem {
  return new Problem('unavailable', 'Another process of the service is not responding.', { retryAfterSeconds: 5 })
}

/** @throws Problem('unavailable') when it takes too long; what the work throws. */
async function within<Result>(work: Promise<Result>, ms = ANSWER_MS): Promise<Result> {
  let failed: { readonly error: unknown } | undefined
  const done = work.then((result) => ({ result }))
  const outcome = await settledWithin(done, ms, (error) => (failed = { error }))
  if (outcome) return outcome.result
  throw failed ? failed.error : unavailable()
}

const numbersTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1)

/** One more, or one less, in a window of the rate limits; of a minute when its length is left out. */
export interface Counted {
  readonly key: string
  readonly nowMs: number
  readonly windowMs: number | undefined
  readonly step: 1 | -1
}

function limitsOf(desk: Desk): Limits {
  const change = async (counted: Counted) => (await desk.ask(PRIMARY, 'count', counted)) as number
  return {
    count: (key, nowMs, windowMs) => change({ key, nowMs, windowMs, step: 1 }),
    giveBack: async (key, nowMs, windowMs) => void (await change({ key, nowMs, windowMs, step: -1 })),
    close: async () => undefined,
  }
}

/** Questions of one moment that need the same of another worker ask it once. */
function askingOnce(desk: Desk): (slot: number, name: string, ...given: readonly unknown[]) => Promise<unknown> {
  const asked = new Map<string, Promise<unknown>>()
  return (slot, name, ...given) => {
    const key = JSON.stringify([slot, name, given])
    const known = asked.get(key)
    if (known) return known
    const answer = desk.ask(slot, name, ...given)
    asked.set(key, answer)
    // What is acknowledged from then on may not be seen by whoever answers.
    setImmediate(() => asked.delete(key))
    return answer
  }
}

function besideOf(desk: Desk, { slot, count, isFirst }: Welcome, waitingFile: number): Beside {
  const waiting = new Waiting(waitingFile, count, slot)
  const askOnce = askingOnce(desk)
  const others = numbersTo(count).filter((one) => one !== slot)
  return {
    slot,
    count,
    isFirst,
    turns: teamTurns(desk),
    setWaiting: (isWaiting) => waiting.setRows(isWaiting),
    flushOthers(tables, subjects) {
      const having = waiting.listRows()
      if (having.length === 0) return undefined
      return within(Promise.all(having.map((one) => askOnce(one, 'flush', tables, subjects ?? null)))).then(() => {})
    },
    settleOthers: () => within(Promise.all(others.map((one) => desk.ask(one, 'settle')))).then(() => {}),
    answer(own: OwnRows) {
      const flush = (_from: number, tables: readonly FactTable[], subjects: readonly string[] | null) =>
        own.flush(tables, subjects ?? undefined)
      desk.answer('flush', flush)
      desk.answer('settle', () => own.settle())
    },
    newsLine: <News>() => ({
      others,
      setNews: (to: number, has: boolean) => waiting.setNews(to, has),
      list: () => waiting.listNews(),
      ask: (one: number) => desk.ask(one, 'news') as Promise<News>,
      answer: (give: (to: number) => News) => desk.answer('news', give),
    }),
  }
}

/** @param waitingFile see waiting.ts. */
export function teamOver(desk: Desk, welcome: Welcome, waitingFile = WAITING_FD): Team {
  const all = numbersTo(welcome.count)
  const askSoon = (one: number, name: string) => settledWithin(desk.ask(one, name), SOON_MS)
  return {
    ...welcome,
    beside: besideOf(desk, welcome, waitingFile),
    limits: limitsOf(desk),
    answer: (name, work) => desk.answer(name, work),
    ask: (to, name, ...given) => within(desk.ask(to, name, ...given)),
    askAll: async (name) =>
      (await Promise.all(all.map((one) => askSoon(one, name)))).filter((one) => (one ?? null) !== null),
    onStop: (stop) => desk.answer('stop', (_from, signal: NodeJS.Signals) => stop(signal)),
  }
}

const passedOn = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const

/** Of this process, which the primary has started. */
export async function joinTeam(): Promise<Team> {
  const desk = new Desk(gathering((messages) => process.connected && process.send?.(messages)))
  process.on('message', (messages: readonly Message[]) => {
    for (const message of messages) desk.take(message)
  })
  // A terminal and a supervisor signal every process of the service.
  for (const signal of passedOn) process.on(signal, () => undefined)
  return teamOver(desk, (await desk.ask(PRIMARY, 'hello')) as Welcome)
}
