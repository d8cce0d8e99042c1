// How a QR code looks, and whether cameras will read it. No input or output: the dashboard asks it too.

export const qrLevels = ['L', 'M', 'Q', 'H'] as const
/** How much of the code may be dirty or covered: 7, 15, 25 or 30 percent (ISO/IEC 18004). */
export type QrLevel = (typeof qrLevels)[number]

/** Modules of the background around the code: cameras ask for four, print with a white edge needs none. */
export const MAX_QR_MARGIN = 10
export const DEFAULT_QR_MARGIN = 4

export interface QrLook {
  /** #rrggbb */
  readonly color: string
  readonly background: string
  readonly margin: number
  /** With a logo it is H, whatever is said here. */
  readonly level: QrLevel
  /** Whether the logo of the property stands in the middle. */
  readonly hasLogo: boolean
}

export const plainLook: QrLook = {
  color: '#000000',
  background: '#ffffff',
  margin: DEFAULT_QR_MARGIN,
  level: 'M',
  hasLogo: false,
}

export const colorShape = /^#[\da-f]{6}$/i

export const channelsOf = (color: string): number[] =>
  [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16))

/** Relative luminance (WCAG 2.2). */
function luminanceOf(color: string): number {
  const [red = 0, green = 0, blue = 0] = channelsOf(color).map((channel) => {
    const share = channel / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** Between 1, the same, and 21, black and white. */
export function contrastOf({ color, background }: Pick<QrLook, 'color' | 'background'>): number {
  const [darker = 0, lighter = 0] = [luminanceOf(color), luminanceOf(background)].toSorted((a, b) => a - b)
  return (lighter + 0.05) / (darker + 0.05)
}

/** Below it, cameras in bad light read nothing. */
const LEAST_CONTRAST = 4

/**
 * Why cameras may fail: too little contrast; light on dark, which many do not read; or no margin by which the
 * code is found.
 */
export type QrFault = 'contrast' | 'inverted' | 'margin'

export function qrFaults(look: QrLook): QrFault[] {
  const faults: QrFault[] = []
  if (contrastOf(look) < LEAST_CONTRAST) faults.push('contrast')
  if (luminanceOf(look.color) > luminanceOf(look.background)) faults.push('inverted')
  if (look.margin < 2) faults.push('margin')
  return faults
}
