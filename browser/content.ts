// A/B content: fills the elements that ask for a block, those of now and those to come. What stood there stays whenever anything fails, and nothing
// here throws at the page.
import { LOOK_MS } from './content/limits.ts'
import { type Look, openPlace } from './content/place.ts'
import { guard } from './shared/report.ts'

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

/** The service's answer. The event `footfall:shown` has it as its detail; both events happen on the element and bubble. */
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

/** The detail of `footfall:kept`; null or undefined when the service could not be asked or did not answer in time. */
export type KeptContent = { readonly success: false; readonly message: string } | null | undefined

export interface Content {
  /** Fills `<div data-footfall-content="KEY">` from now on. Once for each page: another call, also of another copy of this script, changes nothing. */
  start(options: ContentOptions): void
}

/** Kept at the element, so that another copy of this script does not show and count everything twice. */
interface Place extends HTMLElement {
  footfall?: Look
}

export const content: Content = {
  start({ base, key }) {
    const safely = guard(base, key, 'content', 'signals')
    const look = safely(() => {
      // The parser would go on adding to what has been filled.
      if (document.readyState === 'loading') return
      document.querySelectorAll<Place>('[data-footfall-content]').forEach((place) => {
        if (place.footfall) place.footfall()
        else place.footfall = openPlace(place, base, safely)
      })
    })
    addEventListener('visibilitychange', look)
    // Also for elements to come: cheaper than to be told of every change that a page makes.
    setInterval(look, LOOK_MS)
    look()
  },
}
