// Page views, time and scroll, calls: what every page needs. Nothing here throws at the page, stores anything
// unasked or delays anything. It polls the page four times a second: no function of the page is replaced, and
// scrolling is not delayed. What only some pages need is in extras.ts.
import { post } from '../shared/send.ts'

/** As in the attributes of a script tag: switches are turned on by any text, also by ''. */
export interface SignalsOptions {
  /** The key of the property. */
  readonly key: string
  /** URL of the service, without a trailing slash: `https://stats.example.com`. */
  readonly base: string
  /** The fragment of the URL (#) is a page of its own. */
  readonly hash?: string | true
  /** Navigation within the document is no page view; `view()` reports them. */
  readonly spa?: 'off'
  /** Clicks on links to other sites are events. */
  readonly outbound?: string | true
  /** Clicks on links to files are events: file extensions, `pdf|zip`, or '' for the usual ones. */
  readonly downloads?: string
  /** The HTTP status of the page; 404 is an event, too. */
  readonly status?: number | string | undefined
  /** How fast pages are for visitors is measured. In a script tag alone: npm has `watchVitals`. */
  readonly vitals?: string
  /** Nothing is sent before `optIn()`, of today or of an earlier page. */
  readonly consent?: string | true
  /** Properties of the page views: author, section, plan. `set()` adds to them. */
  readonly props?: Props
}

export type Props = Readonly<Record<string, Scalar>>

/** The service's answer; null when there is none, or the visit is not counted. */
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

type Queueable = Pick<Signals, 'view' | 'event' | 'acquisition' | 'identify' | 'resolve' | 'set' | 'optIn' | 'optOut'>

/** A call that a page queues before the script has loaded: the function's name and its arguments. */
export type QueuedCall = { [Name in keyof Queueable]: readonly [Name, ...Parameters<Queueable[Name]>] }[keyof Queueable]

export interface Signals {
  /**
   * Starts counting; earlier calls wait for it. Once per page: further calls change nothing.
   * @param calls what a page has queued: they come before the first view, which they may give properties.
   */
  readonly start: (options: SignalsOptions, ...calls: QueuedCall[]) => void
  /** Counts a page view: for pages that do their own navigation (`spa: 'off'`). */
  readonly view: (status?: number) => void
  readonly event: (name: string, value?: Scalar, meta?: Readonly<Record<string, unknown>>) => Promise<Answer>
  readonly acquisition: (acquisition: Acquisition) => Promise<Answer>
  /** At least one of external_id and email. */
  readonly identify: (identity: Identity) => Promise<Answer>
  /** The id of the visitor's session; null when there is none. */
  readonly resolve: () => Promise<string | null>
  /** Properties for the page views that follow; null takes one away. */
  readonly set: (props: Props) => void
  /** This browser is counted from now on, also where consent is required; kept in localStorage. */
  readonly optIn: () => void
  /** This browser is no longer counted, here and on every further page; kept in localStorage. */
  readonly optOut: () => void
  /** Runs a queued call: `signals.push(['event', 'signup'])`. Invalid ones are skipped. */
  readonly push: (...calls: QueuedCall[]) => void
  /** The id of the session, null until it is known. */
  readonly session: string | null
  /** That of the property, once it is started. */
  readonly key?: string
}

/** The service's answer to a load. */
interface Load {
  readonly session_id?: string
  readonly view_id?: string
}

/** Only this file may write these. */
interface Own {
  key?: string
  session: string | null
}

// One page, one property: the following state is shared by the functions below. One file and one scope keep
// the script small; form/report.ts is repeated here for the same reason.
/** As they were given, also where the visit is not counted. */
let asked: SignalsOptions
/** Undefined before the start, and where the visit is not counted. */
let options: SignalsOptions | undefined
/** What the visitor, or the owner of the browser, has chosen. */
let choice: unknown
let props: Props
let isReported: boolean
let settle: () => void
let settled: Promise<void>
const unsettle = (): void => {
  settled = new Promise((resolve) => {
    settle = resolve
  })
}
unsettle()

/** The current view, if any; its load is set when the service has accepted it. */
let open: Load | undefined
let place: string
let referrer: string
let status: number | string | undefined
/** When the page was last polled; false while it is hidden. */
let looked: number | false
/** Milliseconds of visibility, and the threshold of the next report. */
let spent: number
let due: number
/**
 * The lowest visible point, in pixels (the page may still grow) and in percent; -1 when the page does not
 * scroll.
 */
let lowest: number
let max: number

const call = (path: string, body: object): Promise<Answer> =>
  post(`${asked.base}/v2/signal/${path}`, { site_id: asked.key, ...body })

/** Wraps functions so that they never throw at the page; the first error is reported. */
const safely =
  <T extends unknown[]>(act: (...given: T) => void) =>
  (...given: T): void => {
    try {
      act(...given)
    } catch (error) {
      if (asked && !isReported)
        void post(`${asked.base}/v2/lib/error`, {
          lib: 'signals',
          property_id: asked.key,
          error: `signals/${LIBRARY_VERSION} ${error as string}`,
        })
      isReported = true
    }
  }

const report = (): void => {
  if (open && open.view_id)
    void call(`${open.view_id}/ping`, { tos: Math.round(spent / 1000), max, event: document.visibilityState })
}

const begin = (address: string): void => {
  // Of an address as much as the service keeps; of the others it takes less.
  const longest = 2048
  const load: Load = (open = {})
  void call('load', {
    page: address.slice(0, longest),
    title: document.title.slice(0, longest),
    src: (referrer || document.referrer).slice(0, longest),
    status,
    dim: `${innerWidth}x${innerHeight}`,
    lib: `signals/${LIBRARY_VERSION}`,
    props,
  }).then((answer) => {
    // Whoever has opted out meanwhile has no session.
    if (!options) return
    ;(signals as Own).session = Object.assign(load, answer).session_id || signals.session
    settle()
    // The page is being left before the service answered: there may be no other chance.
    if (spent && !looked) report()
  })
  spent = lowest = 0
  max = -1
  referrer = address
  due = 5000 // the first report; the following ones each after twice the time, at most a minute apart
}

const end = (): void => {
  report()
  status = open = undefined
}

const look = safely(() => {
  if (!options) return
  const address = location.href.replace(options.hash === undefined ? /#.*/ : '', '')
  // Without the query, which often holds filters and sort orders.
  const here = address.replace(/\?[^#]*/g, '')
  // Chromium reports a prerendered page as visible a moment before it is: the service takes requests until
  // then for a prefetch.
  const isHidden = (document as Document & { readonly prerendering?: boolean }).prerendering || document.hidden
  // In a frame, the page around it may have the focus.
  const isLooked = !isHidden && (top !== self || document.hasFocus())
  // The next view starts with the next poll: frameworks set the title, and redirect, right after they change
  // the URL.
  if (open && options.spa !== 'off' && here !== place) end()
  else if (open) {
    const height = document.documentElement.scrollHeight
    // Between two looks two seconds count at most: a machine that sleeps is not read from.
    if (looked) spent += Math.min(performance.now() - looked, 2000)
    lowest = Math.max(scrollY + innerHeight, lowest)
    // One pixel may be a rounding error.
    max = height > innerHeight + 1 ? Math.round(100 * Math.min(lowest / height, 1)) : -1
    if (looked && !isLooked) report()
    else if (spent > due) {
      due += Math.min(due, 60_000)
      report()
    }
    // Without a body the title is not there yet.
  } else if (!isHidden && document.body) begin(address)
  looked = isLooked && performance.now()
  place = here
})

const view = (next?: number | string): void => {
  if (!options) return
  end()
  status = next
  look()
}

const resolve = (): Promise<string | null> => settled.then(() => signals.session)

const act = (action: string, body: object): Promise<Answer> =>
  resolve().then((id) => (id && call(`${id}/${action}`, body)) as Promise<Answer> | null)

/** The only thing that is ever stored, and only on request. */
const choose = (next: string): void => {
  choice = next
  try {
    localStorage['signals'] = next
  } catch {
    // No storage: the choice holds for this page.
  }
}

const count = (): void => {
  options = asked
  props = { ...options.props, ...props }
  view(options.status)
}

export const signals: Signals = {
  session: null,
  start(given, ...calls) {
    if (asked) return
    asked = given
    ;(signals as Own).key = given.key
    signals.push(...calls)
    location.search.replace(/[?&]signals=(off|on)(&|$)/, (_, next: string) => choose(next) as unknown as string)
    try {
      choice = localStorage['signals']
    } catch {
      // No storage: nothing can have been chosen earlier.
    }
    if (choice === 'off' || (given.consent !== undefined && choice !== 'on')) settle()
    else if (!options) count()
    // The last event of a page that is closed; older Safaris only send the other one.
    addEventListener('visibilitychange', look)
    // The back-forward cache may restore the document: that is another view.
    addEventListener('pagehide', look)
    addEventListener('pagehide', end)
    setInterval(look, 250)
  },
  view,
  event: (event, value, meta) => act('event', { event, value, meta }),
  identify: (identity) => act('identify', identity),
  acquisition: (acquisition) => act('acquisition', acquisition),
  resolve,
  set(given) {
    props = { ...props, ...given }
  },
  optIn() {
    choose('on')
    if (options || !asked) return
    unsettle()
    count()
  },
  optOut() {
    choose('off')
    options = open = undefined
    ;(signals as Own).session = null
    settle()
  },
  push: (...calls) =>
    calls.forEach(safely(([name, ...given]) => (signals[name] as (...given: unknown[]) => void)(...given))),
}
