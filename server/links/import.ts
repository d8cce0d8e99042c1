// A file of links, as the dashboard sends it: checked whole, and written only when no row is bad.
import { Readable } from 'node:stream'
import type { Context } from '../context.ts'
import { type BulkOptions, checkLinks } from './bulk.ts'
import { MAX_FILE_BYTES, MAX_FILE_ROWS } from './link-model.ts'
import { createLinks } from './create.ts'

const LIMITS = { rows: MAX_FILE_ROWS, bytes: MAX_FILE_BYTES }
/** JSON writes quotes and line breaks with a backslash. */
export const IMPORT_BODY_BYTES = 2 * MAX_FILE_BYTES

interface SentFile extends Omit<BulkOptions, 'limits'> {
  readonly csv: string
  readonly isTrial: boolean
}

/** @throws Problem('validation_failed') when it is no table of links at all. */
export async function importFile(context: Context, propertyId: string, { csv, isTrial, ...options }: SentFile) {
  const source = Readable.from([Buffer.from(csv)])
  const { checked, drafts, groups } = await checkLinks(context, propertyId, source, { ...options, limits: LIMITS })
  if (checked.bad_rows > 0) return { ...checked, created: 0, created_groups: 0, is_written: false, links: [] }
  const links = isTrial ? [] : await createLinks(context, propertyId, { drafts, groups })
  return { ...checked, created: drafts.length, created_groups: groups.length, is_written: !isTrial, links }
}
