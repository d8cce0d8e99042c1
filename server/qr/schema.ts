// What the endpoints of QR codes take and answer.
import { type TObject, Type } from 'typebox'
import { type JsonOf, oneOf } from '../http/shapes.ts'
import { MAX_LOGO_BYTES, MAX_LOGO_SIDE } from './logo.ts'
import { MAX_QR_MARGIN, qrLevels } from './look.ts'

const Color = (description: string) => Type.Optional(Type.String({ description }))

export const QrQuery = Type.Object({
  format: Type.Optional(oneOf(['svg', 'png', 'pdf'], 'Default: svg.')),
  size: Type.Optional(
    Type.String({ description: 'Width and height in pixels, 64 to 2048; default 512. A PDF has 96 to an inch.' }),
  ),
  color: Color('Of the code, six hexadecimal digits. What is left out is as the property has it.'),
  background: Color('Six hexadecimal digits.'),
  margin: Type.Optional(Type.String({ description: 'Modules around the code, 0 to 10.' })),
  level: Type.Optional(oneOf(qrLevels, 'Error correction; H with a logo, whatever is asked for.')),
  logo: Type.Optional(oneOf(['true', 'false'], 'Whether the logo of the property stands in the middle.')),
})

/** base64 has four characters for three bytes. */
const MAX_LOGO_TEXT = Math.ceil(MAX_LOGO_BYTES / 3) * 4

export const LookBody = Type.Object({
  color: Color('#rrggbb. What is left out stays.'),
  background: Color('#rrggbb.'),
  margin: Type.Optional(Type.Integer({ minimum: 0, maximum: MAX_QR_MARGIN })),
  level: Type.Optional(oneOf(qrLevels)),
  has_logo: Type.Optional(Type.Boolean({ description: 'Whether codes have the logo where nobody says otherwise.' })),
  logo: Type.Optional(
    Type.Unsafe<string | null>({
      type: ['string', 'null'],
      maxLength: MAX_LOGO_TEXT,
      description: `A PNG in base64, at most ${MAX_LOGO_BYTES / 1024} KiB and ${MAX_LOGO_SIDE} pixels wide and high; null: none. Left out: as it is.`,
    }),
  ),
})

export type LookBodyJson = JsonOf<typeof LookBody>

export const lookFields = {
  color: Type.String(),
  background: Type.String(),
  margin: Type.Integer(),
  level: oneOf(qrLevels),
  has_logo: Type.Boolean(),
  is_logo_there: Type.Boolean({ description: 'Whether the property has a logo.' }),
}
export type LookJson = JsonOf<TObject<typeof lookFields>>
