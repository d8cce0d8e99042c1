// The spam score: turns the evidence about a submission into points. Pure. A submission is dropped only on
// strong reasons of two families.
import type { BotReason } from '../enrich/bots.ts'
import type { ScoreReason, Verdict } from '../forms/form-model.ts'
import { type ReasonName, reasonNames, scoreReasons, type Family } from './reasons.ts'
import type { Signals } from './signals.ts'

export { scoreReasons, type ReasonName } from './reasons.ts'

/** What the facts know of the visitor; undefined where nothing is known for certain. */
export type Visit =
  | {
      readonly isSeen: false
      /** Whether page views of this property are recorded at all. */ readonly isMeasured: boolean
    }
  | {
      readonly isSeen: true
      /** '' for people. */
      readonly botReason: string
      readonly seconds: number
      readonly views: number
      readonly isContact: boolean
    }

/** What was written, as figures. */
export interface Writing {
  /** Fields of the form. */
  readonly fields: number
  /** Fields of text with three characters or more. */
  readonly writtenFields: number
  /** Characters in these. */
  readonly characters: number
  /** Whether one of them is of a kind that autofill never fills. */
  readonly hasMessage: boolean
  readonly links: number
  readonly hasLinkMarkup: boolean
}

export interface Clues {
  readonly signals: Signals | undefined
  /** Since the visitor was given this form. */
  readonly elapsedMs: number
  readonly writing: Writing
  readonly hasHoneypot: boolean
  /** False for a plain HTML form, which sends no signals. */
  readonly isScripted: boolean
  /** Filled-in honeypots of this form session. */
  readonly traps: number
  /** In other form sessions within a day: by the same address and agent, by the address alone, or none. */
  readonly trapsBefore: 'visitor' | 'address' | 'none'
  /** Submissions with the same text, and with the same signals but another text. */
  readonly sameTexts: number
  readonly sameSignals: number
  /** Submissions of the address in ten minutes, this one included. */
  readonly recentSubmissions: number
  readonly hasAgentChanged: boolean
  /** '' for people. */
  readonly botReason: BotReason
  readonly hasOrigin: boolean
  readonly visit: Visit | undefined
}

/** Above: flagged for the owner. One strong reason alone (45 at most) stays below. */
export const FLAGGED_FROM = 50
/** Above: dropped. Two strong reasons usually get there (35 + 45). */
export const DROPPED_FROM = 80
const MAX_SCORE = 100
/** Fewer families of strong reasons than this are only a suspicion, whatever they add up to. */
export const FAMILIES_TO_DROP = 2

/**
 * A crowd behind one address and earlier acts of that address are one piece of evidence: anybody who shares
 * an address with a person could cause both.
 */
const evidenceOf = (family: Family): Family => (family === 'rate' ? 'honeypot' : family)

/** No person reads and writes in less, and part of it is the browser's own request. */
const INSTANT_MS = 1000
const QUICK_MS = 3000
/** A person makes at most ten keystrokes a second; autofill makes none. */
const INSTANT_KEYSTROKES = 10
/** Share of its characters: typing has corrections, and word completion writes half of them. */
const TYPED_SHARE = 0.25
/** Between the first touch of a page and the opening of the form, and between two clocks. */
export const DURATION_SLACK_MS = 5000
/** The honeypot, which a page counts beside the fields of the form. */
const TOUCHED_SLACK = 1
const OFTEN_REPEATED = 3
const OFTEN_REPLAYED = 2
/** No reason asks for more of them. */
export const COMPARED_SUBMISSIONS = 20
const MANY = 5
const FLOOD = 20
const ENGAGED_SECONDS = 10
const MANY_LINKS = 3

const isBelowZero = (count: number | undefined) => count !== undefined && count < 0

/** Contradictions in what the page counted. Times are ignored: visitors' clocks may be wrong. */
function contradictions({ signals, writing }: Clues): number {
  if (!signals?.isReadable) return 0
  const { durationMs, keystrokes, focuses, touched, plugins, languages } = signals
  const counts = [keystrokes, focuses, touched, plugins, languages]
  return [
    isBelowZero(durationMs) || counts.some(isBelowZero),
    counts.some((count) => count !== undefined && !Number.isInteger(count)),
    touched !== undefined && touched > writing.fields + TOUCHED_SLACK,
  ].filter(Boolean).length
}

const isLonger = ({ signals, elapsedMs }: Clues) => (signals?.durationMs ?? 0) > elapsedMs + DURATION_SLACK_MS

/**
 * An autofilled form is sent with one key at once: only fields that autofill knows, and hardly a keystroke.
 */
function mayBeAutofill(clues: Clues): boolean {
  const { signals, writing } = clues
  if (!signals?.isReadable || writing.hasMessage) return false
  return (signals.keystrokes ?? 0) < INSTANT_KEYSTROKES || isLonger(clues)
}

const isInstant = (clues: Clues) =>
  clues.elapsedMs < INSTANT_MS && clues.writing.writtenFields > 0 && !mayBeAutofill(clues)

function isQuick(clues: Clues): boolean {
  const { elapsedMs, signals, writing } = clues
  const isTyped = (signals?.keystrokes ?? 0) >= writing.characters * TYPED_SHARE
  return elapsedMs < QUICK_MS && writing.writtenFields >= 2 && !isTyped && !isInstant(clues)
}

const isUntouched = ({ signals, writing }: Clues) => {
  if (!signals?.isReadable || writing.writtenFields === 0) return false
  const { keystrokes, focuses, touched, hasMoved, hasScrolled } = signals
  return keystrokes === 0 && focuses === 0 && touched === 0 && hasMoved === false && hasScrolled === false
}

/** The network says nothing about who uses the browser: `network` is a reason of its own. */
const isProgram = (botReason: string) => botReason !== '' && botReason !== 'network' && botReason !== 'empty_agent'

type Holds = (clues: Clues) => boolean

/** When each reason applies. Of two that differ only in degree, the stronger one applies. */
const holds: Readonly<Record<ReasonName, Holds>> = {
  webdriver: ({ signals }) => signals?.isAutomated === true,
  bot_agent: ({ botReason }) => isProgram(botReason),
  bot_visit: ({ visit }) => visit?.isSeen === true && isProgram(visit.botReason),
  instant: isInstant,
  quick: isQuick,
  trap_before: ({ trapsBefore }) => trapsBefore === 'visitor',
  trap_address: ({ trapsBefore }) => trapsBefore === 'address',
  trap_here: ({ traps }) => traps > 0,
  trap_absent: ({ hasHoneypot }) => !hasHoneypot,
  repeated_often: ({ sameTexts }) => sameTexts >= OFTEN_REPEATED,
  repeated: ({ sameTexts }) => sameTexts > 0 && sameTexts < OFTEN_REPEATED,
  replayed_often: ({ sameSignals }) => sameSignals >= OFTEN_REPLAYED,
  replayed: ({ sameSignals }) => sameSignals > 0 && sameSignals < OFTEN_REPLAYED,
  flood: ({ recentSubmissions }) => recentSubmissions > FLOOD,
  many: ({ recentSubmissions }) => recentSubmissions > MANY && recentSubmissions <= FLOOD,
  no_signals: ({ signals, isScripted }) => isScripted && signals === undefined,
  unreadable_signals: ({ signals }) => signals?.isReadable === false,
  impossible_often: (clues) => contradictions(clues) > 1,
  impossible: (clues) => contradictions(clues) === 1,
  long_duration: isLonger,
  untouched: isUntouched,
  no_plugins: ({ signals }) => signals?.plugins === 0,
  no_languages: ({ signals }) => signals?.languages === 0,
  agent_changed: ({ hasAgentChanged }) => hasAgentChanged,
  no_agent: ({ botReason }) => botReason === 'empty_agent',
  data_centre: ({ botReason }) => botReason === 'network',
  no_visit: ({ visit }) => visit?.isSeen === false && visit.isMeasured,
  engaged: ({ visit }) => visit?.isSeen === true && visit.seconds >= ENGAGED_SECONDS,
  looked_around: ({ visit }) => visit?.isSeen === true && visit.views >= 2,
  known_contact: ({ visit }) => visit?.isSeen === true && visit.isContact,
  no_origin: ({ hasOrigin }) => !hasOrigin,
  link_markup: ({ writing }) => writing.hasLinkMarkup,
  many_links: ({ writing }) => writing.links >= MANY_LINKS,
}

export interface Score {
  /** 0 to 100. */
  readonly score: number
  readonly reasons: ScoreReason[]
  readonly verdict: Verdict
}

/** What the reasons add up to, whatever made them apply. */
export function weigh(names: readonly ReasonName[]): Score {
  const reasons = names.map((name) => ({ reason: name, points: scoreReasons[name].points }))
  const sum = reasons.reduce((total, { points }) => total + points, 0)
  const strong = names.filter((name) => scoreReasons[name].strength === 'strong')
  const families = new Set(strong.map((name) => evidenceOf(scoreReasons[name].family)))
  const ceiling = families.size >= FAMILIES_TO_DROP ? MAX_SCORE : DROPPED_FROM - 1
  const score = Math.max(0, Math.min(sum, ceiling))
  return { score, reasons, verdict: verdictOf(score) }
}

function verdictOf(score: number): Verdict {
  if (score >= DROPPED_FROM) return 'dropped'
  return score >= FLAGGED_FROM ? 'flagged' : 'clean'
}

export function scoreOf(clues: Clues): Score {
  return weigh(reasonNames.filter((name) => holds[name](clues)))
}
