// Counts how a form is filled in, sent as `_sig` (docs/api/forms.md): evidence of a person.

/**
 * Since the page was opened, for all of its forms: 1 after the mouse moved (m), and after something scrolled
 * (s).
 */
export interface Moves {
  m: number
  s: number
}

/** Takes an event of the named field; returns the signals. */
export type Person = readonly [hear: (event: Event, name: string) => void, signals: () => object]

/**
 * The first event starts the count; keys and focus count only when the visitor, not a script, caused them.
 */
export function countPerson(moves: Readonly<Moves>): Person {
  let begunMs = 0
  let trigger = ''
  const counts = { keydown: 0, focusin: 0 }
  const changed = new Set<string>()
  return [
    ({ type, isTrusted, timeStamp }, name) => {
      // The time of the event: the first ones are delivered late.
      begunMs = begunMs || timeStamp
      trigger = trigger || type
      // Events of other types are ignored.
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
