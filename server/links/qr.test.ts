// A QR code is what a telephone makes of it: pictures are decoded here by a reader that shares no code with
// the writer.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { drawSvg, qrText, readPng } from '../../test/support/qr.ts'
import { Problem } from '../kernel/problem.ts'
import { MAX_QR_SIZE, MIN_QR_SIZE, qrPng, qrSvg } from './qr.ts'

const code = fc.stringMatching(/^[2-9A-HJ-NP-Za-hjkmnp-z]{7}$/)
const domain = fc.constantFrom(
  'http://127.0.0.1:8080/a',
  'https://l.example',
  'https://a-rather-long-name-for-a-short-domain.marketing.example.co.uk/links/of/the/newsletter',
)
const short = fc.tuple(domain, code).map(([domain, code]) => `${domain}/${code}`)

test('PNG and SVG of every link lead to the link', async () => {
  await fc.assert(
    fc.asyncProperty(short, fc.integer({ min: 128, max: 400 }), async (url, size) => {
      const picture = readPng(await qrPng(url, size))
      assert.equal(picture.size, size)
      assert.equal(qrText(picture), url)
      assert.equal(qrText(drawSvg(qrSvg(url, size))), url)
    }),
    { numRuns: 30 },
  )
})

test('both limits of the size give a code that can be read', async () => {
  for (const size of [MIN_QR_SIZE, MIN_QR_SIZE + 1, 511, MAX_QR_SIZE - 1]) {
    assert.equal(qrText(readPng(await qrPng('https://l.example/aB3xY9z', size))), 'https://l.example/aB3xY9z')
  }
  assert.equal(readPng(await qrPng('https://l.example/aB3xY9z', MAX_QR_SIZE)).size, MAX_QR_SIZE)
})

test('around the code are four modules of white, and the modules are all as wide as another', async () => {
  const url = 'https://l.example/aB3xY9z'
  const { size, isDark } = readPng(await qrPng(url, 500))
  const modules = Number(/viewBox="0 0 (\d+) /.exec(qrSvg(url, 500))?.[1])
  const scale = Math.floor(500 / modules)
  const margin = (size - scale * modules) >> 1
  const drawn = drawSvg(qrSvg(url, 500))
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) {
      const [column, row] = [Math.floor((x - margin) / scale), Math.floor((y - margin) / scale)]
      const isIn = column >= 4 && row >= 4 && column < modules - 4 && row < modules - 4
      assert.equal(isDark(x, y), isIn && drawn.isDark(column * 4, row * 4), `${x} ${y}`)
    }
  }
})

test('a code bears damage of level M', () => {
  // The first two bits of the format information say the level: 00 is M, and 10 once the mask is over them
  // (ISO/IEC 18004, 7.9.1).
  const { isDark } = drawSvg(qrSvg('https://l.example/aB3xY9z', 500))
  const format = [0, 1].map((column) => isDark((4 + column) * 4, (4 + 8) * 4))
  assert.deepEqual(format, [true, false])
})

test('an international short domain is written in its ASCII form', async () => {
  const picture = readPng(await qrPng('https://kürz.example/aB3xY9z', 200))
  assert.equal(qrText(picture), 'https://xn--krz-hoa.example/aB3xY9z')
})

test('a size that cannot hold the modules is refused, and SVG needs none', async () => {
  const url = `https://${'long-'.repeat(40)}.example/aB3xY9z`
  await assert.rejects(qrPng(url, 64), (error) => error instanceof Problem && error.errors?.['size'] !== undefined)
  assert.equal(qrText(readPng(await qrPng(url, 256))), url)
  assert.equal(qrText(drawSvg(qrSvg(url, 64))), url)
})

test('the SVG is one picture and nothing else: no script, no style, nothing from elsewhere', () => {
  const svg = qrSvg('https://l.example/a"b<c>&d', 300)
  assert.match(
    svg,
    /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" width="300" height="300" viewBox="[\d ]+" [^<]*>\n<path [^<]*\/>\n<path [^<]*\/>\n<\/svg>\n$/,
  )
  assert.ok(!svg.includes('l.example'))
})
