// What the endpoint of QR codes takes.
import { Type } from 'typebox'
import { oneOf } from '../http/shapes.ts'
import { type QrLevel, qrLevels } from './qr-look.ts'

const qrLook = {
  color: Type.Optional(Type.String({ description: 'Of the code, six hexadecimal digits; default 000000.' })),
  background: Type.Optional(Type.String({ description: 'Default: ffffff.' })),
  margin: Type.Optional(Type.String({ description: 'Modules around the code, 0 to 10; default 4.' })),
  level: Type.Optional(oneOf(qrLevels, 'Error correction; default M.')),
}
export interface QrLookQuery {
  readonly color?: string
  readonly background?: string
  readonly margin?: string
  readonly level?: QrLevel
}

export const QrQuery = Type.Object({
  ...qrLook,
  format: Type.Optional(oneOf(['svg', 'png'], 'Default: svg.')),
  size: Type.Optional(Type.String({ description: 'Width and height in pixels, 64 to 2048; default 512.' })),
})
