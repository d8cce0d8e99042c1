// Bodies and answers of the tracker calls (docs/browser.md).
import { Type } from 'typebox'
import { identificationFields } from '../contacts/schema.ts'
import {
  acquisitionFields,
  EventMeta,
  EventName,
  EventValue,
  IdempotencyKey,
  MoneyAnswer,
  TagsAnswer,
} from '../sessions/schema.ts'

const open = { additionalProperties: true }

/** A beacon cannot set headers: its body names the property. */
const siteId = {
  site_id: Type.Optional(Type.String({ description: 'The property key, when the header X-SVC-ID cannot be sent.' })),
}

const OptionalText = (maxLength: number) =>
  Type.Optional(Type.Unsafe<string | null>({ type: ['string', 'null'], maxLength }))

export const PingBody = Type.Object({
  ...siteId,
  event: OptionalText(255),
  tos: Type.Optional(Type.Number({ description: 'Seconds on the page; kept whole, between 0 and 86,400.' })),
  max: Type.Optional(Type.Number({ description: 'Largest scroll, 0 to 100; -1 when unknown.' })),
})

/** An hour. Nobody waits longer for a page, and a sum of such times stays a number. */
const MAX_VITAL_MS = 3_600_000
const MAX_LAYOUT_SHIFT = 1_000
const Milliseconds = (description: string) =>
  Type.Optional(Type.Number({ minimum: 0, maximum: MAX_VITAL_MS, description: `${description}, in milliseconds.` }))

export const VitalsBody = Type.Object({
  ...siteId,
  id: Type.Integer({
    minimum: 0,
    maximum: 2 ** 32 - 1,
    description: 'Of the page in its browser: any number, the same in every report of it.',
  }),
  page: Type.String({ description: 'Page URL.' }),
  lcp: Milliseconds('Largest Contentful Paint'),
  inp: Milliseconds('Interaction to Next Paint'),
  cls: Type.Optional(Type.Number({ minimum: 0, maximum: MAX_LAYOUT_SHIFT, description: 'Cumulative Layout Shift.' })),
  fcp: Milliseconds('First Contentful Paint'),
  ttfb: Milliseconds('Time to First Byte'),
})

export const TrackerEventBody = Type.Object({
  ...siteId,
  event: EventName,
  value: EventValue,
  meta: EventMeta,
  idempotency_key: IdempotencyKey,
})

export const TrackerAcquisitionBody = Type.Object({ ...siteId, ...acquisitionFields })

/** Usually there is no body; a beacon's names the property. */
export const ResolveBody = Type.Unsafe<{ readonly site_id?: string } | null>({
  type: ['object', 'null'],
  properties: siteId,
})

export const IdentifyBody = Type.Object({ ...siteId, ...identificationFields })

/** For documentation only: the load parses its headers itself, and answers faults in its own words. */
export const LoadHeaders = Type.Object({
  'x-svc-id': Type.String({ description: 'Property key.' }),
  'x-svc-page': Type.String({ description: 'Page URL, URI-encoded from library version 1.1.0.' }),
  'x-svc-lib': Type.String({ description: 'Library version.' }),
  'x-svc-title': Type.Optional(Type.String({ description: 'Page title, URI-encoded from library version 1.1.0.' })),
  'x-svc-src': Type.Optional(Type.String({ description: 'Referrer, URI-encoded.' })),
  'x-svc-status': Type.Optional(Type.String({ description: 'HTTP status of the page; 200 without one.' })),
  'x-svc-dim': Type.Optional(Type.String({ description: 'Viewport, WIDTHxHEIGHT.' })),
})

/** For documentation only, like the headers. */
export const LoadBody = Type.Object({
  site_id: Type.String({ description: 'Property key; or the header X-SVC-ID.' }),
  page: Type.String({ description: 'Page URL.' }),
  lib: Type.String({ description: 'Library name and version.' }),
  title: Type.Optional(Type.String()),
  src: Type.Optional(Type.String({ description: 'Referrer.' })),
  status: Type.Optional(Type.Integer({ description: 'HTTP status of the page; 200 without one.' })),
  dim: Type.Optional(Type.String({ description: 'Viewport, WIDTHxHEIGHT.' })),
  props: Type.Optional(
    Type.Object(
      {},
      {
        additionalProperties: true,
        description:
          'Properties of the page, such as author or section: texts, numbers and booleans; at most 20, keys of 60 and values of 200 characters.',
      },
    ),
  ),
})

/** For documentation and serialisation; the handler's own types say what it holds. */
function answer(fields: Parameters<typeof Type.Object>[0]) {
  const common = {
    success: Type.Boolean(),
    message: Type.Optional(Type.String()),
    errors: Type.Optional(Type.Array(Type.String())),
  }
  return { 200: Type.Unsafe<object>(Type.Object({ ...common, ...fields }, open)) }
}

const NullableText = Type.Optional(Type.Unsafe<string | null>({ type: ['string', 'null'] }))

export const LoadAnswer = answer({ session_id: Type.Optional(Type.String()), view_id: Type.Optional(Type.String()) })
export const PlainAnswer = answer({})
export const AcquisitionAnswer = answer({
  acquisition_meta: Type.Optional(TagsAnswer),
  value: Type.Optional(MoneyAnswer),
})
export const IdentifyAnswer = answer({
  contact_id: NullableText,
  linked_to_session: Type.Optional(Type.Boolean()),
  gpc: Type.Optional(Type.Boolean()),
})
export const ResolveAnswer = answer({ session_id: NullableText })
