// The QR code of a link as a file, and how the codes of a property look
// (/manage/properties/:property/links/:link/qr, /manage/properties/:property/qr-look).
import { scanUrlOf } from '../clicks/scans.ts'
import { role } from '../http/access.ts'
import { chapter, get, getRaw, post } from '../http/endpoint.ts'
import { readInteger } from '../kernel/page.ts'
import { invalid } from '../kernel/problem.ts'
import { getShortUrl } from '../links/links.ts'
import { colorShape, MAX_QR_MARGIN, type QrLevel, type QrLook } from './look.ts'
import { changePropertyLook, type PropertyLook, readPropertyLook } from './looks.ts'
import { qrPdf } from './pdf.ts'
import { qrPng } from './png.ts'
import { LookBody, lookFields, type LookJson, QrQuery } from './schema.ts'
import { type Drawing, qrSvg } from './svg.ts'

export const MIN_QR_SIZE = 64
/** Enough for a poster: a PNG this wide has some 70 pixels for each module of a usual link. */
export const MAX_QR_SIZE = 2048
const DEFAULT_QR_SIZE = 512

/** @throws Problem('validation_failed') */
function readColor(field: string, text: string | undefined, byDefault: string): string {
  if (text === undefined || text === '') return byDefault
  const color = text.startsWith('#') ? text : `#${text}`
  if (!colorShape.test(color)) throw invalid(field, `${field} must be a colour of six hexadecimal digits.`)
  return color.toLowerCase()
}

interface LookQuery {
  readonly color?: string
  readonly background?: string
  readonly margin?: string
  readonly level?: QrLevel
  readonly logo?: 'true' | 'false'
}

/** @throws Problem('validation_failed') */
function readLook(query: LookQuery, { look: own, logo }: PropertyLook): QrLook {
  if (query.logo === 'true' && !logo) throw invalid('logo', 'The property has no logo.')
  return {
    color: readColor('color', query.color, own.color),
    background: readColor('background', query.background, own.background),
    margin: readInteger('margin', query.margin, { min: 0, max: MAX_QR_MARGIN, default: own.margin }),
    level: query.level ?? own.level,
    hasLogo: query.logo === undefined ? own.hasLogo : query.logo === 'true',
  }
}

const formats = {
  svg: { type: 'image/svg+xml; charset=utf-8', draw: async (drawing: Drawing) => qrSvg(drawing) },
  png: { type: 'image/png', draw: qrPng },
  pdf: { type: 'application/pdf', draw: qrPdf },
} as const

const lookJson = ({ look: { hasLogo, ...look }, logo }: PropertyLook): LookJson => ({
  ...look,
  has_logo: hasLogo,
  is_logo_there: logo !== undefined,
})

export const qrEndpoints = chapter('Management', [
  getRaw(
    '/manage/properties/:property/links/:link/qr',
    role('viewer'),
    {
      summary: 'Get the QR code of a link as an image or a PDF',
      query: QrQuery,
      produces: ['image/svg+xml', 'image/png', 'application/pdf'],
    },
    async ({ context, property, params, query, reply }) => {
      const { code, short_url } = await getShortUrl(context, property.id, params.link)
      const size = readInteger('size', query.size, { min: MIN_QR_SIZE, max: MAX_QR_SIZE, default: DEFAULT_QR_SIZE })
      const own = await readPropertyLook(context, property.id)
      const name = query.format ?? 'svg'
      const { type, draw } = formats[name]
      const file = await draw({ url: scanUrlOf(short_url), size, look: readLook(query, own), logo: own.logo })
      return reply.header('content-disposition', `inline; filename="${code}.${name}"`).type(type).send(file)
    },
  ),
  get(
    '/manage/properties/:property/qr-look',
    role('viewer'),
    { summary: 'Get how the QR codes of a property look', answer: lookFields },
    async ({ context, property }) => lookJson(await readPropertyLook(context, property.id)),
  ),
  post(
    '/manage/properties/:property/qr-look',
    role('admin'),
    { summary: 'Set how the QR codes of a property look, and their logo', body: LookBody, answer: lookFields },
    async ({ context, property, body: { has_logo, logo, color, background, ...rest } }) =>
      lookJson(
        await changePropertyLook(context, property.id, {
          look: {
            ...rest,
            ...(color !== undefined && { color: readColor('color', color, '') }),
            ...(background !== undefined && { background: readColor('background', background, '') }),
            ...(has_logo !== undefined && { hasLogo: has_logo }),
          },
          logo,
        }),
      ),
  ),
])
