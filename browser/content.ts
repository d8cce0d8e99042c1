// A/B content: fills the elements that ask for a block, those of now and those to come. What stood there stays whenever anything fails, and nothing
// here throws at the page.
import { LOOK_MS } from './content/limits.ts'
import { type Look, openPlace, type Safely } from './content/place.ts'
import { ask } from './shared/send.ts'

export interface ContentOptions {
  /** Address of the service, `https://stats.example.com`. */
  readonly base: string
  /** The key of the property: only to tell its owner of errors. */
  readonly key?: string | undefined
}

/** What a click may count as; `url` null: the page decides what happens. */
export interface Cta {
  readonly key: string
  readonly label: string
  readonly url: string | null
}

/** The service's answer, and the detail of the event `footfall:content` of a place that shows it. The event happens on the element and bubbles. */
export interface ShownContent {
  readonly success: true
  readonly request_id: string
  readonly content_id: string
  readonly content_key: string
  readonly version_id: string
  readonly version_label: string
  readonly html: string
  readonly ctas: readonly Cta[]
}

/** The detail of `footfall:content` where what stood there stays; null or undefined when there was no answer in time, or it could not be shown. */
export type KeptContent = { readonly success: false; readonly message: string } | null | undefined

export interface Content {
  /** Fills `<div data-footfall-content="KEY">` from now on. Once for each page: another call, also of another copy of this script, changes nothing. */
  start(options: ContentOptions): void
}

// One for all copies of this script on a page, so that none shows and counts everything twice; and no field of a form can have that name.
const mark = Symbol.for('footfall')

interface Place extends HTMLElement {
  [mark]?: Look
}

export const content: Content = {
  start({ base, key }) {
    let isReported = !key
    const safely: Safely =
      (act) =>
      (...given) => {
        try {
          return act(...given)
        } catch (error) {
          // Under the name that the service knows.
          if (!isReported)
            void ask(
              `${base}/v2/lib/error`,
              {},
              { property_id: key, error: `content/${LIBRARY_VERSION} ${error as string}`, lib: 'signals' },
            )
          isReported = true
        }
      }
    const look = safely(() => {
      // The parser would go on adding to what has been filled.
      if (document.readyState === 'loading') return
      document.querySelectorAll<Place>('[data-footfall-content]').forEach(
        safely((place) => {
          const count = (place[mark] = place[mark] || openPlace(place, base, safely))
          count()
        }),
      )
    })
    addEventListener('visibilitychange', look)
    // Also for elements to come: cheaper than to be told of every change that a page makes.
    setInterval(look, LOOK_MS)
    look()
  },
}
