// What a share link is told, over random small worlds: every question that can be asked about a window is
// asked, and no two answers of which one is known to lie in the other differ by one or two sessions.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import { rounds } from '../../test/support/long.ts'
import { type Footfall, startFootfall } from '../../test/support/server.ts'
import { openShare } from '../../test/support/shares.ts'

const WORLDS = rounds(1, 40)
const FEWEST = 3
/** Of the questions about so many fields, one in so many. */
const SOME = [1, 1, rounds(3, 1), rounds(16, 5)]
const isFew = (count: number): boolean => count > 0 && count < FEWEST

const closers: (() => Promise<void>)[] = []
let footfall: Footfall
after(async () => {
  for (const close of closers) await close()
})
before(async () => {
  footfall = await startFootfall({ after: (close) => closers.push(close) }, { now: Date.parse('2026-11-20T13:05:07Z') })
})

const values = {
  entry_path_full: ['/a', '/b', '/c'],
  utm_source: ['x', 'y'],
  language: ['en-US', 'en-GB', 'de-DE'],
} as const
type Field = keyof typeof values
type Visit = Readonly<Record<Field, string>>

/** Values of fields: a set of sessions. `primary` is what everybody knows of a language. */
type Named = Readonly<Partial<Record<Field | 'primary', readonly string[]>>>

const primaryOf = (language: string): string => language.slice(0, 2).toUpperCase()
const isIn = (visit: Visit, named: Named): boolean =>
  Object.entries(named).every(([field, wanted]) =>
    wanted.includes(field === 'primary' ? primaryOf(visit.language) : visit[field as Field]),
  )

const withPrimary = (named: Named): Named =>
  named.language ? { ...named, primary: [...new Set(named.language.map(primaryOf))] } : named

/** Whether everybody who knows the questions knows that the one set holds the other. */
const isKnownToHold = (outer: Named, inner: Named): boolean => {
  const known = withPrimary(inner)
  return Object.entries(outer).every(([field, wanted]) =>
    known[field as Field]?.every((value) => wanted.includes(value)),
  )
}

const choicesOf = (field: Field): (readonly string[] | undefined)[] => {
  const [first, second] = values[field]
  return [undefined, ...values[field].map((value) => [value]), [first, second]]
}

/** Every question about the fields. */
const questions: readonly Named[] = choicesOf('entry_path_full')
  .flatMap((entry_path_full) =>
    choicesOf('utm_source').flatMap((utm_source) =>
      choicesOf('language').map((language) => ({ entry_path_full, utm_source, language })),
    ),
  )
  .map((named) => Object.fromEntries(Object.entries(named).filter(([, wanted]) => wanted !== undefined)) as Named)

/** Those that this world is asked: of one field all, of more some. */
const someOf = (start: number): Named[] =>
  questions.filter((named, index) => {
    const every = SOME[Object.keys(named).length]!
    return (start + index) % every === 0
  })

interface Told {
  readonly named: Named
  readonly sessions: number
}

async function tellAll(visits: readonly Visit[], asked: readonly Named[]): Promise<Told[]> {
  const { id, key } = await footfall.addProperty()
  const loads = visits.map(({ entry_path_full, utm_source, language }, index) =>
    footfall.track.load({
      key,
      language,
      address: `198.51.100.${index}`,
      page: `https://example.com${entry_path_full}?utm_source=${utm_source}`,
    }),
  )
  await Promise.all(loads)
  const share = await openShare(footfall, id)
  const told: Told[] = []
  for (const named of asked) {
    const clauses = Object.entries(named).map(([field, value]) => ({ id: field, op: 'equals', value }))
    const body = { period: 'today', clauses }
    const { status, json } = await footfall.call('POST', '/v2/property/signals/analytics/metrics', { ...share, body })
    assert.equal(status, 200, JSON.stringify(json))
    const { period_metrics, period_top_dimensions, period_country_lang } = json.analytics
    const whole: number = period_metrics.summary.sessions.current
    if (whole > 0) told.push({ named, sessions: whole })
    const lists = { ...period_top_dimensions.dimensions, primary: undefined }
    const rowsOf = (field: Field | 'primary'): (readonly [string, number])[] =>
      field === 'primary'
        ? Object.entries(period_country_lang.languages as Record<string, number>)
        : (lists[field]?.data ?? []).map((row: { id: string; value: number }) => [row.id, row.value] as const)
    for (const field of ['entry_path_full', 'language', 'primary'] as const) {
      const rows = rowsOf(field)
      const rest = whole - rows.reduce((sum, [, sessions]) => sum + sessions, 0)
      assert.ok(!isFew(rest), `${JSON.stringify(named)}: ${field} leaves ${rest}`)
      for (const [value, sessions] of rows) {
        const before = named[field] ?? [value]
        assert.ok(before.includes(value))
        told.push({ named: { ...named, [field]: [value] }, sessions })
      }
    }
  }
  return told
}

const visit: fc.Arbitrary<Visit> = fc.record({
  entry_path_full: fc.constantFrom(...values.entry_path_full),
  utm_source: fc.constantFrom(...values.utm_source),
  language: fc.constantFrom(...values.language),
})
const times = (kind: Visit, count: number): Visit[] => Array.from({ length: count }, () => kind)

/** Every value has enough of them to be told, whatever else is visited. */
const shown: readonly Visit[] = [
  { entry_path_full: '/a', utm_source: 'x', language: 'en-US' },
  { entry_path_full: '/b', utm_source: 'y', language: 'en-GB' },
  { entry_path_full: '/c', utm_source: 'x', language: 'de-DE' },
].flatMap((kind: Visit) => times(kind, FEWEST))

/** Beside them some of a kind, often too few. */
const world = fc
  .array(fc.tuple(visit, fc.integer({ min: 1, max: 6 })), { minLength: 3, maxLength: 7 })
  .map((kinds) => [...shown, ...kinds.flatMap(([kind, count]) => times(kind, count))])

test('no two answers about one window differ by one or two sessions, and each is true', async () => {
  let count = 0
  await fc.assert(
    fc.asyncProperty(world, fc.nat({ max: 999 }), async (visits, start) => {
      footfall.clock.advance(60_000) // a share has so many calls a minute
      const told = await tellAll(visits, someOf(start))
      count += told.length
      const model = (named: Named) => visits.filter((one) => isIn(one, named)).length
      for (const { named, sessions } of told) {
        assert.equal(sessions, model(named), JSON.stringify(named))
        assert.ok(!isFew(sessions))
      }
      for (const outer of told)
        for (const inner of told)
          if (isKnownToHold(outer.named, inner.named))
            assert.ok(!isFew(outer.sessions - inner.sessions), `${JSON.stringify(outer)} less ${JSON.stringify(inner)}`)
    }),
    { numRuns: WORLDS, endOnFailure: true },
  )
  assert.ok(count > WORLDS * 10, `${count} answers and rows were told`)
})
