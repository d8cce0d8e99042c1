// Whether an id that a property does not know is a genuine one of another property: then it is a mistake of the caller's, and refused.
import { setImmediate } from 'node:timers/promises'
import type { Context } from '../context.ts'
import { hasSessionIdShape, readSessionId } from '../kernel/ids.ts'

/** Ids of properties tried in one go, about a millisecond: more would make every other request wait. */
const AT_ONCE = 250

/** Each property has to be tried: an id proves itself to its own property, and says nothing of which one that is. */
export async function isOfAnotherProperty(
  { keys, properties }: Pick<Context, 'keys' | 'properties'>,
  propertyId: string,
  id: string,
): Promise<boolean> {
  if (!hasSessionIdShape(id)) return false
  const ids = await properties.ids()
  for (let at = 0; at < ids.length; at += AT_ONCE) {
    if (at > 0) await setImmediate()
    const some = ids.slice(at, at + AT_ONCE)
    if (some.some((other) => other !== propertyId && readSessionId(keys, other, id))) return true
  }
  return false
}
