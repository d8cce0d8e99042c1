// Marks what was searched for in what was found, without a change to the page: ranges that the browser paints
// (CSS Custom Highlight API). Where it cannot, nothing is marked.
import { useLayoutEffect } from 'react'

/** As ::highlight(found) of the style sheets. */
const NAME = 'found'
/** More are not looked at. */
const MOST = 200

function rangesIn(root: HTMLElement, words: string): Range[] {
  const ranges: Range[] = []
  const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
  for (let node = texts.nextNode(); node && ranges.length < MOST; node = texts.nextNode()) {
    const text = node.textContent?.toLowerCase() ?? ''
    // Letters that change their length with their case would be marked beside themselves.
    if (text.length !== node.textContent?.length) continue
    for (let at = text.indexOf(words); at >= 0; at = text.indexOf(words, at + words.length)) {
      const range = new Range()
      range.setStart(node, at)
      range.setEnd(node, at + words.length)
      ranges.push(range)
    }
  }
  return ranges
}

/** After each render: what is found changes with it. @param words '' for none. */
export function useFoundMarks(find: () => HTMLElement | null, words: string): void {
  useLayoutEffect(() => {
    const wanted = words.trim().toLowerCase()
    const root = find()
    if (!('highlights' in CSS) || wanted === '' || !root) return undefined
    CSS.highlights.set(NAME, new Highlight(...rangesIn(root, wanted)))
    return () => void CSS.highlights.delete(NAME)
  })
}
