// A QR code is what a telephone makes of it: pictures are decoded here by a reader that shares no code with the writer.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inflateSync } from 'node:zlib'
import fc from 'fast-check'
import jsQr from 'jsqr'
import { Problem } from '../kernel/problem.ts'
import { MAX_QR_SIZE, MIN_QR_SIZE, qrPng, qrSvg } from './qr.ts'

/** The CommonJS module has the function as its default. */
const readQr = jsQr as unknown as (typeof jsQr)['default']

interface Picture {
  readonly size: number
  readonly isDark: (x: number, y: number) => boolean
}

/** Reads what qrPng writes, and nothing else: one bit a pixel, unfiltered. */
function readPng(png: Buffer): Picture {
  assert.equal(png.subarray(1, 4).toString('latin1'), 'PNG')
  const chunks = new Map<string, Buffer>()
  for (let at = 8; at < png.length;) {
    const length = png.readUInt32BE(at)
    chunks.set(png.toString('latin1', at + 4, at + 8), png.subarray(at + 8, at + 8 + length))
    at += length + 12
  }
  assert.deepEqual([...chunks.keys()], ['IHDR', 'IDAT', 'IEND'])
  const head = chunks.get('IHDR')!
  const size = head.readUInt32BE(0)
  assert.deepEqual([...head.subarray(4)], [...head.subarray(0, 4), 1, 0, 0, 0, 0])
  const bytesALine = 1 + Math.ceil(size / 8)
  const lines = inflateSync(chunks.get('IDAT')!)
  assert.equal(lines.length, size * bytesALine)
  return { size, isDark: (x, y) => ((lines[y * bytesALine + 1 + (x >> 3)]! >> (7 - (x & 7))) & 1) === 0 }
}

/** Draws what qrSvg writes at four pixels a module. */
function drawSvg(svg: string): Picture {
  const modules = Number(/viewBox="0 0 (\d+) /.exec(svg)?.[1])
  const dark = new Set<string>()
  for (const [, x, y, length] of svg.split('\n')[2]!.matchAll(/M(\d+) (\d+)h(\d+)v1h-\3z/g)) {
    for (let i = 0; i < Number(length); i++) dark.add(`${Number(x) + i} ${y}`)
  }
  return { size: modules * 4, isDark: (x, y) => dark.has(`${x >> 2} ${y >> 2}`) }
}

function textOf({ size, isDark }: Picture): string | undefined {
  const pixels = new Uint8ClampedArray(size * size * 4).fill(255)
  for (let y = 0; y < size; y++)
    for (let x = 0; x < size; x++) if (isDark(x, y)) pixels.fill(0, (y * size + x) * 4, (y * size + x) * 4 + 3)
  return readQr(pixels, size, size, { inversionAttempts: 'dontInvert' })?.data
}

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
      assert.equal(textOf(picture), url)
      assert.equal(textOf(drawSvg(qrSvg(url, size))), url)
    }),
    { numRuns: 30 },
  )
})

test('both limits of the size give a code that can be read', async () => {
  for (const size of [MIN_QR_SIZE, MIN_QR_SIZE + 1, 511, MAX_QR_SIZE - 1]) {
    assert.equal(textOf(readPng(await qrPng('https://l.example/aB3xY9z', size))), 'https://l.example/aB3xY9z')
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
  // The first two bits of the format information say the level: 00 is M, and 10 once the mask is over them (ISO/IEC 18004, 7.9.1).
  const { isDark } = drawSvg(qrSvg('https://l.example/aB3xY9z', 500))
  const format = [0, 1].map((column) => isDark((4 + column) * 4, (4 + 8) * 4))
  assert.deepEqual(format, [true, false])
})

test('an international short domain is written in its ASCII form', async () => {
  const picture = readPng(await qrPng('https://kürz.example/aB3xY9z', 200))
  assert.equal(textOf(picture), 'https://xn--krz-hoa.example/aB3xY9z')
})

test('a size that cannot hold the modules is refused, and SVG needs none', async () => {
  const url = `https://${'long-'.repeat(40)}.example/aB3xY9z`
  await assert.rejects(qrPng(url, 64), (error) => error instanceof Problem && error.errors?.['size'] !== undefined)
  assert.equal(textOf(readPng(await qrPng(url, 256))), url)
  assert.equal(textOf(drawSvg(qrSvg(url, 64))), url)
})

test('the SVG is one picture and nothing else: no script, no style, nothing from elsewhere', () => {
  const svg = qrSvg('https://l.example/a"b<c>&d', 300)
  assert.match(
    svg,
    /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" width="300" height="300" viewBox="[\d ]+" [^<]*>\n<path [^<]*\/>\n<path [^<]*\/>\n<\/svg>\n$/,
  )
  assert.ok(!svg.includes('l.example'))
})
