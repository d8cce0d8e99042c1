// QR codes as PDF, for print: one page of the asked size with rectangles and, where there is one, the logo
// (ISO 32000-1, version 1.4 of the format).
import { promisify } from 'node:util'
import { deflate } from 'node:zlib'
import { codeOf, darkRuns, logoIn } from './code.ts'
import { laidOver, type Logo } from './logo.ts'
import { channelsOf, plainLook } from './look.ts'
import type { Drawing } from './svg.ts'

const pack = promisify(deflate)
/** A pixel of CSS is a 96th of an inch, a point a 72nd. */
const POINTS_A_PIXEL = 0.75

const short = (value: number): string => String(Math.round(value * 10_000) / 10_000)
const fill = (color: string): string =>
  `${channelsOf(color)
    .map((channel) => short(channel / 255))
    .join(' ')} rg`

/** One page, its content, and the picture that the content draws. */
function objectsOf(points: number, content: Buffer, picture: Buffer | undefined): Buffer[] {
  const page = `/Type/Page/Parent 2 0 R/MediaBox[0 0 ${short(points)} ${short(points)}]/Contents 4 0 R`
  const resources = picture ? '/Resources<</XObject<</Logo 5 0 R>>>>' : '/Resources<<>>'
  return [
    Buffer.from('<</Type/Catalog/Pages 2 0 R>>'),
    Buffer.from('<</Type/Pages/Kids[3 0 R]/Count 1>>'),
    Buffer.from(`<<${page}${resources}>>`),
    streamOf('', content),
    ...(picture ? [picture] : []),
  ]
}

const streamOf = (entries: string, content: Buffer): Buffer =>
  Buffer.concat([Buffer.from(`<<${entries}/Length ${content.length}>>\nstream\n`), content, Buffer.from('\nendstream')])

/** The file: header, objects, the table of where each begins, and the trailer. */
function fileOf(objects: readonly Buffer[]): Buffer {
  const parts: Buffer[] = [Buffer.from('%PDF-1.4\n%\u00e2\u00e3\u00cf\u00d3\n', 'latin1')]
  let length = parts[0]!.length
  const begins: number[] = []
  for (const [index, object] of objects.entries()) {
    const part = Buffer.concat([Buffer.from(`${index + 1} 0 obj\n`), object, Buffer.from('\nendobj\n')])
    begins.push(length)
    parts.push(part)
    length += part.length
  }
  const rows = begins.map((at) => `${String(at).padStart(10, '0')} 00000 n \n`).join('')
  const count = objects.length + 1
  const end = `xref\n0 ${count}\n0000000000 65535 f \n${rows}trailer\n<</Size ${count}/Root 1 0 R>>\nstartxref\n${length}\n%%EOF\n`
  return Buffer.concat([...parts, Buffer.from(end)])
}

async function pictureOf(logo: Logo, background: string): Promise<Buffer> {
  const { width, height } = logo
  const entries = `/Type/XObject/Subtype/Image/Width ${width}/Height ${height}/ColorSpace/DeviceRGB/BitsPerComponent 8/Filter/FlateDecode`
  return streamOf(entries, await pack(laidOver(logo, logo, background)))
}

export async function qrPdf({ url, size, look = plainLook, logo }: Drawing): Promise<Buffer> {
  const { modules, hole } = codeOf(url, look)
  const points = size * POINTS_A_PIXEL
  const scale = points / modules.length
  const rectangles = modules.flatMap((row, y) => darkRuns(row).map(({ from, length }) => `${from} ${y} ${length} 1 re`))
  const drawn = hole && logo ? logoIn(hole, logo) : undefined
  const content = [
    `${short(scale)} 0 0 ${short(-scale)} 0 ${short(points)} cm`, // modules from the left and from above
    `${fill(look.background)} 0 0 ${modules.length} ${modules.length} re f`,
    fill(look.color),
    ...rectangles,
    'f',
    ...(drawn
      ? [
          `q ${short(drawn.width)} 0 0 ${short(-drawn.height)} ${short(drawn.x)} ${short(drawn.y + drawn.height)} cm /Logo Do Q`,
        ]
      : []),
  ].join('\n')
  const picture = drawn && logo ? await pictureOf(logo, look.background) : undefined
  return fileOf(objectsOf(points, Buffer.from(content), picture))
}
