// The conversions of the property under test, made before the traffic begins, and which facts of a session
// meet them, by docs/definitions.md ("Conversions").
import type { Send } from './client.ts'
import { isRecord } from './compare.ts'
import type { Session } from './fold.ts'
import type { Owner } from './forms.ts'
import { type Form, known } from './world.ts'

/** What counts: a type, and what narrows it down; null: all of the type. */
export interface Conversion {
  readonly type: 'event' | 'page_view' | 'acquisition' | 'form_submit'
  readonly value: string | null
}

const conversionsOf = (forms: ReadonlyMap<string, Form>): readonly Conversion[] => [
  { type: 'event', value: null },
  { type: 'event', value: 'signup' },
  { type: 'page_view', value: '/docs/*' },
  { type: 'page_view', value: '/pricing' },
  { type: 'acquisition', value: null },
  { type: 'form_submit', value: null },
  ...[...forms.values()].map(({ id }) => ({ type: 'form_submit', value: id }) as const),
]

/** By id. */
export async function makeConversions(
  send: Send,
  { propertyId, admin }: Owner,
  forms: ReadonlyMap<string, Form>,
): Promise<ReadonlyMap<string, Conversion>> {
  const made = new Map<string, Conversion>()
  for (const [index, { type, value }] of conversionsOf(forms).entries()) {
    const body = { name: `Conversion ${index}`, event_type: type, event_value: value }
    const headers = { authorization: `Bearer ${admin}` }
    const answer = await send('POST', `/manage/properties/${propertyId}/conversions`, headers, body)
    const data = answer.body['data']
    const conversion = isRecord(data) ? data['conversion'] : undefined
    if (!isRecord(conversion)) throw new Error(`not made: ${JSON.stringify(answer)}`)
    made.set(String(conversion['id']), { type, value })
  }
  return made
}

/** A star stands for any run of characters, everything else for itself. */
const fits = (pattern: string, path: string): boolean => {
  const parts = pattern.split('*').map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`))
  return new RegExp(`^${parts.join('.*')}$`, 's').test(path)
}

/** How many facts of the session meet it. */
export function timesMet({ type, value }: Conversion, session: Session, forms: ReadonlyMap<string, Form>): number {
  if (type === 'acquisition') return session.money.length
  if (type === 'event') return session.events.filter(({ name }) => value === null || name === value).length
  if (type === 'page_view') return session.views.filter(({ path }) => value === null || fits(value, path)).length
  return session.forms.filter(({ form }) => value === null || known(forms, form).id === value).length
}
