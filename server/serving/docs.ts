// /openapi.json for programs and /docs for people: the API as its schemas describe it. Everything is served
// from memory; a file is read, generated or compressed on first use, once for all concurrent callers.
import { readFile } from 'node:fs/promises'
import { dirname, extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyInstance, FastifyPluginAsync } from 'fastify'
import { sendStatic, staticFile, type StaticFile } from './static-files.ts'

/**
 * Only files of this service, and the one style element that the page adds to itself, by its hash. No upgrade
 * to https, which would leave the page blank on a plain address in a local network.
 */
const docsPolicy =
  "default-src 'self'; object-src 'none'; script-src 'self'; style-src 'self' 'sha256-RL3ie0nH+Lzz2YNqQN83mnU0J1ot4QL7b99vMdIX99w='; " +
  "img-src 'self' data:; font-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/**
 * The bytes only change with the version of the service, and are revalidated each time: most often the answer
 * is 304.
 */
const headers = { 'cache-control': 'no-cache' }
const docsHeaders = { ...headers, 'content-security-policy': docsPolicy }

const JSON_TYPE = 'application/json; charset=utf-8'
const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.png': 'image/png',
}

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

const assetFolder = join(dirname(fileURLToPath(import.meta.resolve('@fastify/swagger-ui'))), 'static')
const assetNames = [
  'swagger-ui.css',
  'index.css',
  'swagger-ui-bundle.js',
  'swagger-ui-standalone-preset.js',
  'favicon-32x32.png',
  'favicon-16x16.png',
] as const

async function readAsset(name: string): Promise<StaticFile> {
  const type = types[extname(name)] ?? 'application/octet-stream'
  const plain = await readFile(join(assetFolder, name))
  return type.startsWith('image/') ? staticFile(type, plain) : compressed(type, plain)
}

/**
 * @param folder of the files as the browser must write it: the page's URL may have a trailing slash or none.
 */
const page = (folder: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Footfall: the interface</title>
<link rel="stylesheet" href="${folder}/swagger-ui.css">
<link rel="stylesheet" href="${folder}/index.css">
<link rel="icon" type="image/png" href="${folder}/favicon-32x32.png" sizes="32x32">
<link rel="icon" type="image/png" href="${folder}/favicon-16x16.png" sizes="16x16">
</head>
<body>
<div id="swagger-ui"></div>
<script src="${folder}/swagger-ui-bundle.js"></script>
<script src="${folder}/swagger-ui-standalone-preset.js"></script>
<script src="${folder}/start.js"></script>
</body>
</html>
`

/** Two hundred expanded endpoints would take the page ten seconds or more to render. */
const startScript = `const description = new URL('../../openapi.json', document.currentScript.src).href
SwaggerUIBundle({
  dom_id: '#swagger-ui',
  url: description,
  docExpansion: 'none',
  deepLinking: true,
  tryItOutEnabled: true,
  validatorUrl: null,
  presets: [SwaggerUIBundle.presets.apis, SwaggerUIStandalonePreset],
  plugins: [SwaggerUIBundle.plugins.DownloadUrl],
  layout: 'StandaloneLayout',
})
`

function serve(app: FastifyInstance, url: string, own: Readonly<Record<string, string>>, load: Load): void {
  const get = once(load)
  app.route({
    method: ['GET', 'HEAD'],
    url,
    schema: { hide: true },
    handler: async (request, reply) => sendStatic(request, reply, await get(), own),
  })
}

const written = (type: string, text: () => string): Load => {
  return async () => compressed(type, Buffer.from(text()))
}

/** Registered after all other routes, so that the description is complete. */
export const docs: FastifyPluginAsync = async (app) => {
  const describe = () => JSON.stringify(app.swagger())
  serve(app, '/openapi.json', headers, written(JSON_TYPE, describe))
  serve(app, '/docs/json', headers, written(JSON_TYPE, describe))
  serve(
    app,
    '/docs/yaml',
    headers,
    written('application/x-yaml', () => app.swagger({ yaml: true })),
  )
  serve(
    app,
    '/docs',
    docsHeaders,
    written('text/html; charset=utf-8', () => page('docs/static')),
  )
  serve(
    app,
    '/docs/',
    docsHeaders,
    written('text/html; charset=utf-8', () => page('static')),
  )
  serve(
    app,
    '/docs/static/start.js',
    docsHeaders,
    written(types['.js']!, () => startScript),
  )
  for (const name of assetNames) serve(app, `/docs/static/${name}`, docsHeaders, () => readAsset(name))
}
