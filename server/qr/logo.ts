// Logos for QR codes: read once, when they come, and kept as a picture of our own making, so that nothing of
// what was sent but its pixels is ever served.
import { decode, encode, hasPngSignature } from 'fast-png'
import { invalid } from '../kernel/problem.ts'
import { channelsOf } from './look.ts'

/** Pixels of the longer side: a logo takes a fifth of a code's width. */
export const MAX_LOGO_SIDE = 512
/** Of the file that is sent. */
export const MAX_LOGO_BYTES = 64 * 1024

export interface Logo {
  readonly width: number
  readonly height: number
  /** Red, green, blue and alpha of each pixel, by rows from above. */
  readonly rgba: Uint8Array
}

const wrong = (words: string) => invalid('logo', `logo must be ${words}.`)

/** Behind the signature and the length and name of the first chunk (PNG specification, section 11.2.2). */
const SIZE_AT = 16

/** Looked at before anything is unpacked: a small file may hold a very large picture. */
function checkSize(png: Buffer): void {
  const [width, height] = [png.readUInt32BE(SIZE_AT), png.readUInt32BE(SIZE_AT + 4)]
  if (width < 1 || height < 1 || width > MAX_LOGO_SIDE || height > MAX_LOGO_SIDE)
    throw wrong(`at most ${MAX_LOGO_SIDE} pixels wide and high`)
}

/** Grey, with alpha or without, and colours, with alpha or without, by how many channels there are. */
const layouts: Readonly<
  Record<number, readonly [red: number, green: number, blue: number, alpha: number | undefined]>
> = {
  1: [0, 0, 0, undefined],
  2: [0, 0, 0, 1],
  3: [0, 1, 2, undefined],
  4: [0, 1, 2, 3],
}

/** @throws whatever the decoder throws about a file that is none. */
function decoded(png: Buffer): Logo {
  const { width, height, data, channels, depth, palette, transparency } = decode(png, { checkCrc: true })
  const most = depth === 16 ? 65_535 : 255
  const rgba = new Uint8Array(width * height * 4)
  const byte = (value: number | undefined): number => Math.round(((value ?? 0) / most) * 255)
  const layout = layouts[channels]
  if (depth < 8 || transparency !== undefined || !layout) throw wrong('a PNG with 8 or 16 bits a channel')
  for (let pixel = 0; pixel < width * height; pixel++) {
    const at = pixel * channels
    const [red, green, blue, alpha] = layout
    const colors = palette?.[data[at] ?? 0]
    const values = colors ?? [red, green, blue].map((channel) => byte(data[at + channel]))
    rgba.set([values[0]!, values[1]!, values[2]!], pixel * 4)
    rgba[pixel * 4 + 3] = colors ? (colors[3] ?? 255) : alpha === undefined ? 255 : byte(data[at + alpha])
  }
  return { width, height, rgba }
}

/** @param written base64. @throws Problem('validation_failed') for anything but a small PNG. */
export function readLogo(written: string): Logo {
  const png = Buffer.from(written, 'base64')
  if (png.length > MAX_LOGO_BYTES) throw wrong(`a file of at most ${MAX_LOGO_BYTES / 1024} KiB`)
  if (png.length < SIZE_AT + 8 || !hasPngSignature(png)) throw wrong('a PNG file, in base64')
  checkSize(png)
  try {
    return decoded(png)
  } catch (error) {
    if (error instanceof Error && error.name === 'Problem') throw error
    throw wrong('a PNG file that can be read')
  }
}

export const encodeLogo = ({ width, height, rgba }: Logo): Buffer =>
  Buffer.from(encode({ width, height, data: rgba, channels: 4, depth: 8 }))

/** @param png as `encodeLogo` has made it. */
export function decodeLogo(png: Buffer): Logo {
  const { width, height, data } = decode(png)
  return { width, height, rgba: Uint8Array.from(data) }
}

/**
 * Scaled, and laid over a colour: red, green and blue of each pixel. Each is the mean of those that fall on
 * it, or the nearest one where it is drawn larger.
 */
export function laidOver(
  { width, height, rgba }: Logo,
  to: { readonly width: number; readonly height: number },
  background: string,
): Buffer {
  const base = channelsOf(background)
  const pixels = Buffer.alloc(to.width * to.height * 3)
  const span = (at: number, of: number, from: number): readonly [number, number] => {
    const first = Math.min(from - 1, Math.floor((at * from) / of))
    return [first, Math.min(from, Math.max(first + 1, Math.floor(((at + 1) * from) / of)))]
  }
  for (let y = 0; y < to.height; y++) {
    const [top, bottom] = span(y, to.height, height)
    for (let x = 0; x < to.width; x++) {
      const [left, right] = span(x, to.width, width)
      const sums = [0, 0, 0]
      for (let row = top; row < bottom; row++)
        for (let column = left; column < right; column++) {
          const at = (row * width + column) * 4
          const alpha = rgba[at + 3]! / 255
          for (const channel of [0, 1, 2]) sums[channel]! += rgba[at + channel]! * alpha + base[channel]! * (1 - alpha)
        }
      const count = (bottom - top) * (right - left)
      for (const channel of [0, 1, 2]) pixels[(y * to.width + x) * 3 + channel] = Math.round(sums[channel]! / count)
    }
  }
  return pixels
}
