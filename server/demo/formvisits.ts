// What the demo's visitors do with its two forms: the question form on the contact page, and the newsletter
// form. The same visit always does the same, and its random numbers do not affect the visit's own.
// Submissions are judged by the code that judges real ones.
import type { DemoIdentification } from './people.ts'
import { DAY_MS } from '../kernel/days.ts'
import type { Answer } from '../forms/forms.ts'
import { type Clues, scoreOf, type Signals } from '../spam-score/spam-score.ts'
import { DEMO_HOST } from './catalogue.ts'
import { openChance, wideNumber, type Chance } from './chance.ts'
import { letterAnswers, questionAnswers, spamAnswers, type Written } from './formtexts.ts'
import type { DemoVisit } from './traffic.ts'

export type DemoFormName = 'question' | 'letter'

export interface DemoSent extends ReturnType<typeof scoreOf> {
  readonly id: string
  readonly atMs: number
  readonly answers: readonly Answer[]
  /** The owner's mark. */
  readonly mark: 'spam' | 'not_spam' | null
}

export interface DemoFormVisit {
  readonly form: DemoFormName
  /** Identifies the form session in the facts. */
  readonly factId: string
  readonly viewMs: number
  readonly openMs?: number
  readonly sent?: DemoSent
}

/** The share of visits that see a form. */
const OFFERED_SHARE = 0.1
const LETTER_BEGUN_SHARE = 0.07
const QUESTION_BEGUN_SHARE = 0.42
const QUESTION_SENT_SHARE = 0.55
/** The share of questions that are pasted offers. */
const PASTED_SHARE = 0.08
/** The share of bots that fill in forms. */
const ROBOT_SHARE = 0.02
const RESCUED_SHARE = 0.15

const ID_LETTERS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** The same for the same visit, so that another run finds it stored. */
const idOf = (chance: Chance): string =>
  `sb_${Array.from({ length: 20 }, () => ID_LETTERS[chance.bits() % ID_LETTERS.length]).join('')}`

/** A stream other than those of the visit, its person and its clicks. */
const chanceOf = ({ hash, day }: DemoVisit): Chance => {
  const wide = BigInt(hash)
  return openChance(Number(BigInt.asIntN(32, wide ^ (wide >> 32n) ^ 0x5f0f_a117n)), day)
}

// ---------------------------------------------------------------- what the score is told

const handSignals = (chance: Chance, typed: number, elapsedMs: number): Signals => ({
  isReadable: true,
  durationMs: Math.max(0, elapsedMs - 2000),
  keystrokes: typed,
  focuses: 3 + Math.floor(chance() * 4),
  touched: 3,
  plugins: 5,
  languages: 1 + Math.floor(chance() * 3),
  hasMoved: true,
  hasScrolled: chance() < 0.8,
  isAutomated: false,
})

const unsuspected = {
  isScripted: true,
  hasHoneypot: true,
  traps: 0,
  trapsBefore: 'none',
  sameTexts: 0,
  sameSignals: 0,
} as const

function personClues(chance: Chance, visit: DemoVisit, written: Written, elapsedMs: number): Clues {
  return {
    ...unsuspected,
    signals: handSignals(chance, written.writing.characters, elapsedMs),
    elapsedMs,
    writing: written.writing,
    recentSubmissions: 1,
    hasAgentChanged: false,
    botReason: '',
    hasOrigin: true,
    visit: {
      isSeen: true,
      botReason: '',
      seconds: visit.views.reduce((sum, { seconds }) => sum + seconds, 0),
      views: visit.views.length,
      isContact: false,
    },
  }
}

/** By hand, but by the dozen. */
function pasterClues(chance: Chance, visit: DemoVisit, written: Written, elapsedMs: number): Clues {
  return {
    ...personClues(chance, visit, written, elapsedMs),
    sameTexts: 3 + Math.floor(chance() * 9),
    signals: handSignals(chance, 2, elapsedMs),
    visit: { isSeen: false, isMeasured: true },
  }
}

function robotClues(written: Written, elapsedMs: number): Clues {
  return {
    ...unsuspected,
    hasHoneypot: false,
    signals: undefined,
    elapsedMs,
    writing: written.writing,
    recentSubmissions: 1,
    hasAgentChanged: false,
    botReason: 'agent',
    hasOrigin: false,
    visit: { isSeen: false, isMeasured: true },
  }
}

// ---------------------------------------------------------------- what is done

interface Moment {
  readonly chance: Chance
  readonly visit: DemoVisit
  /** Nothing happens from this time on. */
  readonly endMs: number
}

function sentAt({ chance }: Moment, atMs: number, written: Written, clues: Clues): DemoSent {
  const judged = scoreOf(clues)
  const isRescued = judged.verdict === 'flagged' && chance() < RESCUED_SHARE
  return { ...judged, id: idOf(chance), atMs, answers: written.answers, mark: isRescued ? 'not_spam' : null }
}

function askQuestion(moment: Moment, viewMs: number, person: DemoIdentification | undefined): DemoFormVisit {
  const { chance, visit, endMs } = moment
  const shown = { form: 'question', factId: wideNumber(chance), viewMs } as const
  const openMs = viewMs + 6_000 + Math.floor(chance() * 20_000)
  const atMs = openMs + 25_000 + Math.floor(chance() * 150_000)
  if (chance() >= QUESTION_BEGUN_SHARE || openMs >= endMs) return shown
  if (chance() >= QUESTION_SENT_SHARE || atMs >= endMs) return { ...shown, openMs }
  const isPasted = chance() < PASTED_SHARE
  const written = isPasted ? spamAnswers(chance) : questionAnswers(chance, person)
  const clues = (isPasted ? pasterClues : personClues)(chance, visit, written, atMs - viewMs)
  return { ...shown, openMs, sent: sentAt(moment, atMs, written, clues) }
}

/** A visit that signs up does so through the form. */
function takeLetter(moment: Moment, person: DemoIdentification | undefined): DemoFormVisit | undefined {
  const { chance, visit, endMs } = moment
  const isOffered = chance() < OFFERED_SHARE
  const signup = visit.events.find(({ name }) => name === 'letter_signup')
  const page = visit.views.find(({ view }) => view === (signup?.view ?? 1))!
  const viewMs = signup ? Math.min(page.atMs + 1_500, signup.atMs) : page.atMs + 3_000
  if ((!signup && !isOffered) || viewMs >= endMs) return undefined
  const shown = { form: 'letter', factId: wideNumber(chance), viewMs } as const
  if (!signup) return chance() < LETTER_BEGUN_SHARE ? { ...shown, openMs: viewMs } : shown
  const written = letterAnswers(chance, person)
  const clues = personClues(chance, visit, written, Math.max(4_000, signup.atMs - viewMs))
  return { ...shown, openMs: signup.atMs, sent: sentAt(moment, signup.atMs, written, clues) }
}

function robotVisit(moment: Moment): DemoFormVisit[] {
  const { chance, visit } = moment
  const viewMs = visit.views[0]!.atMs
  const atMs = viewMs + 90 + Math.floor(chance() * 700)
  if (chance() >= ROBOT_SHARE || atMs >= moment.endMs) return []
  const written = spamAnswers(chance)
  const sent = sentAt(moment, atMs, written, robotClues(written, atMs - viewMs))
  return [{ form: 'question', factId: wideNumber(chance), viewMs, openMs: atMs, sent }]
}

const CONTACT_URL = `https://${DEMO_HOST}/contact`

/**
 * Empty for most visits. Nothing happens from `nowMs` on, nor on another day. @param person the visitor's
 * identity.
 */
export function formVisitsOf(visit: DemoVisit, person: DemoIdentification | undefined, nowMs: number): DemoFormVisit[] {
  const moment = { chance: chanceOf(visit), visit, endMs: Math.min(nowMs, (visit.day + 1) * DAY_MS) }
  if (visit.isRobot) return robotVisit(moment)
  const contact = visit.views.find(({ url }) => url === CONTACT_URL)
  const letter = takeLetter(moment, person)
  const question = contact && askQuestion(moment, contact.atMs, person)
  return [letter, question].filter((done) => done !== undefined)
}
