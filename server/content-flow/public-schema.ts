// Headers, bodies and answers of content as pages request it (docs/api/content.md).
import { Type } from 'typebox'
import { MaybeText, open } from '../http/shapes.ts'
import {
  MAX_CTA_KEY,
  MAX_ELEMENT_KEY,
  MAX_EVENT_NAME,
  MAX_META,
  MAX_META_KEY,
  MAX_META_KEYS,
} from '../content/content-model.ts'
import type { TrackBody } from './track.ts'

/** Optional here: a page without it gets the answer for a foreign domain. */
export const RenderHeaders = Type.Object({
  referer: Type.Optional(Type.String({ description: "Where the page stands: on the property's base domain." })),
})

const Cta = Type.Object({
  key: Type.String({ description: 'What `cta_key` of track names.' }),
  label: Type.String(),
  url: MaybeText,
})

export const RenderAnswer = {
  200: Type.Unsafe<object>(
    Type.Object(
      {
        success: Type.Boolean(),
        message: Type.Optional(
          Type.Unsafe<string>({
            enum: ['Content not found', 'Domain not authorized', 'No active version'],
            description: 'Alone with `success: false`.',
          }),
        ),
        request_id: Type.Optional(Type.String({ description: 'For track; good for 24 hours.' })),
        content_id: Type.Optional(Type.String()),
        content_key: Type.Optional(Type.String()),
        version_id: Type.Optional(Type.String()),
        version_label: Type.Optional(Type.String()),
        html: Type.Optional(Type.String()),
        ctas: Type.Optional(Type.Array(Cta)),
      },
      open,
    ),
  ),
}

/** All our ids are shorter. */
const MAX_ID = 64

const Id = (description: string) => Type.String({ minLength: 1, maxLength: MAX_ID, description })

const OptionalText = (maxLength: number, description: string) =>
  Type.Optional(Type.Unsafe<string | null>({ type: ['string', 'null'], maxLength, description }))

/** An object; or an empty list, which PHP writes for an object without keys. */
const Meta = Type.Optional(
  Type.Unsafe<NonNullable<TrackBody['meta']> | null>({
    type: ['object', 'array', 'null'],
    maxItems: 0,
    maxProperties: MAX_META_KEYS,
    propertyNames: { minLength: 1, maxLength: MAX_META_KEY },
    description: `At most ${MAX_META} characters as JSON. Kept as it is: not for personal data.`,
  }),
)

export const TrackBodySchema = Type.Object({
  request_id: Id('From render, at most 24 hours ago.'),
  content_id: Id('From render.'),
  version_id: Id('From render.'),
  action: Type.Unsafe<TrackBody['action']>({ enum: ['view', 'click'] }),
  cta_key: OptionalText(MAX_CTA_KEY, 'Which of the `ctas` was clicked.'),
  element_key: OptionalText(MAX_ELEMENT_KEY, 'Which part of the block; the page chooses the names.'),
  event_name: OptionalText(MAX_EVENT_NAME, 'What happened, in the words of the page.'),
  dwell_ms: Type.Optional(
    Type.Unsafe<number | null>({
      type: ['integer', 'null'],
      minimum: 0,
      description:
        'How long the block was in view; at most a day is kept. A view may be told again with more: the longest counts.',
    }),
  ),
  meta: Meta,
})

export const TrackAnswer = {
  200: Type.Unsafe<object>(
    Type.Object(
      {
        success: Type.Boolean(),
        interaction_id: Type.String({
          description: 'Decimal. The same for every telling of one view; a new one for every click.',
        }),
      },
      open,
    ),
  ),
}
