import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { type ReasonName, reasonNames } from './reasons.ts'
import { type Clues, DROPPED_FROM, FAMILIES_TO_DROP, FLAGGED_FROM, scoreOf, scoreReasons, weigh } from './score.ts'

/** Somebody at a desk who reads two pages and writes a message: the others are told by what differs. */
const person: Clues = {
  isScripted: true,
  signals: {
    isReadable: true,
    durationMs: 42_317,
    keystrokes: 180,
    focuses: 3,
    touched: 3,
    plugins: 5,
    languages: 2,
    hasMoved: true,
    hasScrolled: true,
    isAutomated: false,
    trigger: 'focus',
  },
  elapsedMs: 48_000,
  writing: { fields: 3, writtenFields: 3, characters: 160, hasMessage: true, links: 0, hasLinkMarkup: false },
  hasHoneypot: true,
  traps: 0,
  trapsBefore: 'none',
  sameTexts: 0,
  sameSignals: 0,
  recentSubmissions: 1,
  hasAgentChanged: false,
  botReason: '',
  hasOrigin: true,
  visit: { isSeen: true, botReason: '', seconds: 40, views: 2, isContact: false },
}

type Change = Omit<Partial<Clues>, 'signals' | 'writing'> & {
  readonly signals?: Partial<NonNullable<Clues['signals']>> | undefined
  readonly writing?: Partial<Clues['writing']>
}

function but(change: Change, from: Clues = person): Clues {
  const signals = 'signals' in change && !change.signals ? undefined : { ...person.signals!, ...change.signals }
  return { ...from, ...change, signals, writing: { ...from.writing, ...change.writing } }
}

const unseen = { isSeen: false, isMeasured: true } as const
/** Name, e-mail and telephone, as a browser or a password manager writes them at once. */
const autofilled = { fields: 3, writtenFields: 3, characters: 52, hasMessage: false }

// ---------------------------------------------------------------- people

const people: Readonly<Record<string, Clues>> = {
  'somebody at a desk': person,
  'the keyboard alone, on the first page of the visit': but({
    signals: { hasMoved: false, hasScrolled: false },
    visit: { isSeen: true, botReason: '', seconds: 0, views: 1, isContact: false },
  }),
  'autofill and Enter, as soon as the form is there': but({
    elapsedMs: 240,
    writing: autofilled,
    signals: { durationMs: 120, keystrokes: 1, focuses: 1, touched: 0, hasMoved: false, hasScrolled: false },
    visit: unseen,
  }),
  'a password manager, two seconds after the page': but({
    elapsedMs: 2100,
    writing: autofilled,
    signals: { durationMs: 900, keystrokes: 0, focuses: 1, touched: 3 },
  }),
  'a password manager that also fills the invisible field, and then a second try': but({
    traps: 1,
    elapsedMs: 9000,
    writing: autofilled,
    signals: { durationMs: 8000, keystrokes: 0, focuses: 1, touched: 4 },
  }),
  'a phone whose keyboard completes words': but({
    signals: { keystrokes: 0, hasMoved: false, plugins: 0, languages: 1 },
  }),
  'a screen reader': but({
    elapsedMs: 300_000,
    signals: { hasMoved: false, hasScrolled: false, focuses: 90, durationMs: 290_000 },
  }),
  'voice dictation': but({ signals: { keystrokes: 0, focuses: 0, hasMoved: false, hasScrolled: false, touched: 3 } }),
  'a privacy browser: no plugins, no languages, coarse clock, no visit': but({
    signals: { plugins: 0, languages: 0, durationMs: 42_300 },
    visit: unseen,
    hasOrigin: false,
  }),
  'Global Privacy Control: nothing is known of the visit': but({ visit: undefined }),
  'the sixth of an office behind one address in ten minutes': but({ recentSubmissions: 6, trapsBefore: 'address' }),
  'the thirtieth of a class behind one address in ten minutes': but({ recentSubmissions: 30, visit: unseen }),
  'nine minutes for one message': but({ elapsedMs: 548_000, signals: { durationMs: 541_000, keystrokes: 2900 } }),
  'twenty minutes for one message, in a form that was opened anew by its page': but({
    elapsedMs: 1_200_000,
    signals: { durationMs: 1_190_000, keystrokes: 4000 },
  }),
  'a page that opens its form when the button is pressed': but({
    elapsedMs: 300,
    signals: { durationMs: 60_000 },
    writing: { hasMessage: false, fields: 2, writtenFields: 2, characters: 40 },
  }),
  'the same text from two tabs': but({ sameTexts: 1 }),
  'a message pasted in, and sent at once': but({ elapsedMs: 2600, signals: { durationMs: 2200, keystrokes: 2 } }),
  'a private network that ends in a data centre': but({ botReason: 'network', visit: unseen, signals: { plugins: 0 } }),
  'a page of the owner’s own that sends no signals': but({ signals: undefined }),
  'a page of the owner’s own that sends no signals and no invisible field': but({
    signals: undefined,
    hasHoneypot: false,
  }),
  'a message with many links': but({ writing: { links: 5 } }),
  'a press of one button, with nothing written': but({
    elapsedMs: 300,
    writing: { fields: 1, writtenFields: 0, characters: 0, hasMessage: false },
    signals: { durationMs: 100, keystrokes: 0, focuses: 1, touched: 1 },
    visit: unseen,
  }),
}

test('no person is flagged, and none is given a strong reason for how they use a computer', () => {
  for (const [who, clues] of Object.entries(people)) {
    const { verdict, score, reasons } = scoreOf(clues)
    assert.equal(verdict, 'clean', `${who}: ${score} ${JSON.stringify(reasons)}`)
    const strong = reasons.filter(({ reason }) => scoreReasons[reason as ReasonName].strength === 'strong')
    // The class is thirty people, which one address cannot show.
    assert.deepEqual(
      strong.map(({ reason }) => reason),
      who.includes('thirtieth') ? ['flood'] : [],
      who,
    )
  }
})

test('a person who was on the pages has points to spare', () => {
  assert.equal(scoreOf(person).score, 0)
  assert.deepEqual(
    scoreOf(but({ visit: { isSeen: true, botReason: '', seconds: 12, views: 3, isContact: true } })).reasons,
    [
      { reason: 'engaged', points: -15 },
      { reason: 'looked_around', points: -10 },
      { reason: 'known_contact', points: -15 },
    ],
  )
})

test('whatever two things go wrong with a person, nothing is dropped', () => {
  const unlucky: Change[] = [
    { recentSubmissions: 30 },
    { botReason: 'network', visit: unseen },
    { signals: { isReadable: false } },
    { traps: 2, hasHoneypot: false },
    { sameTexts: 2 },
    { trapsBefore: 'address' },
    { hasAgentChanged: true },
  ]
  const simple = Object.values(people).filter((clues) => clues.recentSubmissions < 20)
  for (const clues of simple) {
    for (const change of unlucky) {
      const signals = clues.signals && change.signals ? { ...clues.signals, ...change.signals } : clues.signals
      assert.notEqual(scoreOf({ ...clues, ...change, signals, writing: clues.writing }).verdict, 'dropped')
    }
  }
})

// ---------------------------------------------------------------- programs

const naive: Change = { signals: undefined, elapsedMs: 50, hasHoneypot: false, hasOrigin: false, visit: unseen }
const program: Readonly<Record<string, readonly [verdict: string, clues: Clues]>> = {
  'a bare request under its own name': ['dropped', but({ ...naive, botReason: 'agent' })],
  'a bare request under the name of a browser': ['flagged', but(naive)],
  'the same for the fourth time': ['dropped', but({ ...naive, sameTexts: 3 })],
  'the same in bulk': ['dropped', but({ ...naive, recentSubmissions: 25 })],
  'a driven browser that fills in a message in 200 ms': [
    'dropped',
    but({ elapsedMs: 200, visit: unseen, signals: { isAutomated: true, durationMs: 180, keystrokes: 0 } }),
  ],
  'a headless browser that types as fast as it can': [
    'dropped',
    but({
      botReason: 'headless',
      elapsedMs: 400,
      writing: autofilled,
      signals: { durationMs: 380, keystrokes: 52, isAutomated: true },
    }),
  ],
  'recorded signals, sent again and again': ['dropped', but({ sameSignals: 4, elapsedMs: 300, visit: unseen })],
  'recorded signals at the pace of a person': ['flagged', but({ sameSignals: 4, visit: unseen, hasHoneypot: false })],
  'who filled in the invisible field, and came back without it': [
    'dropped',
    but({ trapsBefore: 'visitor', elapsedMs: 300, visit: unseen }),
  ],
  'signals of a person under the name of a bot, at once': [
    'dropped',
    but({ botReason: 'agent', elapsedMs: 100, visit: unseen }),
  ],
  'signals of a person under the name of a bot, with time': ['flagged', but({ botReason: 'agent', visit: unseen })],
  'signals that cannot be, from the visit of a bot': [
    'dropped',
    but({
      signals: { durationMs: -5, touched: 400 },
      visit: { isSeen: true, botReason: 'headless', seconds: 0, views: 1, isContact: false },
    }),
  ],
  'opened by one browser and sent by another, which is a program': [
    'dropped',
    but({ hasAgentChanged: true, botReason: 'agent', visit: unseen }),
  ],
}

test('programs are dropped on strong evidence of two kinds, and flagged on less', () => {
  for (const [what, [verdict, clues]] of Object.entries(program)) {
    const found = scoreOf(clues)
    assert.equal(found.verdict, verdict, `${what}: ${found.score} ${JSON.stringify(found.reasons)}`)
  }
})

test('a driven browser is one piece of evidence, however many ways it shows', () => {
  const visit = { isSeen: true, botReason: 'headless', seconds: 0, views: 1, isContact: false } as const
  const { score, verdict } = scoreOf(but({ botReason: 'headless', signals: { isAutomated: true }, visit }))
  assert.deepEqual([score, verdict], [DROPPED_FROM - 1, 'flagged'])
})

// ---------------------------------------------------------------- reasons one by one

const alone: readonly (readonly [change: Change, reasons: readonly ReasonName[]])[] = [
  [{ elapsedMs: 999 }, ['instant', 'long_duration']],
  [{ elapsedMs: 1000, signals: { durationMs: 900, keystrokes: 0 } }, ['quick']],
  [{ elapsedMs: 2999, signals: { durationMs: 900, keystrokes: 39 } }, ['quick']],
  [{ elapsedMs: 2999, signals: { durationMs: 900, keystrokes: 40 } }, []],
  [{ elapsedMs: 3000, signals: { durationMs: 900, keystrokes: 0 } }, []],
  [{ elapsedMs: 37_316 }, ['long_duration']],
  [{ elapsedMs: 37_317 }, []],
  [{ signals: { touched: 4 } }, []],
  [{ signals: { touched: 5 } }, ['impossible']],
  [{ signals: { keystrokes: 1.5 } }, ['impossible']],
  [{ signals: { keystrokes: -1.5 } }, ['impossible_often']],
  [{ sameTexts: 2 }, ['repeated']],
  [{ sameTexts: 3 }, ['repeated_often']],
  [{ sameSignals: 1 }, ['replayed']],
  [{ sameSignals: 2 }, ['replayed_often']],
  [{ recentSubmissions: 5 }, []],
  [{ recentSubmissions: 6 }, ['many']],
  [{ recentSubmissions: 21 }, ['flood']],
  [{ botReason: 'empty_agent' }, ['no_agent']],
  [{ botReason: 'network' }, ['data_centre']],
  [{ visit: { isSeen: false, isMeasured: false } }, []],
  [{ visit: unseen }, ['no_visit']],
  [{ visit: { isSeen: true, botReason: 'network', seconds: 9, views: 1, isContact: false } }, []],
  [{ writing: { hasLinkMarkup: true, links: 3 } }, ['link_markup', 'many_links']],
  [{ signals: { keystrokes: 0, focuses: 0, touched: 0, hasMoved: false, hasScrolled: false } }, ['untouched']],
  [{ signals: { plugins: 0, languages: 0 } }, ['no_plugins', 'no_languages']],
]

test('each reason holds where it says, and not next to it', () => {
  const quiet = but({ visit: undefined })
  for (const [change, reasons] of alone) {
    const found = scoreOf(but(change, quiet)).reasons.map(({ reason }) => reason)
    assert.deepEqual(found, reasons, JSON.stringify(change))
  }
})

test('members of the signals that a page does not send say nothing', () => {
  const { reasons } = scoreOf({ ...person, visit: undefined, signals: { isReadable: true } })
  assert.deepEqual(reasons, [])
})

// ---------------------------------------------------------------- whatever reasons there are

const names = fc.subarray(reasonNames)
const strengthOf = (name: ReasonName) => scoreReasons[name].strength

test('one reason alone never flags, and all weak ones together never do', () => {
  for (const name of reasonNames) assert.equal(weigh([name]).verdict, 'clean', name)
  assert.equal(weigh(reasonNames.filter((name) => strengthOf(name) === 'weak')).verdict, 'clean')
})

test('without strong reasons of two families nothing is dropped, and dropped means just that', () => {
  fc.assert(
    fc.property(names, (reasons) => {
      const { score, verdict } = weigh(reasons)
      assert.ok(Number.isInteger(score) && score >= 0 && score <= 100)
      const strong = reasons.filter((name) => strengthOf(name) === 'strong')
      const families = new Set(strong.map((name) => scoreReasons[name].family))
      if (families.size < FAMILIES_TO_DROP) assert.notEqual(verdict, 'dropped')
      assert.equal(verdict, score >= DROPPED_FROM ? 'dropped' : score >= FLAGGED_FROM ? 'flagged' : 'clean')
    }),
    { numRuns: 1000 },
  )
})

/** Who shares an address can fill in an invisible field and send in masses; no more than that. */
const byNeighbours: ReadonlySet<string> = new Set(['rate', 'honeypot'])

test('whoever shares an address with a person cannot have them dropped: traps and masses are one piece of evidence', () => {
  const met: Change = { trapsBefore: 'visitor', recentSubmissions: 40, visit: unseen, traps: 3, hasHoneypot: false }
  const { score, verdict, reasons } = scoreOf(but(met))
  const strong = reasons.filter(({ reason }) => strengthOf(reason as ReasonName) === 'strong')
  assert.deepEqual(
    strong.map(({ reason }) => reason),
    ['trap_before', 'flood'],
  )
  assert.deepEqual([score, verdict], [DROPPED_FROM - 1, 'flagged'])
  // With one more that a neighbour has no hand in, they do count.
  assert.equal(scoreOf(but({ ...met, hasAgentChanged: true })).verdict, 'dropped')

  const theirs = (name: ReasonName) => strengthOf(name) !== 'strong' || byNeighbours.has(scoreReasons[name].family)
  fc.assert(
    fc.property(fc.subarray(reasonNames.filter(theirs)), (reasonsOfNeighbours) => {
      assert.notEqual(weigh(reasonsOfNeighbours).verdict, 'dropped')
    }),
    { numRuns: 1000 },
  )
})

test('another reason never lowers the score, but one that speaks for a person never raises it', () => {
  fc.assert(
    fc.property(names, fc.constantFrom(...reasonNames), (reasons, added) => {
      const others = reasons.filter((name) => name !== added)
      const [before, after] = [weigh(others).score, weigh([...others, added]).score]
      assert.ok(scoreReasons[added].points > 0 ? after >= before : after <= before)
    }),
    { numRuns: 1000 },
  )
})

test('points below 0 are those that speak for a person, and strong ones alone stay below the flag', () => {
  for (const name of reasonNames) {
    const { points, strength, sentence } = scoreReasons[name]
    assert.equal(points < 0, strength === 'human')
    assert.ok(points < FLAGGED_FROM)
    if (strength === 'strong') assert.ok(points >= 35)
    assert.match(sentence, /^[A-Z].*\.$/)
  }
})
