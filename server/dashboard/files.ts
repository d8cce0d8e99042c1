// The dashboard as it was built (tools/build-dashboard.mjs), read once from one file: every file in every
// encoding, and index.html with the URLs of this service. A build that replaces it changes nothing of what a
// running service sends.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
import { staticFile, type StaticFile } from '../serving/static-files.ts'
import type { Mount } from './mount.ts'

export interface DashboardFile extends StaticFile {
  /** Its name changes with its bytes, so it never needs to be revalidated. */
  readonly isImmutable: boolean
}

/** By path under the dashboard, without a leading slash: `assets/index-1a2b.js`. */
export type DashboardFiles = ReadonlyMap<string, DashboardFile>

export interface Dashboard {
  /** All but the page itself. */
  readonly files: DashboardFiles
  /** Compressed when it is first asked for: at its best that takes longer than all of the others are read. */
  readonly page: () => Promise<DashboardFile>
  /** The same page with the files of the overview among those that the browser fetches at once. */
  readonly overviewPage: () => Promise<DashboardFile>
  /** What is in the page itself. */
  readonly inlined: Inlined
}

/** One file of the build within PACK: where its bytes begin in each encoding, and how many there are. */
export interface Packed {
  readonly name: string
  readonly plain: Span
  readonly br?: Span
  readonly gzip?: Span
}
type Span = readonly [start: number, length: number]

export const buildFolder = fileURLToPath(new URL('../../dist/dashboard/', import.meta.url))
/** The whole build: a line of JSON (`Packed[]`), then the bytes of one file after the other. */
export const PACK = '.pack'
const INDEX = 'index.html'

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

function fileOf(name: string, plain: Buffer, encoded: DashboardFile['encoded']): DashboardFile {
  const type = types[extname(name)] ?? 'application/octet-stream'
  return { ...staticFile(type, plain, encoded), isImmutable: name.startsWith('assets/') }
}

function unpack(pack: Buffer): Map<string, DashboardFile> {
  const end = pack.indexOf('\n')
  const bytes = pack.subarray(end + 1)
  const at = ([start, length]: Span): Buffer => bytes.subarray(start, start + length)
  const packed = JSON.parse(pack.toString('utf8', 0, end)) as readonly Packed[]
  return new Map(
    packed.map(({ name, plain, br, gzip }) => {
      const encoded = { ...(br && { br: at(br) }), ...(gzip && { gzip: at(gzip) }) }
      return [name, fileOf(name, at(plain), encoded)]
    }),
  )
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

const [toBrotli, toGzip] = [promisify(brotliCompress), promisify(gzip)]

async function compressedPage(text: string): Promise<DashboardFile> {
  const html = Buffer.from(text)
  const [br, gzip] = await Promise.all([toBrotli(html), toGzip(html, { level: 9 })])
  return fileOf(INDEX, html, { br, gzip })
}

function openPage(text: string): Dashboard['page'] {
  let made: Promise<DashboardFile> | undefined
  return () =>
    (made ??= compressedPage(text).catch((error: unknown) => {
      made = undefined // the next caller tries again
      throw error
    }))
}

/**
 * The build by the location of the service: it belongs to the running version, so the services of one process
 * share it.
 */
const built = new Map<string, Dashboard | undefined>()

/** The build. Undefined when there is none. */
export function readBuild(mount: Mount): Dashboard | undefined {
  const key = JSON.stringify(mount)
  if (!built.has(key)) built.set(key, readDashboard(buildFolder, mount))
  return built.get(key)
}

/** Undefined when it has not been built. */
export function readDashboard(folder: string, mount: Mount): Dashboard | undefined {
  const pack = readIfThere(join(folder, PACK))
  if (!pack) return undefined
  const files = unpack(pack)
  const index = files.get(INDEX)
  if (!index) return undefined
  files.delete(INDEX)
  const overview = placed(index.plain.toString(), mount)
  const page = overview.replaceAll(OF_ONE_PAGE, '')
  return { files, page: openPage(page), overviewPage: openPage(overview), inlined: inlinedIn(page) }
}
