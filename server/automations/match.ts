// Which automations a trigger fires. Comparing takes time in proportion to the texts, whatever pattern the
// owner wrote.
import { upperEscapes } from '../kernel/paths.ts'
import type { Listener, Trigger, TriggerEvent } from '../kernel/triggers.ts'
import { countedBy, triggers, type TriggerType } from '../kernel/trigger-table.ts'
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

const isSame = (type: TriggerType, value: string, subject: string): boolean =>
  triggers[type].value === 'path' ? isSamePath(value, subject) : value === subject

/** Whether the listener waits for just this. Its type is that of the trigger. */
export function matches({ eventType, eventValue }: Listener, trigger: Trigger): boolean {
  if (eventType !== trigger.event.type) return false
  return eventValue === null || trigger.subjects.some((subject) => isSame(eventType, eventValue, subject))
}

/** What the value of a conversion is compared with. */
function subjectOf(event: TriggerEvent): string | null {
  const { value } = triggers[event.type]
  if (value === 'path') return event.page_path ?? ''
  return value === 'form' ? event.form_id : event.name
}

/**
 * Whether the event by itself meets the definition: a delivery may be rendered before the facts have the
 * event.
 */
export function meets(event: TriggerEvent, { event_type, event_value }: Conversion): boolean {
  if (event.type !== event_type) return false
  if (countedBy(event_type).isOfMoney) return event.value !== null
  if (event_value === null) return true
  const subject = subjectOf(event)
  return subject !== null && isSame(event_type, event_value, subject)
}
