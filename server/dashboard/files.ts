// The dashboard as it was built (tools/build-dashboard.mjs), read once: every file in every encoding, and
// index.html with the URLs of this service.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { extname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { staticFile, type StaticFile } from '../serving/static-files.ts'
import type { Mount } from './mount.ts'

export interface DashboardFile extends StaticFile {
  /** Its name changes with its bytes, so it never needs to be revalidated. */
  readonly isImmutable: boolean
}

/** By path under the dashboard, without a leading slash: `assets/index-1a2b.js`. */
export type DashboardFiles = ReadonlyMap<string, DashboardFile>

export const buildFolder = fileURLToPath(new URL('../../dist/dashboard/', import.meta.url))
export const INDEX = 'index.html'
/** The same page with the files of the overview among those that the browser fetches at once. */
export const OVERVIEW_INDEX = 'index.html for the overview'

/**
 * What only one page needs says so (dashboard/vite.config.ts): files, and what is shown of it until its code
 * is there.
 */
const OF_ONE_PAGE =
  /[ \t]*(?:<link\b[^>]* data-page="[^"]*"[^>]*>|<section\b[^>]* data-page="[^"]*"[^>]*>[\s\S]*?<\/section>)\n?/g

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.png': 'image/png',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
}

const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT'

function readIfThere(path: string): Buffer | undefined {
  try {
    return readFileSync(path)
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}

function fileOf(name: string, plain: Buffer, br: Buffer | undefined, gzip: Buffer | undefined): DashboardFile {
  const type = types[extname(name)] ?? 'application/octet-stream'
  const encoded = { ...(br && { br }), ...(gzip && { gzip }) }
  return { ...staticFile(type, plain, encoded), isImmutable: name.startsWith('assets/') }
}

/**
 * Attributes of <html> contain the URLs of the service, and files are referred to by their full path:
 * pages lie at any depth.
 */
function placed(html: string, { basePath, apiPath, names }: Mount): string {
  return html
    .replace('data-base=""', `data-base="${basePath}"`)
    .replace('data-api=""', `data-api="${apiPath}"`)
    .replace('data-names=""', `data-names="${names}"`)
    .replaceAll(/(src|href)="\.\//g, `$1="${basePath}/`)
}

/** What the page has in itself of code and of styles, as its policy names it. */
export interface Inlined {
  readonly scripts: readonly string[]
  readonly styles: readonly string[]
}

const INLINED = /<(script|style)>([\s\S]*?)<\/\1>/g

/** @returns for `script-src` and `style-src`: a browser runs and applies nothing else that is in a page. */
export function inlinedIn(html: string): Inlined {
  const found = [...html.matchAll(INLINED)].map(([, tag, text = '']) => ({
    tag,
    source: `'sha256-${createHash('sha256').update(text).digest('base64')}'`,
  }))
  const of = (wanted: string) => found.filter(({ tag }) => tag === wanted).map(({ source }) => source)
  return { scripts: of('script'), styles: of('style') }
}

function indexOf(text: string): DashboardFile {
  const html = Buffer.from(text)
  return fileOf(INDEX, html, brotliCompressSync(html), gzipSync(html, { level: 9 }))
}

function readIndexes(plain: Buffer, mount: Mount): readonly (readonly [string, DashboardFile])[] {
  const html = placed(plain.toString(), mount)
  return [
    [INDEX, indexOf(html.replaceAll(OF_ONE_PAGE, ''))],
    [OVERVIEW_INDEX, indexOf(html)],
  ]
}

function readOne(folder: string, name: string): DashboardFile {
  const path = join(folder, name)
  return fileOf(name, readFileSync(path), readIfThere(`${path}.br`), readIfThere(`${path}.gz`))
}

/**
 * The build by the location of the service: it belongs to the running version, so the services of one process
 * share it.
 */
const built = new Map<string, DashboardFiles | undefined>()

/** The build. Undefined when there is none. */
export function readBuild(mount: Mount): DashboardFiles | undefined {
  const key = JSON.stringify(mount)
  if (!built.has(key)) built.set(key, readDashboard(buildFolder, mount))
  return built.get(key)
}

/**
 * Undefined when it has not been built. Read synchronously at the start, when no request waits: reading a
 * hundred small files in parallel takes many times as long.
 */
export function readDashboard(folder: string, mount: Mount): DashboardFiles | undefined {
  const index = readIfThere(join(folder, INDEX))
  if (!index) return undefined
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  const names = entries
    .filter((entry) => entry.isFile() && !/\.(br|gz)$/.test(entry.name))
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .filter((name) => !/(^|[\\/])\./.test(name))
  const files = names.filter((name) => name !== INDEX).map((name) => [name, readOne(folder, name)] as const)
  return new Map([...files, ...readIndexes(index, mount)])
}
