// QR codes as SVG: paths on a background, and the logo inside the file; no script, no style, nothing from
// elsewhere.
import { codeOf, darkRuns, logoIn } from './code.ts'
import { encodeLogo, type Logo } from './logo.ts'
import { plainLook, type QrLook } from './look.ts'

export interface Drawing {
  readonly url: string
  /** Width and height in pixels. */
  readonly size: number
  /** Its colours as `#rrggbb`, checked. */
  readonly look?: QrLook
  /** Drawn where the look has one. */
  readonly logo?: Logo | undefined
}

export function qrSvg({ url, size, look = plainLook, logo }: Drawing): string {
  const { modules, hole } = codeOf(url, look)
  const path = modules.flatMap((row, y) =>
    darkRuns(row).map(({ from, length }) => `M${from} ${y}h${length}v1h-${length}z`),
  )
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}" viewBox="0 0 ${modules.length} ${modules.length}" shape-rendering="crispEdges">`,
    `<path fill="${look.background}" d="M0 0h${modules.length}v${modules.length}H0z"/>`,
    `<path fill="${look.color}" d="${path.join('')}"/>`,
    ...(hole && logo ? [imageOf(logo, logoIn(hole, logo))] : []),
    '</svg>',
    '',
  ].join('\n')
}

function imageOf(logo: Logo, { x, y, width, height }: ReturnType<typeof logoIn>): string {
  const data = encodeLogo(logo).toString('base64')
  return `<image x="${x}" y="${y}" width="${width}" height="${height}" href="data:image/png;base64,${data}"/>`
}
