// One place on a page: its block is asked for, shown without a jump of what is around it, and what is seen and clicked of it is told.
import type { KeptContent, ShownContent } from '../content.ts'
import { ask } from '../shared/send.ts'
import { LATE_MS, LONGEST_LOOK_MS, SEEN_MS, STEPS } from './limits.ts'

/** Counts the time since the last look; to be called every LOOK_MS, and when the page is hidden or shown. */
export type Look = () => void

/** Undefined when it fails. */
export type Safely = <T extends unknown[], R>(act: (...given: T) => R) => (...given: T) => R | undefined

type Answer = ShownContent | KeptContent

export function openPlace(place: HTMLElement, base: string, safely: Safely): Look {
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
    // Transparent is as good as not there; browsers of before 2024 cannot say.
    isCounting =
      isInView &&
      !document.hidden &&
      (!place.checkVisibility || place.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
    if (told ? !isCounting && dwell > told : dwell >= SEEN_MS) view()
  }
  /** Answers what the page is to be told. */
  const show = (answer: Answer): Answer => {
    if (!answer || !answer.success) return answer
    const { html, ctas, ...ids } = answer
    track = (what) => ask(`${base}/v2/content/track`, {}, { ...ids, ...what })
    const seen = safely((entries: IntersectionObserverEntry[]) => {
      const last = entries.pop() as IntersectionObserverEntry
      isInView = last.intersectionRatio >= 0.5 || last.intersectionRect.height * 2 >= innerHeight
      look()
    })
    const clicked = safely((click: MouseEvent) => {
      const link = (click.target as Element).closest('a,button,[data-cta]') as HTMLElement
      if (!place.contains(link) || click.button > 1) return // null is in no place
      const led = ctas.find(({ url }) => url && url === link.getAttribute('href'))
      look()
      if (!told) view()
      track({ action: 'click', cta_key: link.dataset['cta'] || (led && led.key), element_key: link.dataset['element'] })
    })
    const observer = new IntersectionObserver(seen, { threshold: [...Array(STEPS)].map((_, step) => step / STEPS) })
    const height = getComputedStyle(place).height
    place.innerHTML = html
    place.style.minHeight = height
    observer.observe(place)
    place.addEventListener('click', clicked, true)
    place.addEventListener('auxclick', clicked, true)
    return answer
  }
  // A page that tells nobody where it is has to tell the service its host: without, there is no content.
  void Promise.race([
    ask<Answer>(`${base}/v2/content/${encodeURIComponent(place.dataset['footfallContent'] as string)}/render`, {
      referrerPolicy: 'origin',
    }),
    new Promise<undefined>((resolve) => setTimeout(resolve, LATE_MS)),
  ])
    .then(safely(show))
    .then(safely((detail) => place.dispatchEvent(new CustomEvent('footfall:content', { bubbles: true, detail }))))
  return look
}
