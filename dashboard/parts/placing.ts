// Puts what floats beside what it belongs to, inside the window, whatever the size of either.

const GAP = 6
const EDGE = 8

export type Align = 'start' | 'center' | 'end'

/** Places a shown element in the top layer below its anchor, or above it where there is more room. */
export function placeBeside(floating: HTMLElement, anchor: Element, align: Align = 'start'): void {
  const at = anchor.getBoundingClientRect()
  const roomBelow = innerHeight - at.bottom - GAP - EDGE
  const roomAbove = at.top - GAP - EDGE
  floating.style.maxHeight = ''
  const wanted = floating.scrollHeight
  const isAbove = wanted > roomBelow && roomAbove > roomBelow
  floating.style.maxHeight = `${Math.max(80, isAbove ? roomAbove : roomBelow)}px`
  const { width, height } = floating.getBoundingClientRect()
  const lefts: Readonly<Record<Align, number>> = {
    start: at.left,
    center: at.left + (at.width - width) / 2,
    end: at.right - width,
  }
  const most = Math.max(EDGE, document.documentElement.clientWidth - width - EDGE)
  floating.style.left = `${Math.min(Math.max(EDGE, lefts[align]), most)}px`
  floating.style.top = `${isAbove ? at.top - GAP - height : at.bottom + GAP}px`
}
