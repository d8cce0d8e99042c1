// What the endpoints of segments take and answer.
import { type TObject, Type } from 'typebox'
import { ClauseBody } from '../analytics/schema.ts'
import { MAX_CLAUSES } from '../analytics/clauses.ts'
import { described, type JsonOf, open } from '../http/shapes.ts'
import { MAX_SEGMENT_NAME } from './segments.ts'

const Name = Type.String({ minLength: 1, maxLength: MAX_SEGMENT_NAME })
const Clauses = Type.Array(ClauseBody, {
  minItems: 1,
  maxItems: MAX_CLAUSES,
  description: 'Filters; all of them hold. A segment is not made of other segments.',
})
const IsPersonal = Type.Boolean({
  description: 'Listed for the person who saved it alone. Others are for everybody in the property, by its admins.',
})

export const NewSegment = Type.Object({
  name: Name,
  clauses: Clauses,
  is_personal: Type.Optional(described(IsPersonal, 'Default: true for people, false for scripts.')),
})
export const ChangedSegment = Type.Partial(Type.Object({ name: Name, clauses: Clauses, is_personal: IsPersonal }))

export const SegmentShape = Type.Object(
  {
    id: Type.String({ examples: ['sg_…'] }),
    name: Type.String(),
    clauses: Type.Array(ClauseBody),
    is_personal: Type.Boolean(),
    created_ts: Type.Integer(),
    updated_ts: Type.Integer(),
  },
  open,
)

export const listFields = { segments: Type.Array(SegmentShape) }
export const segmentFields = { segment: SegmentShape }
export type SegmentJson = JsonOf<typeof SegmentShape>
export type SegmentsJson = JsonOf<TObject<typeof listFields>>
