// What a page reports about how its form was filled in: `_sig` of docs/api/forms.md. It comes from the
// visitor's machine, so it is evidence and no proof.

/** More than any page counts; larger numbers were not counted. */
const MAX_COUNT = 1e9
const MAX_WORD = 32

const counts = { dur: 'durationMs', k: 'keystrokes', f: 'focuses', t: 'touched', p: 'plugins', l: 'languages' } as const
const flags = { m: 'hasMoved', s: 'hasScrolled', w: 'isAutomated' } as const

/** Members that were not sent are undefined: their absence means nothing. */
export interface Signals {
  /** False when a member has a type that no page sends: then all others are unknown too. */
  readonly isReadable: boolean
  /**
   * Since the first interaction, by the visitor's clock. May be below 0, as all counts may: that is judged
   * elsewhere.
   */
  readonly durationMs?: number
  readonly keystrokes?: number
  readonly focuses?: number
  /** Fields that were changed. */
  readonly touched?: number
  readonly plugins?: number
  readonly languages?: number
  readonly hasMoved?: boolean
  readonly hasScrolled?: boolean
  /** navigator.webdriver */
  readonly isAutomated?: boolean
  /** What the visitor did first, in the page's own words. */
  readonly trigger?: string
}

const unreadable: Signals = Object.freeze({ isReadable: false })

/** The number in a number, in its text, or in true and false. Null: there is none. */
function numberOf(value: unknown): number | null {
  if (typeof value === 'boolean') return Number(value)
  const isText = typeof value === 'string' && value.length <= MAX_WORD && /^\s*-?\d+(\.\d+)?\s*$/.test(value)
  const number = isText ? Number(value) : value
  return typeof number === 'number' && Math.abs(number) <= MAX_COUNT ? number : null
}

const truths: Readonly<Record<string, boolean>> = { true: true, false: false }

function flagOf(value: unknown): boolean | null {
  if (typeof value === 'string' && Object.hasOwn(truths, value)) return truths[value] ?? null
  const number = numberOf(value)
  return number === null ? null : number !== 0
}

function triggerOf(value: unknown): string | null {
  if (typeof value === 'string') return value.slice(0, MAX_WORD)
  const number = numberOf(value)
  return number === null ? null : String(number)
}

type Read = (value: unknown) => number | boolean | string | null

const members: readonly (readonly [name: string, as: string, read: Read])[] = [
  ...Object.entries(counts).map(([name, as]) => [name, as, numberOf] as const),
  ...Object.entries(flags).map(([name, as]) => [name, as, flagOf] as const),
  ['gt', 'trigger', triggerOf],
]

/** Undefined when there are none; unknown members are ignored. */
export function readSignals(value: unknown): Signals | undefined {
  if (value === undefined || value === null) return undefined
  if (typeof value !== 'object' || Array.isArray(value)) return unreadable
  const given = new Map(Object.entries(value))
  if (given.size === 0) return undefined
  const read: Record<string, unknown> = { isReadable: true }
  for (const [name, as, from] of members) {
    const member = given.get(name)
    if (member === undefined || member === null) continue
    const found = from(member)
    if (found === null) return unreadable
    read[as] = found
  }
  // Each member was read by the function of its type.
  return read as unknown as Signals
}
