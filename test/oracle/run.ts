// One run: boots nothing itself, but learns the world, sends the traffic moment by moment, and stops for
// questions.
import { askLinks } from './arrivals.ts'
import { ask, explain, type Bench } from './ask.ts'
import type { Answer, Send } from './client.ts'
import { describe, foldHits, type Fold } from './fold.ts'
import { makeConversions } from './conversions.ts'
import { chooseCosts, type Cost, importCosts, tellCurrency } from './costs.ts'
import { DAY, dayOf, HOUR, SECOND, type Hit, type Load } from './hits.ts'
import { markAll } from './marks.ts'
import { learn } from './learn.ts'
import { type Owner, waitForForms } from './forms.ts'
import { makeLinks } from './links.ts'
import { askedWindow, creditQuestions, fixedQuestions, projectionEdges, question, type Question } from './questions.ts'
import type { Random } from './random.ts'
import { makeContacts, openSender, type Access, type Sender } from './sender.ts'
import { traffic } from './traffic.ts'
import type { Form, World } from './world.ts'
import { rounds } from '../support/long.ts'

export interface Run {
  readonly hits: readonly Hit[]
  readonly fold: Fold
  readonly sender: Sender
  readonly asked: number
  /** Explained, the first few only. */
  readonly failures: readonly string[]
}

export interface Stage {
  readonly send: Send
  /** The property under test, and another one for probes. */
  readonly access: Access
  readonly probes: Access
  /** Forms of the property under test by their names, and where its owner reads what became of them. */
  readonly forms: ReadonlyMap<string, Form>
  readonly owner: Owner
  /** Moves the service's clock; only ever forward. */
  readonly setNow: (now: number) => void
  /** Copies the weeks that are over by then, however much may still come for them. */
  readonly settle: (now: number) => Promise<unknown>
}

const QUESTIONS_PER_STOP = rounds(8, 200)
const SIDE_BY_SIDE = 4
/** In which every link and group is asked for at a stop, besides today. */
const LINK_WINDOWS = rounds(1, 4)
/**
 * How often weeks that are over are copied while traffic goes on: what comes for them later is in the answers
 * all the same.
 */
const SETTLINGS = 3
/** Sessions that are invalid while the random questions of a stop are asked, and valid again after them. */
const MARKED_PER_STOP = 6
const FAILURES_SHOWN = 4
/** Before anything the traffic reaches back to. */
const PROBES_BEFORE_DAYS = 460

/** A day between the middle of 2025 and of 2026, at any time of day, now and then at a whole second. */
function chooseEnd(random: Random): number {
  const second =
    Date.UTC(2025, 5, 1) + random.int(0, 380) * DAY + random.int(HOUR / SECOND, (23 * HOUR) / SECOND) * SECOND
  return random.chance(0.3) ? second : second + random.int(1, 999)
}

/** A stop within the first hour of a day, when projections begin, and one at any moment of traffic. */
function chooseStops(random: Random, moments: readonly Hit[][], end: number): Set<number> {
  const times = moments.flatMap((hits) => hits[0]?.at ?? []).filter((at) => at > end - 4 * DAY && at < end - HOUR)
  const early = times.filter((at) => at % DAY < HOUR)
  return new Set([...random.some(early, 1), ...random.some(times, 1)])
}

interface Past {
  readonly fold: Fold
  readonly world: World
  readonly costs: readonly Cost[]
  readonly now: number
}

function benchAt(stage: Stage, sender: Sender, { fold, world, costs, now }: Past): Bench {
  const idOf: Bench['idOf'] = ({ session }) => {
    const first = session.views[0]
    return first && sender.ids.get(first.load)?.session
  }
  const sessions = fold.sessions.map((session) => describe(session, world))
  return { send: stage.send, access: stage.access, owner: stage.owner, sessions, costs, now, idOf }
}

async function askAll(bench: Bench, questions: readonly Question[]): Promise<string[]> {
  const failures: string[] = []
  for (let next = 0; next < questions.length; next += SIDE_BY_SIDE) {
    const findings = await Promise.all(questions.slice(next, next + SIDE_BY_SIDE).map((each) => ask(bench, each)))
    for (const finding of findings) {
      if (finding) failures.push(failures.length < FAILURES_SHOWN ? await explain(bench, finding) : finding.request)
    }
  }
  return failures
}

const personsIn = (moments: readonly Hit[][]): string[] =>
  moments.flat().flatMap((hit) => (hit.kind === 'identify' ? hit.person : []))

/** Everything in the order of time: probes, then traffic, with questions at the stops. */
export async function run(stage: Stage, random: Random): Promise<Run> {
  const end = chooseEnd(random)
  const moments = traffic(random, end)
  const stops = chooseStops(random, moments, end)
  const settlings = new Set(
    random.some(
      moments.flatMap((hits) => hits[0]?.at ?? []),
      SETTLINGS,
    ),
  )
  const { world: learned, learnRates } = await learn(
    stage.send,
    stage.probes,
    (dayOf(end) - PROBES_BEFORE_DAYS) * DAY,
    stage.setNow,
  )
  const world = {
    ...learned,
    links: await makeLinks(stage.send, stage.access),
    forms: stage.forms,
    contacts: await makeContacts(stage.send, stage.access, [...new Set(personsIn(moments))]),
    conversions: await makeConversions(stage.send, stage.owner, stage.forms),
  }
  await tellCurrency(stage.send, stage.owner)
  const sender = openSender(stage.send, stage.access, world)
  const hits: Hit[] = []
  const failures: string[] = []
  let asked = 0
  let sentForms = 0
  const invalid = new Set<Load>()
  let costs: readonly Cost[] = []
  const idOf = (load: Load) => sender.ids.get(load)?.session ?? ''
  const markSome = async (now: number) => {
    stage.setNow(now)
    const loads = foldHits(hits, world).sessions.flatMap(({ views }) => views[0]?.load ?? [])
    for (const load of random.some(loads, Math.min(MARKED_PER_STOP, loads.length))) invalid.add(load)
    await markAll(stage.send, stage.owner, [...invalid].map(idOf), true)
    // Copies of weeks that are over then hold none of them.
    if (random.chance(0.5)) await stage.settle(now)
  }
  const takeBack = async () => {
    await markAll(stage.send, stage.owner, [...invalid].map(idOf), false)
    invalid.clear()
  }
  const askAt = async (now: number, choose: (bench: Bench) => readonly Question[]) => {
    stage.setNow(now)
    const bench = benchAt(stage, sender, { fold: foldHits(hits, world, invalid), world, costs, now })
    const questions = choose(bench)
    failures.push(...(await askAll(bench, questions)))
    asked += questions.length
  }
  const askAboutLinks = async (now: number) => {
    const past = { hits, fold: foldHits(hits, world, invalid), world, now }
    const windows = Array.from({ length: LINK_WINDOWS }, () => askedWindow(random, now))
    for (const window of [{ period: 'today' }, ...windows]) {
      const found = await askLinks(stage.send, stage.owner, past, window)
      asked += found.asked
      failures.push(...found.failures)
    }
  }
  const askRandom = async (now: number) => {
    await markSome(now)
    await askAt(now, ({ sessions }) =>
      Array.from({ length: QUESTIONS_PER_STOP }, () => question(random, sessions, now)),
    )
    await askAboutLinks(now)
    await takeBack()
  }

  const daysWithMoney = new Set(moments.flat().flatMap((hit) => (hit.kind === 'acquisition' ? dayOf(hit.at) : [])))
  for (const moment of moments) {
    const at = moment[0]?.at ?? 0
    stage.setNow(at)
    if (daysWithMoney.delete(dayOf(at))) await learnRates(at)
    await sender.sendAll(moment)
    hits.push(...moment)
    const forms = moment.filter((hit) => hit.kind === 'form' && world.agents.has(hit.visitor.agent)).length
    // Before the clock moves on: what a submission is still told to the facts, it is told at its own time.
    if (forms > 0) await waitForForms(stage.send, stage.owner, (sentForms += forms))
    if (settlings.has(at) || stops.has(at)) await stage.settle(at)
    if (stops.has(at)) await askRandom(at)
  }
  await stage.settle(end)
  costs = chooseCosts(random, end)
  stage.setNow(end)
  await importCosts(stage.send, stage.owner, costs)
  await askRandom(end)
  await askAt(end, ({ sessions }) => [...fixedQuestions(end), ...creditQuestions(random, sessions)])
  for (const edge of projectionEdges(end)) await askAt(edge.now, () => [edge.question])
  return { hits, fold: foldHits(hits, world), sender, asked, failures }
}

/**
 * What the service answered otherwise than the oracle would: refusals, and loads put into another session.
 */
export function misjudged({ hits, fold, sender }: Run): string[] {
  const idOfSession = new Map<unknown, string>()
  const wrong: string[] = []
  for (const hit of hits) {
    const session = fold.target.get(hit)
    if (hit.kind === 'click') {
      if (sender.answers.get(hit)?.status !== 302) wrong.push(tell(hit, sender.answers.get(hit), true))
      continue
    }
    if (hit.kind === 'form') {
      if (sender.answers.get(hit)?.body['validated'] !== true) wrong.push(tell(hit, sender.answers.get(hit), true))
      continue
    }
    if (hit.kind !== 'load') {
      if (!agrees(sender.answers.get(hit), session !== undefined, hit.kind === 'ping'))
        wrong.push(tell(hit, sender.answers.get(hit), session))
      continue
    }
    const id = sender.ids.get(hit)?.session ?? ''
    if ((idOfSession.get(session) ?? id) !== id)
      wrong.push(`${tell(hit, sender.answers.get(hit), session)}, expected ${idOfSession.get(session)}`)
    idOfSession.set(session, id)
  }
  if (new Set(idOfSession.values()).size !== idOfSession.size) wrong.push('two sessions have one id')
  return wrong
}

function agrees(answer: Answer | undefined, isAccepted: boolean, isPing: boolean): boolean {
  if (!answer || answer.status !== 200) return false
  if (isAccepted) return answer.body['success'] === true || answer.body['code'] === 200
  return (
    answer.body['success'] === false && answer.body['message'] === (isPing ? 'Invalid page id' : 'Session not found')
  )
}

function tell(hit: Hit, answer: Answer | undefined, session: unknown): string {
  const { at, ...rest } = hit
  return `${new Date(at).toISOString()} ${JSON.stringify(rest)} should be ${session ? 'accepted' : 'refused'}, got ${JSON.stringify(answer)}`
}
