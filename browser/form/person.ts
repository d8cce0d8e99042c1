// How a form is filled in, counted as it happens and told as `_sig` (docs/api/forms.md): evidence that a person did it, of which nothing is made up.

/** Since the page was opened, for all of its forms: 1 after the mouse moved (m), and after something scrolled (s). */
export interface Moves {
  m: number
  s: number
}

/** Hears of what happens to the named field; tells the signals. */
export type Person = readonly [hear: (event: Event, name: string) => void, signals: () => object]

/** What begins the count is the first event that is heard; keys and focus count only where they were the visitor's and not a script's. */
export function countPerson(moves: Readonly<Moves>): Person {
  let begunMs = 0
  let trigger = ''
  const counts = { keydown: 0, focusin: 0 }
  const changed = new Set<string>()
  return [
    ({ type, isTrusted, timeStamp }, name) => {
      // When it happened: of the first ones one hears late.
      begunMs = begunMs || timeStamp
      trigger = trigger || type
      // What comes of other types is told to nobody.
      if (isTrusted) counts[type as 'keydown']++
      if (/^[ic]/.test(type)) changed.add(name)
    },
    () => ({
      dur: begunMs && Math.round(performance.now() - begunMs),
      gt: trigger,
      k: counts.keydown,
      f: counts.focusin,
      ...moves,
      t: changed.size,
      w: +navigator.webdriver,
      p: navigator.plugins.length,
      l: navigator.languages.length,
    }),
  ]
}
