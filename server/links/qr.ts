// QR codes of short links as SVG or PNG, in the colours, with the margin and the error correction that were
// asked for, and as large as was asked, to the pixel.
import { promisify } from 'node:util'
import { crc32, deflate } from 'node:zlib'
import { encode } from 'uqr'
import { invalid } from '../kernel/problem.ts'
import { channelsOf, plainLook, type QrLook } from './qr-look.ts'

export const MIN_QR_SIZE = 64
/** Enough for a poster: a PNG this wide has some 70 pixels for each module of a usual link. */
export const MAX_QR_SIZE = 2048

/** Dark modules by rows, the margin included; as high as it is wide. */
type Modules = readonly (readonly boolean[])[]

/** Hosts in their ASCII form: readers do not agree on what other letters are. */
const modulesOf = (url: string, { level, margin }: QrLook): Modules =>
  encode(new URL(url).href, { ecc: level, boostEcc: false, border: margin }).data

interface Run {
  readonly from: number
  readonly length: number
}

function darkRuns(row: readonly boolean[]): Run[] {
  const runs: Run[] = []
  for (let from = row.indexOf(true); from !== -1;) {
    const next = row.indexOf(false, from)
    const end = next === -1 ? row.length : next
    runs.push({ from, length: end - from })
    from = row.indexOf(true, end)
  }
  return runs
}

/**
 * One path on its background; no script, no style, nothing from elsewhere.
 * @param size width and height in CSS pixels.
 * @param look its colours as `#rrggbb`, checked.
 */
export function qrSvg(url: string, size: number, look: QrLook = plainLook): string {
  const modules = modulesOf(url, look)
  const path = modules.flatMap((row, y) =>
    darkRuns(row).map(({ from, length }) => `M${from} ${y}h${length}v1h-${length}z`),
  )
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}" viewBox="0 0 ${modules.length} ${modules.length}" shape-rendering="crispEdges">`,
    `<path fill="${look.background}" d="M0 0h${modules.length}v${modules.length}H0z"/>`,
    `<path fill="${look.color}" d="${path.join('')}"/>`,
    '</svg>',
    '',
  ].join('\n')
}

// ---------------------------------------------------------------- PNG

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

/** One bit a pixel: greyscale, or the first or the second colour of the palette. */
function header(size: number, look: QrLook): Buffer {
  const content = Buffer.alloc(13)
  content.writeUInt32BE(size, 0)
  content.writeUInt32BE(size, 4)
  content[8] = 1
  content[9] = isGrey(look) ? 0 : 3
  return chunk('IHDR', content)
}

/** The colour of the modules, then that behind them. */
const palette = (look: QrLook): Buffer[] =>
  isGrey(look) ? [] : [chunk('PLTE', Buffer.from([...channelsOf(look.color), ...channelsOf(look.background)]))]

/** A line of pixels behind its filter byte: bits are background, and not set where a module is dark. */
function pixelLine(size: number, runs: readonly Run[], scale: number, margin: number): Buffer {
  const line = Buffer.alloc(1 + Math.ceil(size / 8), 0xff)
  line[0] = 0
  for (const { from, length } of runs) {
    const end = margin + (from + length) * scale
    for (let x = margin + from * scale; x < end; x++) line[1 + (x >> 3)]! &= ~(0x80 >> (x & 7))
  }
  return line
}

/** What whole modules leave over is margin: modules of unequal widths are hard to read. */
function pixels(modules: Modules, size: number): Buffer {
  const scale = Math.floor(size / modules.length)
  const margin = (size - scale * modules.length) >> 1
  const blank = pixelLine(size, [], scale, margin)
  const lines = modules.flatMap((row) => {
    const line = pixelLine(size, darkRuns(row), scale, margin)
    return Array.from({ length: scale }, () => line)
  })
  const above = Array.from({ length: margin }, () => blank)
  const below = Array.from({ length: size - margin - lines.length }, () => blank)
  return Buffer.concat([...above, ...lines, ...below])
}

/**
 * Compressed off the event loop. @param size width and height in pixels.
 * @throws Problem('validation_failed') when the size is too small for so long an address.
 */
export async function qrPng(url: string, size: number, look: QrLook = plainLook): Promise<Buffer> {
  const modules = modulesOf(url, look)
  if (size < modules.length) throw invalid('size', `size must be at least ${modules.length} for this link.`)
  const packed = await pack(pixels(modules, size))
  return Buffer.concat([
    signature,
    header(size, look),
    ...palette(look),
    chunk('IDAT', packed),
    chunk('IEND', Buffer.alloc(0)),
  ])
}
