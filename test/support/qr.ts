// Reads QR codes as a telephone would, from what the server draws: by a reader that shares no code with the
// writer.
import assert from 'node:assert/strict'
import { inflateSync } from 'node:zlib'
import { decode } from 'fast-png'
import jsQr from 'jsqr'

/** The CommonJS module has the function as its default. */
const readQr = jsQr as unknown as (typeof jsQr)['default']

export interface Picture {
  readonly size: number
  readonly isDark: (x: number, y: number) => boolean
}

/** Reads a PNG as the server writes it, and no other: one bit a pixel, unfiltered. */
export function readPng(png: Buffer): Picture {
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

export interface Colors extends Picture {
  readonly colorAt: (x: number, y: number) => number[]
}

/** Of a PNG in true colours. */
export function readColors(png: Buffer): Colors {
  const { width: size, height, data, channels } = decode(png, { checkCrc: true })
  assert.deepEqual([height, channels], [size, 3])
  const colorAt = (x: number, y: number) => [0, 1, 2].map((channel) => Number(data[(y * size + x) * 3 + channel]))
  const isDark = (x: number, y: number) => colorAt(x, y).reduce((sum, value) => sum + value, 0) < 384
  return { size, colorAt, isDark }
}

/** Draws a PDF as the server writes it at four pixels a module, and checks its table of objects. */
export function drawPdf(pdf: Buffer): {
  readonly picture: Picture
  readonly points: number
  readonly images: number[][]
} {
  const text = pdf.toString('latin1')
  assert.match(text, /^%PDF-1\.4\n/)
  const table = Number(/startxref\n(\d+)\n%%EOF\n$/.exec(text)?.[1])
  assert.ok(text.startsWith('xref\n', table))
  const begins = [...text.slice(table).matchAll(/^(\d{10}) 00000 n $/gm)].map((match) => Number(match[1]))
  for (const [index, at] of begins.entries())
    assert.ok(text.startsWith(`${index + 1} 0 obj\n`, at), `object ${index + 1}`)
  for (const [stream, length] of text.matchAll(/\/Length (\d+)>>\nstream\n/g)) {
    const end = text.indexOf(stream) + stream.length + Number(length)
    assert.ok(text.startsWith('\nendstream', end))
  }
  const points = Number(/MediaBox\[0 0 ([\d.]+) /.exec(text)?.[1])
  const modules = Number(/ 0 0 (\d+) \1 re f\n/.exec(text)?.[1])
  const dark = new Set<string>()
  for (const [, x, y, width] of text.matchAll(/^(\d+) (\d+) (\d+) 1 re$/gm))
    for (let i = 0; i < Number(width); i++) dark.add(`${Number(x) + i} ${y}`)
  const images = [...text.matchAll(/FlateDecode\/Length (\d+)>>\nstream\n/g)].map((match) => {
    const from = match.index + match[0].length
    return [...inflateSync(pdf.subarray(from, from + Number(match[1])))]
  })
  return { points, images, picture: { size: modules * 4, isDark: (x, y) => dark.has(`${x >> 2} ${y >> 2}`) } }
}

/** Draws an SVG as the server writes it at four pixels a module. */
export function drawSvg(svg: string): Picture {
  const modules = Number(/viewBox="0 0 (\d+) /.exec(svg)?.[1])
  const dark = new Set<string>()
  for (const [, x, y, length] of svg.split('\n')[2]!.matchAll(/M(\d+) (\d+)h(\d+)v1h-\3z/g)) {
    for (let i = 0; i < Number(length); i++) dark.add(`${Number(x) + i} ${y}`)
  }
  return { size: modules * 4, isDark: (x, y) => dark.has(`${x >> 2} ${y >> 2}`) }
}

/** What the code says; undefined when it cannot be read. */
export function qrText({ size, isDark }: Picture): string | undefined {
  const pixels = new Uint8ClampedArray(size * size * 4).fill(255)
  for (let y = 0; y < size; y++)
    for (let x = 0; x < size; x++) if (isDark(x, y)) pixels.fill(0, (y * size + x) * 4, (y * size + x) * 4 + 3)
  return readQr(pixels, size, size, { inversionAttempts: 'dontInvert' })?.data
}
