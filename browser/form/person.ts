// How a form is filled in, counted as it happens and told as `_sig` (docs/api/forms.md): evidence that a person did it, of which nothing is made up.

/** Since the page was opened, for all of its forms: 1 after the mouse moved (m), and after something scrolled (s). */
export interface Moves {
  readonly m: number
  readonly s: number
}

export interface Person {
  /** @param name of the field that the event is about. */
  hear(event: Event, name: string): void
  signals(): object
}

/** To be called once for a page. */
export function watchMoves(): Moves {
  const moves = { m: 0, s: 0 }
  addEventListener('mousemove', () => (moves.m = 1), true)
  addEventListener('scroll', () => (moves.s = 1), true)
  return moves
}

/** What begins the count is the first event that is heard; keys and focus count only where they were the visitor's and not a script's. */
export function countPerson(moves: Moves): Person {
  let begunMs = 0
  let trigger = ''
  const counts: Record<string, number> = {}
  const changed = new Set<string>()
  return {
    hear({ type, isTrusted }, name) {
      begunMs = begunMs || Date.now()
      trigger = trigger || type
      if (isTrusted) counts[type] = (counts[type] || 0) + 1
      if (/^[ic]/.test(type)) changed.add(name)
    },
    signals: () => ({
      dur: begunMs && Date.now() - begunMs,
      gt: trigger,
      k: counts['keydown'] || 0,
      f: counts['focusin'] || 0,
      ...moves,
      t: changed.size,
      w: +navigator.webdriver,
      p: navigator.plugins.length,
      l: navigator.languages.length,
    }),
  }
}
