// The page views of a document: when one begins, how long it was looked at and how far scrolled, and when it is over, also where the document
// stays and its address changes. All of it is seen by looking four times a second: no function of the page is replaced, and no scrolling held up.
import { isShown } from '../shared/ready.ts'
import { guard } from '../shared/report.ts'
import { ask, headerValue, post } from '../shared/send.ts'
import { versionOf } from '../shared/version.ts'
import type { Answer, SignalsOptions } from '../signals.ts'

interface Load {
  readonly session_id?: string
  readonly view_id?: string
}

let options: SignalsOptions
let settle: (id: PromiseLike<string | null> | null) => void
/** The id of the visitor's session, once a page has been shown; null when the service cannot be asked, or is not. */
export let session = new Promise<string | null>((resolve) => {
  settle = resolve
})
export let sessionId: string | null = null

/** Of the view that is open, if one is: its load, and its id as soon as the service has taken it in. */
let open: Promise<Load | null> | undefined
let id: string | undefined
let place: string
let referrer: string
let status: number | string | undefined
let isCounting: boolean
let looked: number
/** Milliseconds looked at, and after how many of them they are told again. */
let spent: number
let due: number
/** The lowest point that was on the screen, in pixels (the page may still grow) and in percent; -1 when there is nothing to scroll. */
let lowest: number
let max: number
/** What the service knows, in one number. */
let told: number

export const call = (path: string, body: object): Promise<Answer> =>
  post(`${options.base}/v2/signal/${path}`, { ...body, site_id: options.key })

function report(event: string): void {
  const tos = Math.round(spent / 1000)
  if (id && told !== (told = tos * 1000 + max)) void call(`${id}/ping`, { event, tos, max })
}

function begin(address: string): void {
  const headers = {
    'X-SVC-ID': options.key,
    'X-SVC-LIB': versionOf('signals'),
    'X-SVC-PAGE': headerValue(address),
    'X-SVC-TITLE': headerValue(document.title),
    'X-SVC-SRC': headerValue(referrer),
    'X-SVC-STATUS': `${status || 200}`,
    'X-SVC-DIM': `${innerWidth}x${innerHeight}`,
  }
  const load = (open = ask<Load>(`${options.base}/v2/signal/load`, { headers }))
  referrer = address
  spent = lowest = 0
  max = told = -1
  due = 5000 // the first report; the following ones each after twice the time, at most a minute apart
  session = load.then((answer) => {
    const { session_id, view_id } = answer || {}
    if (load === open) id = view_id
    // Left before the service had answered: there may be no other occasion.
    if (!isCounting) report('hide')
    return (sessionId = session_id || sessionId)
  })
  settle(session)
}

function end(): void {
  if (open) report('hide')
  open = id = status = undefined
}

function measure(): void {
  const longestMs = 2000 // between two looks counts no more: a machine that sleeps is not read from
  const { scrollHeight } = document.documentElement
  if (isCounting) spent += Math.min(performance.now() - looked, longestMs)
  lowest = Math.max(lowest, scrollY + innerHeight)
  // A pixel may come from rounding.
  max = scrollHeight > innerHeight + 1 ? Math.min(100, Math.round((lowest / scrollHeight) * 100)) : -1
}

function look(): void {
  const longestPauseMs = 60_000
  const { hash, spa } = options
  const address = hash === undefined ? (location.href.split('#')[0] as string) : location.href
  // Not the query, which is filters and orders as often as pages.
  const here = address.replace(/\?[^#]*/, '')
  // In a frame the focus may well be with the page around it.
  const isLooked = isShown() && (document.hasFocus() || self !== parent)
  // The next one begins with the next look: frameworks write the title, and redirect, right after they have changed the address.
  if (open && here !== place && spa !== 'off') end()
  else if (open) {
    measure()
    if (isCounting !== isLooked || spent > due) report(isLooked ? 'tick' : 'hide')
    if (spent > due) due += Math.min(due, longestPauseMs)
  } else if (isShown() && document.readyState !== 'loading') begin(address)
  place = here
  looked = performance.now()
  isCounting = isLooked
}

/** Counts a view now. */
export function view(next?: number | string): void {
  end()
  status = next
  look()
}

/** Counts the pages that are shown from now on; one that is out of sight waits, for it may never be looked at. */
export function watchPages(given: SignalsOptions): void {
  options = given
  referrer = document.referrer
  const safely = guard(options.base, options.key, 'signals')
  // The last that a page hears of when it is closed.
  addEventListener('visibilitychange', safely(look))
  // The back-forward cache gives the document back as it was left.
  addEventListener(
    'pageshow',
    safely((event) => event.persisted && view()),
  )
  setInterval(safely(look), 250)
  view(options.status)
}

/** Leaves this page out: whoever waits for a session is told that there is none. */
export const skipPages = (): void => settle(null)
