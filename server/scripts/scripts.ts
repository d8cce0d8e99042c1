// The browser libraries as they were built (tools/build-browser.mjs), read once: the bytes in every encoding, and the name of this version of them.
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The names are addresses that owners put into their pages. */
export const SCRIPT_NAMES = ['signals', 'form', 'filling', 'managed', 'content'] as const
export type ScriptName = (typeof SCRIPT_NAMES)[number]

/** The smallest first: the first one that a browser takes is sent. */
const encodings = [
  { name: 'br', ending: '.br' },
  { name: 'gzip', ending: '.gz' },
] as const

export type Encoding = (typeof encodings)[number]['name']

export interface Script {
  readonly plain: Buffer
  readonly encoded: Readonly<Record<Encoding, Buffer>>
  /** Changes with the bytes. */
  readonly hash: string
}

export const buildFolder = fileURLToPath(new URL('../../dist/browser/', import.meta.url))

/** Undefined when it has not been built. */
export async function readScript(folder: string, name: ScriptName): Promise<Script | undefined> {
  const path = join(folder, `${name}.js`)
  try {
    const [plain, br, gzip] = await Promise.all([readFile(path), readFile(`${path}.br`), readFile(`${path}.gz`)])
    return { plain, encoded: { br, gzip }, hash: createHash('sha256').update(plain).digest('base64url').slice(0, 22) }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** The best encoding that an Accept-Encoding header allows; undefined for the plain bytes. A quality of 0 forbids one. */
export function chooseEncoding(header: string): Encoding | undefined {
  const allowed = new Map(
    header.split(',').map((part): [string, boolean] => {
      const [name = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase())
      return [name, !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter))]
    }),
  )
  return encodings.find(({ name }) => allowed.get(name) ?? allowed.get('*') ?? false)?.name
}

/** Whether one of the versions named in If-None-Match is this one. The comparison is the weak one, for proxies may weaken a tag. */
export function isKnown(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false
  return header.split(',').some((known) => known.trim() === '*' || known.trim().replace(/^W\//, '') === tag)
}
