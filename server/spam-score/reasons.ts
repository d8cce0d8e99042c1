// Every reason of the spam score, with its points and its text for the owner. docs/definitions.md lists the
// same.

/** Reasons of one family observe the same thing: together they count as one piece of evidence. */
export type Family =
  | 'automation'
  | 'time'
  | 'honeypot'
  | 'repetition'
  | 'rate'
  | 'signals'
  | 'agent'
  | 'network'
  | 'visit'
  | 'origin'
  | 'content'

/**
 * `strong`: no person does that by the way they use a computer; one alone stays below the threshold for
 * flagging. `medium`: people rarely do. `weak`: people do; all of them together do not flag. `human`:
 * evidence for a person.
 */
export type Strength = 'strong' | 'medium' | 'weak' | 'human'

export interface Reason {
  readonly family: Family
  readonly strength: Strength
  /** Below 0 only for `human`. */
  readonly points: number
  readonly sentence: string
}

const reason = (family: Family, strength: Strength, points: number, sentence: string): Reason => ({
  family,
  strength,
  points,
  sentence,
})

export const scoreReasons = {
  webdriver: reason('automation', 'strong', 45, 'The browser said that a program drives it.'),
  bot_agent: reason('automation', 'strong', 45, 'The user agent is that of a bot or of a browser without a screen.'),
  bot_visit: reason('automation', 'strong', 40, 'The visit behind it was recorded as that of a bot.'),
  instant: reason(
    'time',
    'strong',
    45,
    'It was sent within a second of opening the form, with more than autofill can have written.',
  ),
  quick: reason('time', 'medium', 15, 'Several fields were written within three seconds, and not by hand.'),
  trap_before: reason(
    'honeypot',
    'strong',
    40,
    'The same visitor filled in the invisible field of a form within the last day.',
  ),
  trap_address: reason(
    'honeypot',
    'medium',
    15,
    'Somebody at the same address filled in the invisible field of a form within the last day.',
  ),
  trap_here: reason('honeypot', 'medium', 20, 'The invisible field had been filled in at an earlier try.'),
  trap_absent: reason('honeypot', 'medium', 25, 'The invisible field was not sent along, as every page does.'),
  repeated_often: reason('repetition', 'strong', 40, 'The same text came three times or more within seven days.'),
  repeated: reason('repetition', 'medium', 15, 'The same text came before within seven days.'),
  replayed_often: reason(
    'repetition',
    'strong',
    40,
    'Other texts came with exactly the same signals, twice or more within a day.',
  ),
  replayed: reason('repetition', 'medium', 20, 'Another text came with exactly the same signals within a day.'),
  flood: reason('rate', 'strong', 35, 'More than 20 submissions came from the address within ten minutes.'),
  many: reason('rate', 'medium', 20, 'More than 5 submissions came from the address within ten minutes.'),
  no_signals: reason('signals', 'medium', 20, 'The page sent no signals.'),
  unreadable_signals: reason('signals', 'medium', 30, 'The signals cannot be read.'),
  impossible_often: reason('signals', 'strong', 40, 'The signals contradict themselves in more than one way.'),
  impossible: reason('signals', 'medium', 30, 'The signals cannot be true.'),
  long_duration: reason(
    'signals',
    'medium',
    15,
    'The page counted more time than there was since the form was opened.',
  ),
  untouched: reason(
    'signals',
    'weak',
    5,
    'The signals tell of nothing that happened: no key, no pointer, no field entered.',
  ),
  no_plugins: reason('signals', 'weak', 3, 'The browser names no plugins.'),
  no_languages: reason('signals', 'weak', 3, 'The browser names no languages.'),
  agent_changed: reason('agent', 'strong', 35, 'It was sent by another browser than the one that opened the form.'),
  no_agent: reason('agent', 'medium', 25, 'It was sent without a user agent.'),
  data_centre: reason('network', 'medium', 15, 'It came from a data centre, as programs and some private networks do.'),
  no_visit: reason('visit', 'weak', 10, 'The visitor was seen on no page, although pages are measured.'),
  engaged: reason('visit', 'human', -15, 'The visitor spent ten seconds or more on the pages.'),
  looked_around: reason('visit', 'human', -10, 'The visitor saw two pages or more.'),
  known_contact: reason('visit', 'human', -15, 'The visitor is a contact.'),
  no_origin: reason('origin', 'weak', 10, 'No page was named on which the form stands.'),
  link_markup: reason('content', 'medium', 20, 'A text holds links written as markup.'),
  many_links: reason('content', 'weak', 10, 'The texts hold three links or more.'),
} as const satisfies Record<string, Reason>

export type ReasonName = keyof typeof scoreReasons
export const reasonNames = Object.keys(scoreReasons) as ReasonName[]
