// A/B content: fills the elements that name a block, present and future ones. On any failure their content
// stays, and nothing here throws at the page.
import { LOOK_MS } from './content/limits.ts'
import { type Look, openBlock, type Safely } from './content/block.ts'
import { post } from './shared/send.ts'

export interface ContentOptions {
  /** Address of the service, `https://stats.example.com`. */
  readonly base: string
  /** The key of the property: only for reporting errors to its owner. */
  readonly key?: string | undefined
}

/** What a click may count as; `url` null: the page decides what happens. */
export interface Cta {
  readonly key: string
  readonly label: string
  readonly url: string | null
}

/**
 * The service's answer, and the detail of the event `footfall:content` on an element that shows it. The event
 * bubbles.
 */
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

/**
 * The detail of `footfall:content` when the element keeps its content; null or undefined when there was no
 * answer in time, or it could not be shown.
 */
export type KeptContent = { readonly success: false; readonly message: string } | null | undefined

export interface Content {
  /**
   * Fills `<div data-footfall-content="KEY">` from now on. Once per page: further calls, also by other copies
   * of this script, change nothing.
   */
  start(options: ContentOptions): void
}

// Shared by all copies of this script on a page, so that none shows and counts everything twice; no form
// field can have this name.
const mark = Symbol.for('footfall')

interface BlockElement extends HTMLElement {
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
          // The name that the service knows.
          if (!isReported)
            void post(`${base}/v2/lib/error`, {
              property_id: key,
              error: `content/${LIBRARY_VERSION} ${error as string}`,
              lib: 'signals',
            })
          isReported = true
        }
      }
    const look = safely(() => {
      // The parser would add further children after it was filled.
      if (document.readyState === 'loading') return
      document.querySelectorAll<BlockElement>('[data-footfall-content]').forEach(
        safely((element) => {
          const count = (element[mark] = element[mark] || openBlock(element, base, safely))
          count()
        }),
      )
    })
    addEventListener('visibilitychange', look)
    // Also finds future elements: cheaper than a MutationObserver.
    setInterval(look, LOOK_MS)
    look()
  },
}
