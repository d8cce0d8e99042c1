// What annotations take and answer, for the check and for the documentation.
import { Type } from 'typebox'
import { type JsonOf, open, pageQuery } from '../http/shapes.ts'

/** A line below a graph. */
export const MAX_TEXT = 200
/** 2099-12-31: as far as windows reach. */
export const MAX_TS = 4_102_444_799

const ts = Type.Integer({ minimum: 0, maximum: MAX_TS, description: 'Unix seconds.' })
/** Counted exactly by annotations.ts, which trims it first. */
const note = Type.String({ maxLength: MAX_TEXT * 4, description: `1 to ${MAX_TEXT} characters in one line.` })

export const NewAnnotation = Type.Object({ ts, text: note })
export const ChangedAnnotation = Type.Partial(NewAnnotation)
export const PageQuery = Type.Object(pageQuery)
export type NoteJson = JsonOf<typeof NewAnnotation>

export const annotationFields = { id: Type.String({ examples: ['an_…'] }), ts: Type.Integer(), text: Type.String() }
export const AnnotationShape = Type.Object({ ...annotationFields, created_ts: Type.Integer() }, open)
export type AnnotationJson = JsonOf<typeof AnnotationShape>
