// /openapi.json for programs and /docs for people: the guides, and the API as its schemas describe it.
// Everything is served from memory; a page is rendered and compressed on first use, once for all callers.
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyInstance, FastifyPluginAsync } from 'fastify'
import { sendStatic, staticFile, type StaticFile } from '../serving/static-files.ts'
import { findTypeface, guideHtml, readAsset, referencePage, searchIndex, styles } from './documentation.ts'
import { allPages, REFERENCE } from './pages.ts'
import type { Description } from './reference.ts'

/**
 * Only files of this service. No upgrade to https, which would leave the page without its styles on a plain
 * address in a local network.
 */
const docsPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/**
 * The bytes only change with the version of the service, and are revalidated each time: most often the answer
 * is 304.
 */
const headers = { 'cache-control': 'no-cache' }
const docsHeaders = { ...headers, 'content-security-policy': docsPolicy }

const JSON_TYPE = 'application/json; charset=utf-8'
const HTML_TYPE = 'text/html; charset=utf-8'

/** Higher levels take seconds for the largest file and save little. */
const BROTLI_QUALITY = 9
const brotli = promisify(brotliCompress)
const gzipped = promisify(gzip)

/** Compressed outside the main thread, which keeps serving. */
async function compressed(type: string, plain: Buffer): Promise<StaticFile> {
  const params = { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY, [constants.BROTLI_PARAM_SIZE_HINT]: plain.length }
  const [br, gz] = await Promise.all([brotli(plain, { params }), gzipped(plain)])
  return staticFile(type, plain, { br, gzip: gz })
}

type Load = () => Promise<StaticFile>

/** After a failure the next caller tries again. */
function once(load: Load): Load {
  let made: Promise<StaticFile> | undefined
  return () => {
    made ??= load().catch((error: unknown) => {
      made = undefined
      throw error
    })
    return made
  }
}

type Make = () => string | Buffer | Promise<string | Buffer>

interface File {
  readonly type: string
  readonly own?: Readonly<Record<string, string>>
  readonly make: Make
}

/** The same file under each of the addresses. */
function serve(app: FastifyInstance, urls: readonly string[], { type, own = docsHeaders, make }: File): void {
  const get = once(async () => compressed(type, Buffer.from(await make())))
  for (const url of urls)
    app.route({
      method: ['GET', 'HEAD'],
      url,
      schema: { hide: true },
      handler: async (request, reply) => sendStatic(request, reply, await get(), own),
    })
}

function serveAssets(app: FastifyInstance): void {
  const typeface = findTypeface()
  serve(app, ['/docs/static/docs.css'], {
    type: 'text/css; charset=utf-8',
    make: () => styles(typeface !== undefined),
  })
  for (const name of ['docs.js', 'theme.js'] as const)
    serve(app, [`/docs/static/${name}`], { type: 'text/javascript; charset=utf-8', make: () => readAsset(name) })
  serve(app, ['/docs/static/icon.svg'], { type: 'image/svg+xml', make: () => readAsset('icon.svg') })
  if (typeface !== undefined)
    serve(app, ['/docs/static/inter.woff2'], { type: 'font/woff2', make: () => readFile(typeface) })
}

/** Registered after all other routes, so that the description is complete. */
export const docs: FastifyPluginAsync = async (app) => {
  // As programs read it: what follows takes the same bytes apart.
  const describe = () => JSON.stringify(app.swagger())
  const description = () => JSON.parse(describe()) as Description
  serve(app, ['/openapi.json', '/docs/json'], { type: JSON_TYPE, own: headers, make: describe })
  serve(app, ['/docs/yaml'], { type: 'application/x-yaml', own: headers, make: () => app.swagger({ yaml: true }) })
  for (const page of allPages) {
    const url = page.path === '' ? '/docs' : `/docs/${page.path}`
    serve(app, [url], { type: HTML_TYPE, make: () => guideHtml(page) })
  }
  serve(app, [`/docs/${REFERENCE}`], { type: HTML_TYPE, make: () => referencePage(description()) })
  serveAssets(app)
  const search = async () => JSON.stringify(await searchIndex(description()))
  serve(app, ['/docs/static/search.json'], { type: JSON_TYPE, make: search })
  // Links on a page are relative: with a slash behind it they would lead elsewhere.
  app.get('/docs/', { schema: { hide: true } }, async (_request, reply) => reply.redirect('../docs', 301))
}
