// What a page asks for by options and attributes beyond its page views: events of elements that name one,
// clicks on links to other sites and files, the missing page. A file of its own: most pages need none of it.
import { namedBy } from '../shared/named.ts'
import { post } from '../shared/send.ts'
import type { Signals, SignalsOptions } from './core.ts'

/** Files that a browser saves instead of showing, and documents. */
const USUAL_FILES = 'docx?|xlsx?|pptx?|pdf|zip|rar|dmg|exe|csv|epub|mp[34]'

/** Without the link's query, which may contain personal data. */
function readLink(signals: Signals, { outbound, downloads }: SignalsOptions, link: HTMLAnchorElement): void {
  const address = link.origin + link.pathname
  const isFile =
    downloads !== undefined && RegExp(`\\.(${downloads.replace(/[^\w|]/g, '\\$&') || USUAL_FILES})$`, 'i').test(address)
  if (isFile) void signals.event('download', address)
  else if (outbound !== undefined && link.host !== location.host) void signals.event('outbound', address)
}

/** Reads clicks and sent forms from now on; the first error is reported. */
export function watchActs(signals: Signals, options: SignalsOptions): void {
  let isReported = false
  const readAct = (act: MouseEvent | SubmitEvent): void => {
    // The left or the middle button; sending a form has none.
    if ('button' in act && act.button > 1) return
    // Also within a shadow root, of the element or around it.
    const path = act.composedPath() as HTMLElement[]
    // A click into a form does not send it.
    const isSent = act.type === 'submit'
    const named = path.find(
      ({ dataset, tagName }) => dataset && dataset['signalsEvent'] && (tagName === 'FORM') === isSent,
    )
    if (named) {
      const { event, value, ...meta } = namedBy(named, 'data-signals-')
      void signals.event(event as string, value, meta)
    }
    // The origin of other URLs (mailto:, whatsapp://send) is '' or 'null'.
    const link = path.find((element): element is HTMLAnchorElement => {
      return element.tagName === 'A' && Boolean((element as HTMLAnchorElement).origin[4])
    })
    if (link && !isSent) readLink(signals, options, link)
  }
  const safely = (act: MouseEvent | SubmitEvent): void => {
    try {
      readAct(act)
    } catch (error) {
      const words = `signals/${LIBRARY_VERSION} ${error as string}`
      if (!isReported)
        void post(`${options.base}/v2/lib/error`, { lib: 'signals', property_id: options.key, error: words })
      isReported = true
    }
  }
  for (const type of ['click', 'auxclick', 'submit'] as const) addEventListener(type, safely, true)
  if (+(options.status as string) === 404) void signals.event('404', location.pathname)
}
