// The browser libraries as they were built (tools/build-browser.mjs), read once: the bytes in every encoding,
// and a tag of their version.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Encoding, staticFile, type StaticFile } from '../serving/static-files.ts'

/** The names are URLs that owners put into their pages. */
export const SCRIPT_NAMES = [
  'signals',
  'extras',
  'vitals',
  'form',
  'filling',
  'managed',
  'notes',
  'content',
  'tag',
] as const
export type ScriptName = (typeof SCRIPT_NAMES)[number]

/** In every encoding. */
export interface Script extends StaticFile {
  readonly encoded: Readonly<Record<Encoding, Buffer>>
}

export const buildFolder = fileURLToPath(new URL('../../dist/browser/', import.meta.url))

/** Undefined when they have not been built. */
export async function readScript(folder: string, name: ScriptName): Promise<Script | undefined> {
  const path = join(folder, `${name}.js`)
  try {
    const [plain, br, gzip] = await Promise.all([readFile(path), readFile(`${path}.br`), readFile(`${path}.gz`)])
    const encoded = { br, gzip }
    return { ...staticFile('text/javascript; charset=utf-8', plain, encoded), encoded }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
