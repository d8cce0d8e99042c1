// The migrations of a store are the files of its folder, in the order of their names: a new one is a new file
// and no line elsewhere.
import { readdir } from 'node:fs/promises'

/** Of a source, or of what the bundle has in its place. */
const fileName = /^(\d{3}_\w+)\.[jt]s$/

/** `load`: when it is asked for, since a migration may need modules that need this one's callers. */
interface Listed<Migration> {
  readonly name: string
  readonly load: () => Promise<Migration>
}

/** In order. */
export async function listMigrations<Migration extends { readonly name: string }>(
  folder: URL,
): Promise<Listed<Migration>[]> {
  const files = (await readdir(folder)).toSorted()
  return files.flatMap((file) => {
    const [, name] = fileName.exec(file) ?? []
    return name === undefined ? [] : [{ name, load: () => loadMigration<Migration>(new URL(file, folder), name) }]
  })
}

/** The export that has the name of the file. */
async function loadMigration<Migration extends { readonly name: string }>(
  { href }: URL,
  name: string,
): Promise<Migration> {
  const module = (await import(href)) as Record<string, Migration>
  const migration = Object.values(module).find((each) => each.name === name)
  if (!migration) throw new Error(`server/stores/migrations: ${name} exports no migration of this name`)
  return migration
}
