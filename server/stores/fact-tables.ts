// The tables of facts: every column with the value that a row has where its writer says nothing. The types of
// rows, and the encoding of rows (facts/rows.ts), follow from it; test/support/facts-contract.ts holds it to
// what the migrations make.

import { NEVER_MS } from '../kernel/days.ts'

/** `at` of a row that is no page view: so it never wins the `min` of a first touch. */
export { NEVER_MS }

export type EventKind = 'event' | 'acquisition' | 'identify'

/**
 * `view`: a page asked for a form session; `open`: the visitor began; `submit`: kept for the owner; `drop`:
 * kept apart as spam.
 */
export type FormEventKind = 'view' | 'open' | 'submit' | 'drop'

/**
 * In the order in which columns are sent. A column missing here would be lost in silence. Times are integer
 * milliseconds.
 */
const declared = {
  /**
   * What a page view appends; a ping appends the key, `seen`, `seconds` and `scroll` alone. Times are integer
   * milliseconds.
   */
  views: {
    property: '',
    /** YYYY-MM-DD: the session's day, which is the UTC day of its first view. */
    day: '1970-01-01',
    /** The session hash, an unsigned 64-bit integer in decimal. */
    session: '0',
    view: 0,
    at: NEVER_MS,
    seen: 0,
    seconds: 0,
    /** -1 unknown, else 0 to 100. */
    scroll: -1,
    url: '',
    hostname: '',
    path: '',
    title: '',
    status: 0,
    width: 0,
    height: 0,
    referrer_url: '',
    referrer_domain: '',
    channel: '',
    method: '',
    source: '',
    utm_source: '',
    utm_medium: '',
    utm_campaign: '',
    utm_term: '',
    utm_content: '',
    /** Name of the click id parameter that came along (gclid, fbclid …); its value is not kept. */
    click_id: '',
    country_code: '',
    country: '',
    region: '',
    city: '',
    timezone: '',
    network: '',
    browser: '',
    os: '',
    device: '',
    language: '',
    is_bot: 0,
    bot_name: '',
    bot_reason: '',
    /** Version of the browser library: `1.1.0`; '' when it named none. */
    library: '',
    /** What the page said of itself (author, section): a JSON object of texts; '' without any. */
    props: '',
  },
  /** Custom events, money, identification. No address, no name, no external id. */
  events: {
    property: '',
    /** The day of the session, not of the event: an order may arrive weeks later. */
    day: '1970-01-01',
    kind: 'event' as EventKind,
    name: '',
    session: '0',
    /** Unsigned 64-bit, decimal; the same on every retry. */
    id: '0',
    view: 0,
    at: 0,
    /** 1 when the visitor's browser sent it (it counts as activity), 0 when the owner's server did. */
    by_visitor: 0,
    value: null as string | null,
    /** The value read as a number, when it is one. */
    number: null as number | null,
    meta: {} as Record<string, string>,
    /** Minor units of `currency`; null when no money came. */
    amount: null as number | null,
    /** ISO 4217, or '' when none was named. */
    currency: '',
    /** USD cents at the rate of the event's day. */
    amount_usd: 0,
    order_id: '',
    tags: [] as string[],
    contact_id: '',
  },
  /** A visit to a short link. */
  clicks: {
    property: '',
    /** UTC day of the click. */
    day: '1970-01-01',
    link_group: '',
    link: '',
    /** Unsigned 64-bit, decimal. */
    id: '0',
    at: 0,
    /**
     * The session to which a page view of the same visitor would belong now: its day, and its hash in
     * decimal.
     */
    session_day: '1970-01-01',
    session: '0',
    /** Where the visitor was sent. */
    destination: '',
    referrer_url: '',
    referrer_domain: '',
    country_code: '',
    country: '',
    region: '',
    city: '',
    network: '',
    browser: '',
    os: '',
    device: '',
    language: '',
    is_bot: 0,
    bot_name: '',
    bot_reason: '',
    /** Clicks that the row stands for: 1, or as many as a flood had. */
    count: 1,
    /** The rule or variant of the link that decided where the visitor went; '' where none did. */
    rule: '',
    /** 1 through the QR code of the link. */
    is_scan: 0,
  },
  /** A step of one form session. Nothing of what was written. */
  form_events: {
    property: '',
    form: '',
    kind: 'view' as FormEventKind,
    /** UTC day of the step. */
    day: '1970-01-01',
    /** Names the form session, in all its steps: unsigned 64-bit, decimal. */
    id: '0',
    at: 0,
    /** The visitor's session, or '1970-01-01' and '0' when none is known. */
    session_day: '1970-01-01',
    session: '0',
    /** What the form was called then. */
    form_name: '',
    source: '',
    country_code: '',
    country: '',
    device: '',
    is_bot: 0,
    /** Of a submit alone: 1 when the spam score flagged it. */
    is_flagged: 0,
    /** Id of the submission, of a submit or a drop. */
    submission: '',
  },
  /**
   * What a visitor saw of a block, or did with it. A row that comes again with the same ids folds into the
   * first.
   */
  impressions: {
    property: '',
    block: '',
    phase: 0,
    version: '',
    kind: 'view' as 'view' | 'click',
    /** UTC day of the render that it belongs to. */
    day: '1970-01-01',
    session_day: '1970-01-01',
    session: '0',
    /** Of the interaction: unsigned 64-bit, decimal. */
    id: '0',
    /** Of the render that it belongs to: unsigned 64-bit, decimal. */
    request: '0',
    at: 0,
    dwell_ms: 0,
    cta_key: '',
    element_key: '',
    event_name: '',
    /** JSON object. */
    meta: '',
    country_code: '',
    device: '',
    is_bot: 0,
    bot_reason: '',
  },
  /** How fast one page was for one visitor. Reported again as the figures grow. */
  vitals: {
    property: '',
    day: '1970-01-01',
    session: '0',
    /** Of the page in its browser: unsigned 32-bit, chosen by the library. */
    id: 0,
    at: 0,
    path: '',
    device: '',
    browser: '',
    country_code: '',
    is_bot: 0,
    /** Milliseconds; -1 when it was not reported, here and below. */
    lcp: -1,
    inp: -1,
    /** In ten-thousandths: the score 0.1 is 1,000. */
    cls: -1,
    fcp: -1,
    ttfb: -1,
  },
  /** A failure in a browser library. */
  lib_errors: {
    property: '',
    day: '1970-01-01',
    lib: '',
    message: '',
    id: '0',
    at: 0,
    browser: '',
    os: '',
    is_bot: 0,
  },
  /** What an owner says of a session. */
  marks: {
    property: '',
    /** Of the session. */
    day: '1970-01-01',
    session: '0',
    /** Twice a number that grows with each word about the session, and one more when it says: invalid. */
    mark: 0,
    /** The marking that says so; '' for one session alone. */
    batch: '',
  },
}

export type FactTables = typeof declared
export type FactTable = keyof FactTables

export type ViewRow = FactTables['views']
export type EventRow = FactTables['events']
export type ClickRow = FactTables['clicks']
export type FormEventRow = FactTables['form_events']
export type ImpressionRow = FactTables['impressions']
export type MarkRow = FactTables['marks']

export const factDefaults: { readonly [T in FactTable]: Readonly<FactTables[T]> } = declared
export const factTables = Object.keys(declared) as readonly FactTable[]
