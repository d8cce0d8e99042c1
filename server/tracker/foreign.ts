// Whether an id that is unknown to a property is a genuine one of another: then the caller made a mistake,
// and is refused.
import { setImmediate } from 'node:timers/promises'
import type { Context } from '../context.ts'
import { hasSessionIdShape, readSessionId } from '../kernel/ids.ts'

/** Properties tried per turn of the event loop, about a millisecond: more would delay other requests. */
const AT_ONCE = 250

/** Every property has to be tried: an id is signed for its property, and does not name it. */
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
