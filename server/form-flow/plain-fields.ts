// The fields of a plain HTML form: what of them is meant for the service, and what is answered. No library
// declares them beforehand, so an open form takes what comes, and a managed one what its owner defined.
import type { SentPair } from '../http/plain-bodies.ts'
import type { Pay } from '../kernel/pay.ts'
import { readEmail } from '../kernel/email.ts'
import type { Form, Frozen } from '../forms/form-model.ts'
import { frozenOf, readFrozen } from '../forms/rules.ts'
import type { Sent } from './check.ts'

/** Fields that are meant for the service; `_charset_` is filled in by browsers. */
const controls = ['_next', '_source', '_gotcha', '_page', '_charset_'] as const
type Control = (typeof controls)[number]

const isControl = (name: string): name is Control => controls.some((control) => control === name)

export interface PlainSent {
  /** The last value of each; '' for those that were not sent. */
  readonly control: Readonly<Record<Control, string>>
  /** In the order of the page; a list where a name came several times. */
  readonly data: Sent
}

export function readPlain(pairs: readonly SentPair[]): PlainSent {
  const control = Object.fromEntries(controls.map((name) => [name, ''])) as Record<Control, string>
  const data = Object.create(null) as Record<string, string | string[]>
  for (const [name, value] of pairs) {
    if (isControl(name)) control[name] = value
    else if (data[name] === undefined) data[name] = value
    else data[name] = [data[name], value].flat()
  }
  return { control, data }
}

/** By what it holds: of a plain form only names and texts are known. */
function typeOf(name: string, value: unknown): string {
  const texts = [value].flat().map(String)
  if (/e-?mail/i.test(name) && texts.every((text) => readEmail(text) !== undefined)) return 'email'
  return texts.some((text) => /[\r\n]/.test(text)) ? 'textarea' : 'text'
}

/** @throws Problem('validation_failed') for an open form with too many fields, or strange names. */
export function plainFrozen(form: Form, data: Sent, pay: Pay): Frozen {
  if (form.kind === 'managed') return frozenOf(form)
  const types = Object.entries(data).map(([name, value]) => [name, typeOf(name, value)] as const)
  return readFrozen(Object.fromEntries(types), undefined, pay)
}

/** Without what a managed form does not know: a button with a name, say. */
export function knownData({ fields }: Frozen, data: Sent): Sent {
  const names = new Set(fields.map(({ name }) => name))
  return Object.fromEntries(Object.entries(data).filter(([name]) => names.has(name)))
}
