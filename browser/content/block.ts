// One element of a page: requests its block, shows it without moving its surroundings, and reports views and
// clicks.
import type { KeptContent, ShownContent } from '../content.ts'
import { post } from '../shared/send.ts'
import { LATE_MS, LONGEST_LOOK_MS, SEEN_MS, STEPS } from './limits.ts'

/**
 * Counts the time since the last call; must be called every LOOK_MS, and when the page is hidden or shown.
 */
export type Look = () => void

/** Undefined when it fails. */
export type Safely = <T extends unknown[], R>(act: (...given: T) => R) => (...given: T) => R | undefined

type Answer = ShownContent | KeptContent

export function openBlock(element: HTMLElement, base: string, safely: Safely): Look {
  let isInView: boolean | undefined
  let isCounting: boolean | undefined
  let looked: number
  let dwell = 0
  let told = 0
  let track: (what: object) => unknown

  const view = (): void => {
    told = dwell
    track({ action: 'view', dwell_ms: Math.round(dwell) })
  }
  const look = (): void => {
    const now = performance.now()
    if (isCounting) dwell += Math.min(now - looked, LONGEST_LOOK_MS)
    looked = now
    // Transparent counts as invisible; browsers before 2024 cannot tell.
    isCounting =
      isInView &&
      !document.hidden &&
      (!element.checkVisibility || element.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
    if (told ? !isCounting && dwell > told : dwell >= SEEN_MS) view()
  }
  /** Returns the detail of the page's event. */
  const show = (answer: Answer): Answer => {
    if (!answer || !answer.success) return answer
    const { html, ctas, ...ids } = answer
    track = (what) => post(`${base}/v2/content/track`, { ...ids, ...what })
    const seen = safely((entries: IntersectionObserverEntry[]) => {
      const last = entries.pop() as IntersectionObserverEntry
      isInView = last.intersectionRatio >= 0.5 || last.intersectionRect.height * 2 >= innerHeight
      look()
    })
    const clicked = safely((click: MouseEvent) => {
      const link = (click.target as Element).closest('a,button,[data-cta]') as HTMLElement
      if (!element.contains(link) || click.button > 1) return // null is in no element
      const led = ctas.find(({ url }) => url && url === link.getAttribute('href'))
      look()
      if (!told) view()
      track({ action: 'click', cta_key: link.dataset['cta'] || (led && led.key), element_key: link.dataset['element'] })
    })
    const observer = new IntersectionObserver(seen, { threshold: [...Array(STEPS)].map((_, step) => step / STEPS) })
    const height = getComputedStyle(element).height
    element.innerHTML = html
    element.style.minHeight = height
    observer.observe(element)
    element.addEventListener('click', clicked, true)
    element.addEventListener('auxclick', clicked, true)
    return answer
  }
  // A page that sends no referrer must still send the service its host: without it there is no content.
  void Promise.race([
    fetch(`${base}/v2/content/${encodeURIComponent(element.dataset['footfallContent'] as string)}/render`, {
      credentials: 'omit',
      referrerPolicy: 'origin',
    })
      .then((answer) => answer.json() as Promise<Answer>)
      .catch(() => null), // an absent service
    new Promise<undefined>((resolve) => setTimeout(resolve, LATE_MS)),
  ])
    .then(safely(show))
    .then(safely((detail) => element.dispatchEvent(new CustomEvent('footfall:content', { bubbles: true, detail }))))
  return look
}
