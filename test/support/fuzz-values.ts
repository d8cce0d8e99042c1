// What a fuzzer puts where something else belongs: values of every kind and size, and one small change to a
// body that was right.
import type { Chance } from './chance.ts'
import { hostileTexts } from './hostile-texts.ts'

const nested = (depth: number, isList: boolean): unknown =>
  JSON.parse(isList ? '['.repeat(depth) + ']'.repeat(depth) : `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`)

/** Own keys of these names, as only JSON can say them. */
const prototypeKeys: readonly unknown[] = [
  JSON.parse('{"__proto__":{"isAdmin":true,"name":"x"}}'),
  JSON.parse('{"constructor":{"prototype":{"name":"x"}}}'),
  JSON.parse('{"toString":"x","hasOwnProperty":1,"length":-1}'),
]

const plainValues: readonly unknown[] = [
  null,
  true,
  false,
  0,
  -1,
  1.5,
  1e308,
  -1e308,
  5e-324,
  2 ** 31,
  2 ** 32,
  2 ** 53,
  -(2 ** 63),
  1e21,
  '',
  ' ',
  '0',
  '1e999',
  '2026-02-30',
  '9999-12-31',
  '-0001-01-01',
  '2026-11-01T00:00:00+99:99',
  '\u0000',
  '\ud800',
  'a\udc00b',
  '\u202e\u2066x',
  '{id:String}',
  '%{x}',
  '%E0%A4%A',
  "x' OR '1'='1",
  '\\',
  'x\r\nSet-Cookie: a=b',
  'İ',
  'ﬁ'.repeat(200),
  'e\u0301'.repeat(300),
  [],
  {},
  [[]],
  [null],
  [{}],
  { '': '' },
  nested(60, false),
  nested(200, true),
  ...prototypeKeys,
]

/** Lengths about which limits are drawn. */
const LENGTHS = [63, 64, 65, 119, 120, 121, 255, 256, 500, 501, 1000, 1001, 2048, 2049, 8001, 20_000]
const COUNTS = [20, 21, 50, 51, 100, 101, 1001]
/** Of what is long: it costs both sides much more than the rest. */
const LONG = 0.04

export function strangeValue(chance: Chance): unknown {
  if (chance.is(LONG)) return chance.of(['x', 'é', '\u{1F600}', '<a>', '"']).repeat(chance.of(LENGTHS))
  if (chance.is(LONG)) return Array.from({ length: chance.of(COUNTS) }, (_, n) => (chance.is(0.5) ? `v${n}` : n))
  // A copy: what is put into a body may be spoiled itself.
  return chance.is(0.3) ? chance.of(hostileTexts) : structuredClone(chance.of(plainValues))
}

/** As text, for a place in an address or a header. */
export function strangeText(chance: Chance): string {
  const value = strangeValue(chance)
  return (typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).toWellFormed().slice(0, 3000)
}

type Place = readonly [holder: Record<string, unknown> | unknown[], key: string | number]

/** Everything inside that could be something else. */
function placesIn(value: unknown, found: Place[] = []): Place[] {
  if (typeof value !== 'object' || value === null) return found
  for (const key of Object.keys(value)) {
    const holder = value as Record<string, unknown>
    found.push([holder, key])
    placesIn(holder[key], found)
  }
  return found
}

function set([holder, key]: Place, value: unknown): void {
  Object.defineProperty(holder, key, { value, enumerable: true, configurable: true, writable: true })
}

/** The same thing as another type: what a careless client sends. */
function retyped(value: unknown): unknown {
  if (typeof value === 'string') return value.length % 2 === 0 ? [value] : { value }
  if (typeof value === 'number') return String(value)
  if (typeof value === 'boolean') return value ? 'true' : 0
  return JSON.stringify(value)
}

const changes: readonly ((place: Place, chance: Chance) => void)[] = [
  (place, chance) => set(place, strangeValue(chance)),
  (place, chance) => set(place, strangeValue(chance)),
  (place) => set(place, retyped((place[0] as Record<string, unknown>)[place[1]])),
  ([holder, key]) => void Reflect.deleteProperty(holder, key),
  ([holder], chance) => set([holder, strangeText(chance).slice(0, 80)], strangeValue(chance)),
  ([holder]) => set([holder, '__proto__'], { isAdmin: true }),
]

/** @param body is changed; a copy is the caller's affair. @returns what is to be sent. */
export function spoil(body: unknown, chance: Chance): unknown {
  const places = placesIn(body)
  if (places.length === 0 || chance.is(0.03)) return strangeValue(chance)
  for (let n = 1 + chance.below(2); n > 0; n--) chance.of(changes)(chance.of(places), chance)
  return body
}

const brokenBodies = [
  '',
  '{"a":',
  '{"a":1}}',
  '[1,2',
  '"',
  'nul',
  '{"a":1e999,"a":-1e999}',
  '\u0000',
  '\uFEFF{}',
  '{"value":1E400,"name":"\\ud800","event":"\\u0000"}',
  '['.repeat(20_000),
  `${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`,
  'a=1&b[]=2&__proto__[x]=3',
  '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--x--',
  '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>',
]

/** No JSON, or not what it seems. */
export const brokenBody = (chance: Chance): string => chance.of(brokenBodies)
