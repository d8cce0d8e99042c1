import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { openVersions } from './versions.ts'

const day = (number: number) => new Date(Date.UTC(2026, 0, 1) + number * 86_400_000).toISOString().slice(0, 10)

test('a write changes the version of its property, and of every later day, and no other property', () => {
  const anyWrite = fc.record({ ofOther: fc.boolean(), on: fc.nat({ max: 40 }) })
  fc.assert(
    fc.property(fc.array(anyWrite, { maxLength: 60 }), fc.nat({ max: 45 }), (writes, before) => {
      const versions = openVersions()
      for (const { ofOther, on } of writes) {
        const [mine, past, theirs] = [versions.of('a'), versions.of('a', day(before)), versions.of('b')]
        versions.raise('views', [{ property: ofOther ? 'b' : 'a', day: day(on) }])
        assert.equal(versions.of('a') !== mine, !ofOther)
        assert.equal(versions.of('b') !== theirs, ofOther)
        if (!ofOther && on < before) assert.notEqual(versions.of('a', day(before)), past)
        if (ofOther) assert.equal(versions.of('a', day(before)), past)
      }
    }),
  )
})

test('a write to one table leaves what is known of others', () => {
  const versions = openVersions()
  const before = [versions.of('a', undefined, ['clicks', 'marks']), versions.of('a', undefined, ['views'])]
  versions.raise('views', [{ property: 'a', day: day(1) }])
  assert.equal(versions.of('a', undefined, ['clicks', 'marks']), before[0])
  assert.notEqual(versions.of('a', undefined, ['views']), before[1])
  versions.raise('marks', [{ property: 'a', day: day(1) }])
  assert.notEqual(versions.of('a', undefined, ['clicks', 'marks']), before[0])
})

test('the writes of today leave what is known of the days before', () => {
  const versions = openVersions()
  for (let number = 0; number < 30; number++) versions.raise('views', [{ property: 'a', day: day(number) }])
  const past = versions.of('a', day(30))
  versions.raise('views', [
    { property: 'a', day: day(30) },
    { property: 'a', day: day(31) },
  ])
  assert.equal(versions.of('a', day(30)), past)
  versions.raise('views', [{ property: 'a', day: day(30), session_day: '1970-01-01', session: '0' }])
  assert.equal(versions.of('a', day(30)), past)
  versions.raise('views', [{ property: 'a', day: day(30), session_day: day(29), session: '5' }])
  assert.notEqual(versions.of('a', day(30)), past)
  const [all, other] = [versions.of('a'), versions.of('b', day(1))]
  versions.raiseAll()
  assert.notEqual(versions.of('a'), all)
  assert.notEqual(versions.of('b', day(1)), other)
  assert.notEqual(openVersions().of('a'), versions.of('a'), 'another start is another version')
})
