// Links in bytes are found as in a map, whatever is put, changed and removed, and take no more room than
// that.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { rounds } from '../../test/support/long.ts'
import { LINK_END, PackedLinks } from './packed-links.ts'

const place = fc.constantFrom('link-a', 'link-b', 'link', 'go.example')
const code = fc.oneof(fc.stringMatching(/^[\w-]{1,3}$/), fc.constantFrom('aaa', 'aab', 'x'.repeat(64)))
/** From a few bytes to more than a chunk holds beside others. */
const text = fc
  .tuple(fc.string({ maxLength: 9 }), fc.constantFrom(0, 3, 5, 200_000, 1_100_000))
  .map(([start, more]) => `1\nln\nlg\n${start.replaceAll(String.fromCharCode(LINK_END), '')}ä${'x'.repeat(more)}`)
const change = fc.oneof(
  fc.record({ does: fc.constant('put' as const), place, code, text }),
  fc.record({ does: fc.constant('delete' as const), place, code, text: fc.constant('') }),
)

test('whatever is put and removed, each link is found where it is, as it was put last', () => {
  fc.assert(
    fc.property(fc.array(change, { maxLength: 40 }), (changes) => {
      const links = new PackedLinks()
      const known = new Map<string, string>()
      for (const { does, place, code, text } of changes) {
        links[does](place, code, text)
        if (does === 'put') known.set(`${place}/${code}`, text)
        else known.delete(`${place}/${code}`)
      }
      assert.equal(links.size, known.size)
      for (const { place, code } of changes) assert.ok(links.find(place, code) === known.get(`${place}/${code}`))
    }),
    { numRuns: rounds(30, 2000) },
  )
})

const MANY = 30_000
const lines = (from: number, to: number, word: string): Buffer =>
  Buffer.from(
    Array.from({ length: to - from }, (_, n) => `link-a\nc${from + n}\n${word} ${from + n}`).join(
      String.fromCharCode(LINK_END),
    ),
  )

test('many at once are found, changed and removed, and what was is not kept', async () => {
  const links = new PackedLinks()
  links.putAll(lines(0, MANY, 'one'))
  const bytes = links.bytes
  for (let round = 0; round < 20; round++) links.putAll(lines(0, MANY, `two ${round}`))
  assert.equal(links.size, MANY)
  for (let n = 0; n < MANY; n += 7) assert.equal(links.find('link-a', `c${n}`), `two 19 ${n}`)
  assert.ok(links.bytes < bytes * 3, `${links.bytes} bytes after ${bytes}`)
  links.put('link-a', 'c1', 'stays')
  await links.removeWhere((packed) => packed.startsWith('two'))
  assert.deepEqual([links.size, links.find('link-a', 'c1'), links.find('link-a', 'c2')], [1, 'stays', undefined])
  for (const odd of ['', 'c', 'c1\nst', 'ç1', '\u{1f600}']) assert.equal(links.find('link-a', odd), undefined)
  assert.equal(links.find('link', 'c1'), undefined)
  links.clear()
  assert.deepEqual([links.size, links.bytes, links.find('link-a', 'c1')], [0, 0, undefined])
})
