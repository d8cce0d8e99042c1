// Annotations: what an owner pins to a time, so that a graph explains itself. Read from the records each
// time: one that was made is there at once.
import { currentTs, type Deps } from '../kernel/deps.ts'
import type { Listed, PageQuery } from '../kernel/page.ts'
import { invalid, Problem, propertyNotFound } from '../kernel/problem.ts'
import type { Span } from '../kernel/window.ts'
import { newId } from '../kernel/secrets.ts'
import { orNotFound } from '../stores/gone.ts'
import {
  countAnnotations,
  deleteAnnotationRow,
  insertAnnotation,
  listAnnotationRows,
  listAnnotationsBetween,
  updateAnnotationRow,
} from './records.ts'
import { type AnnotationJson, MAX_TEXT, type NoteJson } from './schema.ts'

/** One a day for some years. */
export const MAX_ANNOTATIONS = 2000
/** More in one window cannot be told apart. */
const MOST_SHOWN = 200
const idShape = /^an_[0-9A-Za-z]{20}$/
/** Line breaks and escape sequences have no place in a line. */
const controls = /\p{Cc}/u

const notFound = () => new Problem('not_found', 'The annotation is not in this property.')

function readText(text: string): string {
  const trimmed = text.trim()
  if (trimmed === '' || [...trimmed].length > MAX_TEXT)
    throw invalid('text', `text must have 1 to ${MAX_TEXT} characters.`)
  if (controls.test(trimmed) || !trimmed.isWellFormed())
    throw invalid('text', 'text may not contain control characters.')
  return trimmed
}

/** @throws Problem: validation_failed; not_found when the property is gone. */
export async function createAnnotation(
  deps: Pick<Deps, 'records' | 'now' | 'randomBytes'>,
  propertyId: string,
  draft: NoteJson,
): Promise<AnnotationJson> {
  const annotation: AnnotationJson = {
    id: newId(deps, 'an'),
    ts: draft.ts,
    text: readText(draft.text),
    created_ts: currentTs(deps),
  }
  const insert = deps.records.transaction().execute(async (tx) => {
    // Two at once may exceed it by one: it keeps a script that has gone wild from going on.
    if ((await countAnnotations(tx, propertyId)) >= MAX_ANNOTATIONS)
      throw invalid('text', `A property may have at most ${MAX_ANNOTATIONS} annotations: delete one first.`)
    await insertAnnotation(tx, propertyId, annotation)
  })
  await orNotFound(insert, propertyNotFound)
  return annotation
}

/** The latest time first. */
export async function listAnnotations(
  { records }: Pick<Deps, 'records'>,
  propertyId: string,
  query: PageQuery,
): Promise<Listed<AnnotationJson>> {
  return listAnnotationRows(records, propertyId, query)
}

/** Of a window, in the order of time; no more than can be shown. */
export async function annotationsOfWindow({ records }: Pick<Deps, 'records'>, propertyId: string, span: Span) {
  const [fromTs, toTs] = [span.fromMs / 1000, span.toMs / 1000]
  const found = await listAnnotationsBetween(records, propertyId, { fromTs, toTs, limit: MOST_SHOWN })
  return found.map(({ id, ts, text }) => ({ id, ts, text }))
}

/** Only what is sent is changed. @throws Problem: not_found; validation_failed. */
export async function updateAnnotation(
  { records }: Pick<Deps, 'records'>,
  propertyId: string,
  id: string,
  { ts, text }: Partial<NoteJson>,
): Promise<AnnotationJson> {
  const change = { ...(ts !== undefined && { ts }), ...(text !== undefined && { text: readText(text) }) }
  const annotation = idShape.test(id) ? await updateAnnotationRow(records, propertyId, id, change) : undefined
  if (!annotation) throw notFound()
  return annotation
}

/** @throws Problem('not_found') */
export async function removeAnnotation({ records }: Pick<Deps, 'records'>, propertyId: string, id: string) {
  const isRemoved = idShape.test(id) && (await deleteAnnotationRow(records, propertyId, id))
  if (!isRemoved) throw notFound()
}
