// The migrations of a store are the files of its folder, in the order of their names: a new one is a new file
// and no line elsewhere.
import { readdir } from 'node:fs/promises'

/** Of a source, or of what the bundle has in its place. */
const fileName = /^(\d{3}_\w+)\.[jt]s$/

/** Files by the names of their migrations, in order. */
async function readFiles(folder: URL): Promise<ReadonlyMap<string, string>> {
  const files = (await readdir(folder)).toSorted()
  return new Map(files.map((file) => [fileName.exec(file)?.[1] ?? '', file] as const).filter(([name]) => name !== ''))
}

/** In order. */
export async function readMigrationNames(folder: URL): Promise<string[]> {
  return [...(await readFiles(folder)).keys()]
}

/** Loaded when they are asked for: a migration may need modules that need this one's callers. */
export async function readMigrations<Migration extends { readonly name: string }>(folder: URL): Promise<Migration[]> {
  const names = await readMigrationNames(folder)
  return Promise.all(names.map((name) => readMigration<Migration>(folder, name)))
}

/** The export that has the name of the file. */
export async function readMigration<Migration extends { readonly name: string }>(
  folder: URL,
  name: string,
): Promise<Migration> {
  const file = (await readFiles(folder)).get(name) ?? name
  const module = (await import(new URL(file, folder).href)) as Record<string, Migration>
  const migration = Object.values(module).find((each) => each.name === name)
  if (!migration) throw new Error(`server/stores/migrations: ${file} exports no migration of this name`)
  return migration
}
