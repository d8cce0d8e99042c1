// Comparing an answer with what the oracle expects: only expected keys are looked at, lists must have the
// same length, and a number that docs/definitions.md rounds may fall either way when it is exactly half way.

export interface Difference {
  readonly path: string
  readonly expected: string
  readonly got: string
}

/** Says what was expected when the value is wrong, and nothing when it is right. */
export type Check = (got: unknown) => string | undefined

const close = 1e-6

export const isRounded = (got: unknown, exact: number, decimals: number) =>
  typeof got === 'number' &&
  Math.abs(got - exact) <= 0.5 / 10 ** decimals + close / 10 ** decimals &&
  Math.abs(got * 10 ** decimals - Math.round(got * 10 ** decimals)) < close

export const rounded =
  (exact: number, decimals: number): Check =>
  (got) =>
    isRounded(got, exact, decimals) ? undefined : `${exact} rounded to ${decimals} decimals`

export const about =
  (exact: number, tolerance: number): Check =>
  (got) =>
    typeof got === 'number' && Math.abs(got - exact) <= tolerance ? undefined : `about ${exact}`

export const anything: Check = () => undefined

/** A key that must not be there, or be null. */
export const absent: Check = (got) => (got === undefined || got === null ? undefined : 'nothing')

export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const show = (value: unknown) => (value === undefined ? 'nothing' : JSON.stringify(value).slice(0, 400))

function leafDifference(expected: unknown, got: unknown): string | undefined {
  if (typeof expected === 'function') return (expected as Check)(got)
  if (expected instanceof RegExp) return typeof got === 'string' && expected.test(got) ? undefined : String(expected)
  return Object.is(expected, got) ? undefined : show(expected)
}

export function differences(expected: unknown, got: unknown, path = ''): Difference[] {
  if (Array.isArray(expected)) {
    if (!Array.isArray(got)) return [{ path, expected: 'a list', got: show(got) }]
    const length = expected.length === got.length ? [] : differences(expected.length, got.length, `${path}.length`)
    return [...length, ...expected.flatMap((each, index) => differences(each, got[index], `${path}[${index}]`))]
  }
  if (isRecord(expected) && !(expected instanceof RegExp)) {
    if (!isRecord(got)) return [{ path, expected: 'an object', got: show(got) }]
    return Object.entries(expected).flatMap(([key, each]) => differences(each, got[key], path ? `${path}.${key}` : key))
  }
  const wanted = leafDifference(expected, got)
  return wanted === undefined ? [] : [{ path, expected: wanted, got: show(got) }]
}
