// A QR code is what a telephone makes of it: pictures are decoded here by a reader that shares no code with
// the writer.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { encode } from 'fast-png'
import fc from 'fast-check'
import { drawPdf, drawSvg, qrText, readColors, readPng } from '../../test/support/qr.ts'
import { Problem } from '../kernel/problem.ts'
import { MAX_QR_SIZE, MIN_QR_SIZE } from './endpoints.ts'
import { type Logo, readLogo } from './logo.ts'
import { plainLook, qrLevels } from './look.ts'
import { qrPdf } from './pdf.ts'
import { qrPng } from './png.ts'
import { qrSvg } from './svg.ts'

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
      const picture = readPng(await qrPng({ url, size }))
      assert.equal(picture.size, size)
      assert.equal(qrText(picture), url)
      assert.equal(qrText(drawSvg(qrSvg({ url, size }))), url)
    }),
    { numRuns: 30 },
  )
})

test('both limits of the size give a code that can be read', async () => {
  for (const size of [MIN_QR_SIZE, MIN_QR_SIZE + 1, 511, MAX_QR_SIZE - 1]) {
    assert.equal(qrText(readPng(await qrPng({ url: 'https://l.example/aB3xY9z', size }))), 'https://l.example/aB3xY9z')
  }
  assert.equal(readPng(await qrPng({ url: 'https://l.example/aB3xY9z', size: MAX_QR_SIZE })).size, MAX_QR_SIZE)
})

test('around the code are four modules of white, and the modules are all as wide as another', async () => {
  const url = 'https://l.example/aB3xY9z'
  const { size, isDark } = readPng(await qrPng({ url, size: 500 }))
  const modules = Number(/viewBox="0 0 (\d+) /.exec(qrSvg({ url, size: 500 }))?.[1])
  const scale = Math.floor(500 / modules)
  const margin = (size - scale * modules) >> 1
  const drawn = drawSvg(qrSvg({ url, size: 500 }))
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
  const { isDark } = drawSvg(qrSvg({ url: 'https://l.example/aB3xY9z', size: 500 }))
  const format = [0, 1].map((column) => isDark((4 + column) * 4, (4 + 8) * 4))
  assert.deepEqual(format, [true, false])
})

test('an international short domain is written in its ASCII form', async () => {
  const picture = readPng(await qrPng({ url: 'https://kürz.example/aB3xY9z', size: 200 }))
  assert.equal(qrText(picture), 'https://xn--krz-hoa.example/aB3xY9z')
})

test('a size that cannot hold the modules is refused, and SVG needs none', async () => {
  const url = `https://${'long-'.repeat(40)}.example/aB3xY9z`
  await assert.rejects(
    qrPng({ url, size: 64 }),
    (error) => error instanceof Problem && error.errors?.['size'] !== undefined,
  )
  assert.equal(qrText(readPng(await qrPng({ url, size: 256 }))), url)
  assert.equal(qrText(drawSvg(qrSvg({ url, size: 64 }))), url)
})

test('the SVG is one picture and nothing else: no script, no style, nothing from elsewhere', () => {
  const svg = qrSvg({ url: 'https://l.example/a"b<c>&d', size: 300 })
  assert.match(
    svg,
    /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" width="300" height="300" viewBox="[\d ]+" [^<]*>\n<path [^<]*\/>\n<path [^<]*\/>\n<\/svg>\n$/,
  )
  assert.ok(!svg.includes('l.example'))
})

const withLogo = { ...plainLook, hasLogo: true }

/** Noise, wider than high or higher than wide: the worst that can stand in the middle of a code. */
const noise: fc.Arbitrary<Logo> = fc
  .record({ width: fc.integer({ min: 1, max: 40 }), height: fc.integer({ min: 1, max: 40 }), seed: fc.integer() })
  .map(({ width, height, seed }) => {
    let state = seed | 1
    const next = () => (state = Math.imul(state, 1_103_515_245) + 12_345) >>> 24
    return { width, height, rgba: Uint8Array.from({ length: width * height * 4 }, next) }
  })

test('a code with any logo can still be read, whatever level was asked for', async () => {
  await fc.assert(
    fc.asyncProperty(short, noise, fc.constantFrom(...qrLevels), async (url, logo, level) => {
      const look = { ...withLogo, level }
      assert.equal(qrText(readColors(await qrPng({ url, size: 400, look, logo }))), url)
    }),
    { numRuns: 30 },
  )
})

test('a logo stands in the middle, with its proportions and its own colours over the background', async () => {
  const rgba = new Uint8Array(20 * 10 * 4)
  for (let pixel = 0; pixel < 200; pixel++) rgba.set(pixel % 20 < 10 ? [255, 0, 0, 255] : [0, 0, 255, 0], pixel * 4)
  const look = { ...withLogo, background: '#ffff00' }
  const { size, colorAt } = readColors(
    await qrPng({ url: 'https://l.example/aB3xY9z', size: 800, look, logo: { width: 20, height: 10, rgba } }),
  )
  const middle = size / 2
  assert.deepEqual(colorAt(middle - 20, middle), [255, 0, 0])
  assert.deepEqual(colorAt(middle + 20, middle), [255, 255, 0], 'what is transparent shows the background')
  assert.deepEqual(colorAt(middle - 20, middle - 60), [255, 255, 0], 'it is half as high as wide')
  const svg = qrSvg({ url: 'https://l.example/aB3xY9z', size: 300, look, logo: { width: 20, height: 10, rgba } })
  const [, x, y, width, height] = /<image x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="([\d.]+)"/
    .exec(svg)!
    .map(Number)
  const modules = Number(/viewBox="0 0 (\d+)/.exec(svg)?.[1])
  assert.ok(Math.abs(x! + width! / 2 - modules / 2) < 1e-9 && Math.abs(y! + height! / 2 - modules / 2) < 1e-9)
  assert.equal(width, 2 * height!)
})

test('a PDF has the same modules on a page of the asked size, and says where its objects are', async () => {
  await fc.assert(
    fc.asyncProperty(
      short,
      fc.integer({ min: MIN_QR_SIZE, max: MAX_QR_SIZE }),
      fc.boolean(),
      async (url, size, hasLogo) => {
        const logo = { width: 1, height: 1, rgba: Uint8Array.of(1, 2, 3, 255) }
        const look = { ...plainLook, color: '#1e3a8a', hasLogo }
        const { picture, points, images } = drawPdf(await qrPdf({ url, size, look, logo }))
        assert.equal(points, size * 0.75)
        assert.equal(qrText(picture), url)
        assert.deepEqual(images, hasLogo ? [[1, 2, 3]] : [])
      },
    ),
    { numRuns: 30 },
  )
})

test('logos are small PNGs; anything else is refused by its name, and nothing but the pixels is kept', () => {
  const png = (width: number, height: number, channels = 4) =>
    Buffer.from(
      encode({
        width,
        height,
        channels,
        data: new Uint8Array(width * height * channels).fill(7),
        text: { Comment: 'secret' },
      }),
    )
  const read = (file: Buffer) => readLogo(file.toString('base64'))
  for (const channels of [1, 2, 3, 4]) assert.equal(read(png(3, 2, channels)).rgba.length, 24)
  const refused = (file: Buffer, words: RegExp) =>
    assert.throws(
      () => read(file),
      (error) => error instanceof Problem && words.test(error.errors?.['logo']?.[0] ?? ''),
    )
  const huge = png(1, 1)
  huge.writeUInt32BE(100_000, 16)
  refused(huge, /512 pixels/)
  const broken = png(4, 4)
  broken[broken.length - 20]! ^= 0xff
  refused(broken, /can be read/)
  refused(png(4, 4).subarray(0, 40), /can be read/)
  refused(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>'), /PNG file/)
  refused(Buffer.alloc(0), /PNG file/)
  refused(Buffer.alloc(70_000), /64 KiB/)
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), fc.nat(40), (bytes, keep) => {
      const file = Buffer.concat([png(2, 2).subarray(0, keep), bytes])
      try {
        read(file)
      } catch (error) {
        assert.ok(error instanceof Problem, String(error))
      }
    }),
  )
})
