// QR codes in colour: what is asked for is what is drawn, and what cameras cannot read is known.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inflateSync } from 'node:zlib'
import * as fc from 'fast-check'
import { ADMIN_TOKEN, startFootfall } from '../../test/support/server.ts'
import { addGroup, addLink } from '../../test/support/visits.ts'
import { contrastOf, plainLook, qrFaults } from './look.ts'

test('contrast is that of WCAG, whichever of both colours is darker', () => {
  assert.equal(Math.round(contrastOf(plainLook)), 21)
  assert.equal(contrastOf({ color: '#777777', background: '#777777' }), 1)
  const color = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, '0')}`)
  fc.assert(
    fc.property(color, color, (one, other) => {
      const contrast = contrastOf({ color: one, background: other })
      assert.ok(contrast >= 1 && contrast <= 21)
      assert.equal(contrast, contrastOf({ color: other, background: one }))
    }),
  )
})

test('a code is doubted for too little contrast, light on dark, and a margin that is too small', () => {
  const faults = (look: object) => qrFaults({ ...plainLook, ...look })
  assert.deepEqual(faults({}), [])
  assert.deepEqual(faults({ color: '#1e3a8a' }), [])
  assert.deepEqual(faults({ color: '#ffd500' }), ['contrast'])
  assert.deepEqual(faults({ color: '#ffffff', background: '#000000' }), ['inverted'])
  assert.deepEqual(faults({ margin: 1 }), ['margin'])
})

test('a code has the colours, margin and level that were asked for, and others are refused by their name', async (t) => {
  const footfall = await startFootfall(t)
  const link = await addLink(footfall, { group_id: await addGroup(footfall) })
  const path = `/manage/properties/${footfall.property.id}/links/${link.id}/qr`
  const ask = (query: Record<string, string>) => footfall.call('GET', path, { query })
  const look = { color: '1e3a8a', background: '#fff7ed', margin: '2' }
  const svg = (await ask(look)).text
  assert.match(svg, /<path fill="#fff7ed" d="M0 0h/)
  assert.match(svg, /<path fill="#1e3a8a" d="M2 2h7v1/)
  const sizeOf = (text: string) => Number(/viewBox="0 0 (\d+) /.exec(text)?.[1])
  const [plain, high] = [sizeOf((await ask({})).text), sizeOf((await ask({ level: 'H' })).text)]
  assert.equal(sizeOf(svg), plain - 4)
  assert.ok(high > plain, 'more correction needs more modules')

  const png = await fetch(
    `${footfall.url}${path}?${new URLSearchParams({ ...look, format: 'png', size: '64' }).toString()}`,
    {
      headers: { authorization: `Bearer ${ADMIN_TOKEN}` },
    },
  )
  const bytes = Buffer.from(await png.arrayBuffer())
  assert.equal(bytes.subarray(bytes.indexOf('PLTE') + 4, bytes.indexOf('PLTE') + 10).toString('hex'), '1e3a8afff7ed')
  const from = bytes.indexOf('IDAT')
  const lines = inflateSync(bytes.subarray(from + 4, from + 4 + bytes.readUInt32BE(from - 4)))
  assert.equal(lines.length, 64 * (1 + 8))
  assert.equal(lines[1], 0xff, 'the corner is background')

  for (const [field, value] of [
    ['color', 'red'],
    ['color', '1234567'],
    ['background', '"/><script>'],
    ['margin', '11'],
    ['margin', '-1'],
    ['level', 'X'],
  ] as const) {
    const { status, json } = await ask({ [field]: value })
    assert.equal(status, 422, `${field} ${value}`)
    assert.deepEqual(Object.keys(json.errors), [field])
  }
})
