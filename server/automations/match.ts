// Which automations a trigger fires. Comparing takes time in proportion to the texts, whatever pattern the owner wrote.
import { upperEscapes } from '../kernel/paths.ts'
import type { Listener, Trigger, TriggerEvent, TriggerType } from '../kernel/triggers.ts'
import type { Conversion } from '../conversions/conversion-model.ts'

/** `*` stands for any run of characters, also an empty one; everything else for itself. */
export function pathMatches(pattern: string, path: string): boolean {
  const [first = '', ...rest] = pattern.split('*')
  const last = rest.pop()
  if (last === undefined) return path === pattern
  if (!path.startsWith(first)) return false
  // The earliest place of each piece leaves most room for the others.
  let at = first.length
  for (const piece of rest) {
    const found = path.indexOf(piece, at)
    if (found < 0) return false
    at = found + piece.length
  }
  return path.length - at >= last.length && path.endsWith(last)
}

/** However the site writes what is encoded. */
const isSamePath = (pattern: string, path: string) => pathMatches(upperEscapes(pattern), upperEscapes(path))

const equals = (value: string, subject: string) => value === subject

const comparisons: Partial<Record<TriggerType, (value: string, subject: string) => boolean>> = {
  page_view: isSamePath,
}

/** Whether the listener waits for just this. Its type is that of the trigger. */
export function matches({ eventType, eventValue }: Listener, trigger: Trigger): boolean {
  if (eventType !== trigger.event.type) return false
  if (eventValue === null) return true
  const compare = comparisons[eventType] ?? equals
  return trigger.subjects.some((subject) => compare(eventValue, subject))
}

/** Whether the event by itself meets the definition: it may be told of before the facts have it. */
export function meets(event: TriggerEvent, { event_type, event_value }: Conversion): boolean {
  if (event.type !== event_type) return false
  if (event_type === 'acquisition') return event.value !== null
  if (event_value === null) return true
  if (event_type === 'page_view') return isSamePath(event_value, event.page_path ?? '')
  return event_value === (event_type === 'form_submit' ? event.form_id : event.name)
}
