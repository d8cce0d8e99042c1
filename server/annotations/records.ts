// The statements about annotations. Every one names its property.
import { type Listed, offsetOf, type PageQuery } from '../kernel/page.ts'
import type { Records, Tx } from '../stores/records.ts'
import type { AnnotationJson as Annotation } from './schema.ts'

const columns = ['id', 'ts', 'text', 'created_ts'] as const

const annotationsOf = (records: Records, propertyId: string) =>
  records.selectFrom('annotations').where('property_id', '=', propertyId)

export async function countAnnotations(records: Records, propertyId: string): Promise<number> {
  const { count } = await annotationsOf(records, propertyId)
    .select((of) => of.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

/** The latest time first. */
export async function listAnnotationRows(
  records: Records,
  propertyId: string,
  query: PageQuery,
): Promise<Listed<Annotation>> {
  const rows = await annotationsOf(records, propertyId)
    .select(columns)
    .orderBy('ts', 'desc')
    .orderBy('id', 'desc')
    .offset(offsetOf(query))
    .limit(query.perPage)
    .execute()
  return { rows, total: await countAnnotations(records, propertyId) }
}

/** Those from one second up to another, which is not among them; in the order of time. */
export async function listAnnotationsBetween(
  records: Records,
  propertyId: string,
  span: { readonly fromTs: number; readonly toTs: number; readonly limit: number },
): Promise<Annotation[]> {
  return annotationsOf(records, propertyId)
    .select(columns)
    .where('ts', '>=', span.fromTs)
    .where('ts', '<', span.toTs)
    .orderBy('ts')
    .orderBy('id')
    .limit(span.limit)
    .execute()
}

/** @throws a foreign key violation when the property is gone. */
export async function insertAnnotation(tx: Tx, propertyId: string, annotation: Annotation): Promise<void> {
  await tx
    .insertInto('annotations')
    .values({ ...annotation, property_id: propertyId })
    .execute()
}

/** As it is now; undefined when there is none. */
export async function updateAnnotationRow(
  records: Records,
  propertyId: string,
  id: string,
  change: Partial<Pick<Annotation, 'ts' | 'text'>>,
): Promise<Annotation | undefined> {
  // Setting the id to itself changes nothing and makes an empty change a valid statement.
  return records
    .updateTable('annotations')
    .set({ id, ...change })
    .where('property_id', '=', propertyId)
    .where('id', '=', id)
    .returning(columns)
    .executeTakeFirst()
}

/** False when there is no such annotation. */
export async function deleteAnnotationRow(records: Records, propertyId: string, id: string): Promise<boolean> {
  const { numDeletedRows } = await records
    .deleteFrom('annotations')
    .where('property_id', '=', propertyId)
    .where('id', '=', id)
    .executeTakeFirst()
  return numDeletedRows > 0n
}
