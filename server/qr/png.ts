// QR codes as PNG, as large as was asked, to the pixel: two colours in one bit each, or true colours with a
// logo.
import { promisify } from 'node:util'
import { crc32, deflate } from 'node:zlib'
import { invalid } from '../kernel/problem.ts'
import { type Box, type Code, codeOf, darkRuns, logoIn, type Run } from './code.ts'
import { laidOver, type Logo } from './logo.ts'
import { channelsOf, plainLook, type QrLook } from './look.ts'
import type { Drawing } from './svg.ts'

const pack = promisify(deflate)

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

/** Length, type, content, check sum (PNG specification, section 5.3). */
function chunk(type: string, content: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), content])
  const framed = Buffer.alloc(body.length + 8)
  framed.writeUInt32BE(content.length)
  body.copy(framed, 4)
  framed.writeUInt32BE(crc32(body), body.length + 4)
  return framed
}

/** Black on white needs no palette. */
const isGrey = ({ color, background }: QrLook): boolean =>
  color === plainLook.color && background === plainLook.background

/** The types of pictures that are made here, by their number (section 11.2.2). */
const types = { grey: { bits: 1, type: 0 }, palette: { bits: 1, type: 3 }, colors: { bits: 8, type: 2 } } as const

function header(size: number, { bits, type }: (typeof types)[keyof typeof types]): Buffer {
  const content = Buffer.alloc(13)
  content.writeUInt32BE(size, 0)
  content.writeUInt32BE(size, 4)
  content[8] = bits
  content[9] = type
  return chunk('IHDR', content)
}

/** The colour of the modules, then that behind them. */
const palette = (look: QrLook): Buffer[] =>
  isGrey(look) ? [] : [chunk('PLTE', Buffer.from([...channelsOf(look.color), ...channelsOf(look.background)]))]

interface Layout {
  /** Pixels a module. */
  readonly scale: number
  /** What whole modules leave over is margin: modules of unequal widths are hard to read. */
  readonly margin: number
}

function layoutOf({ modules }: Code, size: number): Layout {
  const scale = Math.floor(size / modules.length)
  return { scale, margin: (size - scale * modules.length) >> 1 }
}

type DrawLine = (runs: readonly Run[]) => Buffer

/** Each line of modules as often as a module is high, within what is left over. */
function pixels({ modules }: Code, size: number, { scale, margin }: Layout, draw: DrawLine): Buffer {
  const blank = draw([])
  const lines = modules.flatMap((row) => {
    const line = draw(darkRuns(row))
    return Array.from({ length: scale }, () => line)
  })
  const above = Array.from({ length: margin }, () => blank)
  const below = Array.from({ length: size - margin - lines.length }, () => blank)
  return Buffer.concat([...above, ...lines, ...below])
}

/** A line of pixels behind its filter byte: bits are background, and not set where a module is dark. */
const bitLine =
  (size: number, { scale, margin }: Layout): DrawLine =>
  (runs) => {
    const line = Buffer.alloc(1 + Math.ceil(size / 8), 0xff)
    line[0] = 0
    for (const { from, length } of runs) {
      const end = margin + (from + length) * scale
      for (let x = margin + from * scale; x < end; x++) line[1 + (x >> 3)]! &= ~(0x80 >> (x & 7))
    }
    return line
  }

/** The same in red, green and blue. */
const colorLine =
  (size: number, { scale, margin }: Layout, look: QrLook): DrawLine =>
  (runs) => {
    const line = Buffer.alloc(1 + size * BYTES_A_PIXEL)
    line.fill(Buffer.from(channelsOf(look.background)), 1)
    for (const { from, length } of runs) {
      const at = 1 + (margin + from * scale) * BYTES_A_PIXEL
      line.fill(Buffer.from(channelsOf(look.color)), at, at + length * scale * BYTES_A_PIXEL)
    }
    return line
  }

const BYTES_A_PIXEL = 3

interface Painted {
  readonly size: number
  readonly layout: Layout
  readonly look: QrLook
  readonly logo: Logo
}

/** Lays the logo over the hole that the code has for it. */
function paintLogo(drawn: Buffer, hole: Box, { size, layout: { scale, margin }, look, logo }: Painted): void {
  const place = logoIn(hole, logo)
  const left = Math.round(margin + place.x * scale)
  const top = Math.round(margin + place.y * scale)
  const width = Math.max(1, Math.round(place.width * scale))
  const height = Math.max(1, Math.round(place.height * scale))
  const picture = laidOver(logo, { width, height }, look.background)
  const lineBytes = width * BYTES_A_PIXEL
  for (let y = 0; y < height; y++)
    picture.copy(
      drawn,
      (top + y) * (1 + size * BYTES_A_PIXEL) + 1 + left * BYTES_A_PIXEL,
      y * lineBytes,
      (y + 1) * lineBytes,
    )
}

/**
 * Compressed off the event loop.
 * @throws Problem('validation_failed') when the size is too small for so long a URL.
 */
export async function qrPng({ url, size, look = plainLook, logo }: Drawing): Promise<Buffer> {
  const code = codeOf(url, look)
  const { length } = code.modules
  if (size < length) throw invalid('size', `size must be at least ${length} for this link.`)
  const layout = layoutOf(code, size)
  const framed = (kind: (typeof types)[keyof typeof types], colors: Buffer[], lines: Buffer) =>
    Buffer.concat([signature, header(size, kind), ...colors, chunk('IDAT', lines), chunk('IEND', Buffer.alloc(0))])
  if (!code.hole || !logo) {
    const lines = await pack(pixels(code, size, layout, bitLine(size, layout)))
    return framed(isGrey(look) ? types.grey : types.palette, palette(look), lines)
  }
  const drawn = pixels(code, size, layout, colorLine(size, layout, look))
  paintLogo(drawn, code.hole, { size, layout, look, logo })
  return framed(types.colors, [], await pack(drawn))
}
