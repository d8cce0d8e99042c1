// The fingerprint of the secret under which an installation keeps its records: one row, which every start is
// held against.
import type { Records } from './stores/records.ts'

const NAME = 'secret'

/** Undefined before the first start, and in records that an older version left. */
export async function findFingerprint(records: Records): Promise<string | undefined> {
  const tables = await records.introspection.getTables()
  if (!tables.some(({ name }) => name === 'installation')) return undefined
  const row = await records.selectFrom('installation').select('value').where('name', '=', NAME).executeTakeFirst()
  return row?.value
}

/** Of two nodes that start at once, one is first. */
export async function keepFirstFingerprint(records: Records, fingerprint: string): Promise<void> {
  await records
    .insertInto('installation')
    .values({ name: NAME, value: fingerprint })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute()
}

export async function replaceFingerprint(records: Records, fingerprint: string): Promise<void> {
  await records
    .insertInto('installation')
    .values({ name: NAME, value: fingerprint })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value: fingerprint }))
    .execute()
}
