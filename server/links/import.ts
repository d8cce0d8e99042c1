// One part of a file of links, as the dashboard sends it: checked whole, and written only when no row is bad.
import { Readable } from 'node:stream'
import type { Context } from '../context.ts'
import { type BulkOptions, checkLinks } from './bulk.ts'
import { MAX_PART_ROWS } from './link-model.ts'
import { createLinks } from './create.ts'

/** The body is bounded by its group. */
const LIMITS = { rows: MAX_PART_ROWS, bytes: 2 * 1024 * 1024 }

interface Part extends Omit<BulkOptions, 'limits'> {
  readonly csv: string
  readonly isTrial: boolean
}

/** @throws Problem('validation_failed') when it is no table of links at all. */
export async function importPart(context: Context, propertyId: string, { csv, isTrial, ...options }: Part) {
  const source = Readable.from([Buffer.from(csv)])
  const { checked, drafts, groups } = await checkLinks(context, propertyId, source, { ...options, limits: LIMITS })
  if (checked.bad_rows > 0) return { ...checked, created: 0, created_groups: 0, is_written: false, links: [] }
  const links = isTrial ? [] : await createLinks(context, propertyId, { drafts, groups })
  return { ...checked, created: drafts.length, created_groups: groups.length, is_written: !isTrial, links }
}
