// The migrations of a store are the files of its folder, in the order of their names: a new one is a new file
// and no line elsewhere.
import { readdir } from 'node:fs/promises'

const fileName = /^(\d{3}_\w+)\.ts$/

/** In order. */
export async function readMigrationNames(folder: URL): Promise<string[]> {
  const files = (await readdir(folder)).toSorted()
  return files.flatMap((file) => fileName.exec(file)?.[1] ?? [])
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
  const module = (await import(new URL(`${name}.ts`, folder).href)) as Record<string, Migration>
  const migration = Object.values(module).find((each) => each.name === name)
  if (!migration) throw new Error(`server/stores/migrations: ${name}.ts exports no migration of this name`)
  return migration
}
