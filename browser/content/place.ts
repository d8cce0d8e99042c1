// One place on a page: its block is asked for, shown without a jump of what is around it, and what is seen and clicked of it is told.
import type { KeptContent, ShownContent } from '../content.ts'
import { ask } from '../shared/send.ts'
import { LATE_MS, LONGEST_LOOK_MS, SEEN_MS, STEPS } from './limits.ts'

/** Counts the time since the last look; to be called every LOOK_MS, and when the page is hidden or shown. */
export type Look = () => void

type Safely = <T extends unknown[]>(act: (...given: T) => unknown) => (...given: T) => void

export function openPlace(place: HTMLElement, base: string, safely: Safely): Look {
  let isSettled: boolean | undefined
  let isInView: boolean | undefined
  let isCounting: boolean | undefined
  let looked: number
  let dwell = 0
  let told = 0
  let track: (action: string, more: object) => unknown

  const view = (): void => {
    told = dwell
    track('view', { dwell_ms: Math.round(dwell) })
  }
  const look = (): void => {
    const now = performance.now()
    if (isCounting) dwell += Math.min(now - looked, LONGEST_LOOK_MS)
    looked = now
    isCounting = isInView && !document.hidden
    if (told ? !isCounting && dwell > told : dwell >= SEEN_MS) view()
  }
  const show = ({ html, ctas, ...ids }: ShownContent): void => {
    track = (action, more) => ask(`${base}/v2/content/track`, {}, { ...ids, action, ...more })
    place.style.minHeight = getComputedStyle(place).height
    place.innerHTML = html
    const seen = safely((entries: IntersectionObserverEntry[]) => {
      const last = entries.pop() as IntersectionObserverEntry
      isInView = last.intersectionRatio >= 0.5 || last.intersectionRect.height * 2 >= innerHeight
      look()
    })
    const clicked = safely((click: MouseEvent) => {
      const link = (click.target as Element).closest<HTMLElement>('a,button,[data-cta]')
      if (click.button > 1 || !link || !place.contains(link)) return
      const led = ctas.find(({ url }) => url && url === link.getAttribute('href'))
      look()
      if (!told) view()
      track('click', { cta_key: link.dataset['cta'] || (led && led.key), element_key: link.dataset['element'] })
    })
    new IntersectionObserver(seen, { threshold: [...Array(STEPS)].map((_, step) => step / STEPS) }).observe(place)
    place.addEventListener('click', clicked, true)
    place.addEventListener('auxclick', clicked, true)
  }
  const settle = safely((answer?: ShownContent | KeptContent) => {
    if (isSettled) return
    isSettled = true
    if (answer && answer.success) show(answer)
    place.dispatchEvent(new CustomEvent('footfall:content', { bubbles: true, detail: answer }))
  })

  setTimeout(settle, LATE_MS)
  // A page that tells nobody where it is has to tell the service its host: without, there is no content.
  void ask<ShownContent | KeptContent>(`${base}/v2/content/${place.dataset['footfallContent']}/render`, {
    referrerPolicy: 'origin',
  }).then(settle)
  return look
}
