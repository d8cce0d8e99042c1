// How fast a page was for its visitor, by Google's library web-vitals: LCP, INP, CLS, FCP and TTFB. A file of
// its own: only sites that ask for it load it. What was measured is told when the page is hidden or left.
import { onCLS, onFCP, onINP, onLCP, onTTFB } from 'web-vitals'
import { post } from './shared/send.ts'
import type { Signals, SignalsOptions } from './signals/core.ts'

let isWatching: boolean | undefined

/** Measures from now on, once per page; what the browser has noted before is read as well. */
export function watchVitals(signals: Signals, { base, key }: Pick<SignalsOptions, 'base' | 'key'>): void {
  if (isWatching) return
  isWatching = true
  let page: string
  let id: number
  let measured: Record<string, number>
  let told: string
  const begin = (): void => {
    page = location.href
    id = Math.floor(Math.random() * 2 ** 32)
    measured = {}
    told = '{}'
  }
  const tell = (): void => {
    const sent = { site_id: key, id, page, ...measured }
    const values = JSON.stringify(measured)
    if (!document.hidden || values === told) return
    told = values
    // Nothing is told of a visitor who is not counted: there is no session then.
    void signals.resolve().then((session) => session && post(`${base}/v2/signal/${session}/vitals`, sent))
  }
  begin()
  // The document came back out of the back-forward cache: that is another page view.
  addEventListener('pageshow', ({ persisted }) => persisted && begin(), true)
  for (const watch of [onLCP, onINP, onCLS, onFCP, onTTFB])
    watch(({ name, value }) => {
      measured[name.toLowerCase()] = Math.round(value * 1e4) / 1e4
    })
  // After the library's own listeners, which settle the values of the page that is being left.
  addEventListener('visibilitychange', () => void Promise.resolve().then(tell))
  addEventListener('pagehide', () => void Promise.resolve().then(tell))
}
