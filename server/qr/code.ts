// The modules of a QR code, and the place that a logo takes in the middle of it.
import { encode } from 'uqr'
import type { QrLook } from './look.ts'

/** Dark modules by rows, the margin included; as high as it is wide. */
type Modules = readonly (readonly boolean[])[]

/** In modules, from the left and from above. */
export interface Box {
  readonly from: number
  readonly length: number
}

export interface Code {
  readonly modules: Modules
  /** Without dark modules, as wide as it is high; undefined without a logo. */
  readonly hole: Box | undefined
}

/**
 * Of the width of the code without its margin: 5% of the modules are then covered, where level H restores
 * 30% (ISO/IEC 18004).
 */
const LOGO_SHARE = 0.22

/** An odd number of modules, as the code has, so that it stands in the middle. */
function holeIn(count: number, margin: number): Box {
  const length = Math.floor((count * LOGO_SHARE) / 2) * 2 + 1
  return { from: margin + (count - length) / 2, length }
}

const isIn = ({ from, length }: Box, at: number): boolean => at >= from && at < from + length

/** Hosts in their ASCII form: readers do not agree on what other letters are. */
export function codeOf(url: string, { level, margin, hasLogo }: QrLook): Code {
  const ecc = hasLogo ? 'H' : level
  const modules = encode(new URL(url).href, { ecc, boostEcc: false, border: margin }).data
  if (!hasLogo) return { modules, hole: undefined }
  const hole = holeIn(modules.length - 2 * margin, margin)
  return {
    modules: modules.map((row, y) => (isIn(hole, y) ? row.map((isDark, x) => isDark && !isIn(hole, x)) : row)),
    hole,
  }
}

export interface Run {
  readonly from: number
  readonly length: number
}

export function darkRuns(row: readonly boolean[]): Run[] {
  const runs: Run[] = []
  for (let from = row.indexOf(true); from !== -1;) {
    const next = row.indexOf(false, from)
    const end = next === -1 ? row.length : next
    runs.push({ from, length: end - from })
    from = row.indexOf(true, end)
  }
  return runs
}

/** Of its hole: half a module of background stays on each side. */
const CLEAR = 0.5

export interface Rectangle {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** Where the logo is drawn: as large as fits, with the proportions that it has. In modules. */
export function logoIn(
  { from, length }: Box,
  { width, height }: { readonly width: number; readonly height: number },
): Rectangle {
  const room = length - 2 * CLEAR
  const scale = room / Math.max(width, height)
  const size = { width: width * scale, height: height * scale }
  return { x: from + (length - size.width) / 2, y: from + (length - size.height) / 2, ...size }
}
