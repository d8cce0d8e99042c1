// What the endpoints about browser libraries and callers take and answer: for validation and documentation.
import { Type } from 'typebox'
import { answerOf, type JsonOf, MaybeText, oneOf, open, pageQuery, utcWindowQuery } from '../http/shapes.ts'
import { libs } from './lib-errors.ts'

/** Ids and keys are far shorter. */
const MAX_PROPERTY = 255

export const LibErrorBody = Type.Object({
  property_id: Type.String({ minLength: 1, maxLength: MAX_PROPERTY, description: 'Its public key or its id.' }),
  error: Type.String({ minLength: 1, description: 'What went wrong, in the words of the browser.' }),
  lib: oneOf(libs),
})

export type LibErrorJson = JsonOf<typeof LibErrorBody>

export const LibErrorAnswer = {
  200: answerOf({ ok: Type.Boolean() }),
  422: Type.Unsafe<object>(
    Type.Object({
      code: Type.Integer(),
      status: Type.String(),
      data: Type.Object({ error: Type.String({ enum: ['Invalid payload', 'Invalid property'] }) }),
    }),
  ),
}

export const LibErrorQuery = Type.Object({ ...utcWindowQuery, ...pageQuery })

const TopErrorShape = Type.Object({
  message: Type.String(),
  lib: Type.String(),
  count: Type.Integer(),
  browsers: Type.Array(Type.Object({ browser: Type.String(), count: Type.Integer() })),
})
export type TopErrorJson = JsonOf<typeof TopErrorShape>

export const ErrorDayShape = Type.Object(
  {
    day: Type.String({ description: 'YYYY-MM-DD, in the time zone of the property.' }),
    count: Type.Integer({ description: 'Reports of people.' }),
    bots: Type.Integer({ description: 'Reports from bots, counted in no other number.' }),
    errors: Type.Array(TopErrorShape),
  },
  open,
)
export type ErrorDayJson = JsonOf<typeof ErrorDayShape>

const MaybeNumber = Type.Unsafe<number | null>({ type: ['number', 'null'] })

export const PingMeAnswer = {
  200: Type.Unsafe<object>(
    Type.Object({
      ip: MaybeText,
      asn: MaybeNumber,
      as_name: MaybeText,
      country: MaybeText,
      country_code: MaybeText,
      region: MaybeText,
      city: MaybeText,
      timezone: MaybeText,
      lat: MaybeNumber,
      lon: MaybeNumber,
      device: MaybeText,
      os: MaybeText,
      browser: MaybeText,
      language: MaybeText,
      is_bot: Type.Boolean(),
      bot_name: MaybeText,
      referrer: MaybeText,
    }),
  ),
}
