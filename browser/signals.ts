// Page views, time and scroll, events: the tracker calls of the service, from a page. Nothing here throws, stores anything or waits for the page.
import { guard } from './shared/report.ts'
import { isIgnored } from './signals/ignore.ts'
import { readClick } from './signals/links.ts'
import { call, session, sessionId, skipPages, view, watchPages } from './signals/pages.ts'

/** As in the attributes of a script tag: those that turn something on do so with any text, also with ''. */
export interface SignalsOptions {
  /** The key of the property. */
  readonly key: string
  /** Address of the service, without a slash at its end: `https://stats.example.com`. */
  readonly base: string
  /** The part of the address behind # is a page of its own. */
  readonly hash?: string | true
  /** Navigation within the document is no page view; `view()` tells of them. */
  readonly spa?: 'off'
  /** Clicks on links to other sites are events. */
  readonly outbound?: string | true
  /** Clicks on links to files are events: the endings of their names, `pdf|zip`, or '' for the usual ones. */
  readonly downloads?: string
  /** The HTTP status that the page came with; 404 is an event, too. */
  readonly status?: number | string | undefined
}

/** What the service says; null when it could not be asked, or the visit is not counted. */
export type Answer = { readonly success: boolean; readonly message?: string } | null
export type Scalar = string | number | boolean | null

export interface Acquisition {
  /** Minor units of the currency: cents. */
  readonly value?: number
  readonly currency_code?: string
  readonly tags?: readonly string[]
}

export interface Identity {
  readonly external_id?: string
  readonly email?: string
  readonly traits?: Readonly<Record<string, unknown>>
}

export interface Signals {
  /** Begins to count; calls made before wait for it. Once for each page: another call changes nothing. */
  readonly start: (options: SignalsOptions) => void
  /** Counts a page view: for pages that do their own navigation (`spa: false`). */
  readonly view: (status?: number) => void
  readonly event: (name: string, value?: Scalar, meta?: Readonly<Record<string, unknown>>) => Promise<Answer>
  readonly acquisition: (acquisition: Acquisition) => Promise<Answer>
  /** At least one of external_id and email. */
  readonly identify: (identity: Identity) => Promise<Answer>
  /** The id of the visitor's session; null when there is none. */
  readonly resolve: () => Promise<string | null>
  /** The id of the session, null until it is known. */
  readonly session: string | null
}

async function act(action: string, body: object): Promise<Answer> {
  const id = await session
  return id ? call(`${id}/${action}`, body) : null
}

let isStarted = false

export const signals: Signals = {
  get session() {
    return sessionId
  },
  start(options) {
    if (isStarted) return
    isStarted = true
    if (isIgnored()) return skipPages()
    const { base, key, outbound, downloads, status } = options
    const safely = guard(base, key, 'signals')
    const onClick = safely((click: MouseEvent) => readClick(click, outbound, downloads, signals.event))
    addEventListener('click', onClick, true)
    addEventListener('auxclick', onClick, true)
    if (`${status}` === '404') void signals.event('404', location.pathname)
    safely(watchPages)(options)
  },
  view,
  event: (event, value, meta) => act('event', { event, value, meta }),
  acquisition: (acquisition) => act('acquisition', acquisition),
  identify: (identity) => act('identify', identity),
  resolve: () => session,
}
