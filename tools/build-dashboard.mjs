// Builds the dashboard when its sources have changed: dist/dashboard/ gets its files, and one that holds all
// of them, plain and compressed, for the service (server/dashboard/files.ts). Plain JavaScript, since it runs
// on Node 20 too.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { environment, root, runtime } from './setup.mjs'

const sources = join(root, 'dashboard')
const folder = join(root, 'dist', 'dashboard')
const stampIn = (path) => join(path, '.built')

/** What is worth compressing; images are small already. */
const compressible = /\.(js|css|html|svg|json)$/

const filesIn = (path) =>
  readdirSync(path, { recursive: true })
    .map(String)
    .filter((file) => statSync(join(path, file)).isFile())
    .sort()

/**
 * Changes with everything that the result depends on: the sources, the words that they share with the server,
 * and the packages.
 */
function sourceHash() {
  const hash = createHash('sha256')
  const shared = [
    'browser/managed.ts',
    'browser/managed/draw.ts',
    'browser/managed/theme.ts',
    'browser/form/mark.ts',
    'server/analytics/dimensions.ts',
    'server/kernel/roles.ts',
    'server/automations/automation-model.ts',
    'server/deliveries/envelope.ts',
    'server/kernel/trigger-table.ts',
    'package-lock.json',
  ].map((file) => join(root, file))
  const own = filesIn(sources)
    .filter((file) => !/\.(test\.tsx?|md)$/.test(file))
    .map((file) => join(sources, file))
  for (const file of [...own, ...shared]) hash.update(`${file.slice(root.length)}\0`).update(readFileSync(file))
  return hash.update(readFileSync(new URL(import.meta.url))).digest('hex')
}

const isBuilt = (hash) => existsSync(stampIn(folder)) && readFileSync(stampIn(folder), 'utf8') === hash

const params = (bytes) => ({
  [constants.BROTLI_PARAM_QUALITY]: 11,
  [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
})
const compressed = (bytes) => ({
  br: brotliCompressSync(bytes, { params: params(bytes) }),
  gzip: gzipSync(bytes, { level: 9 }),
})

/** Nothing that begins with a dot is served. */
const isServed = (file) => !/(^|[\\/])\./.test(file)

/**
 * Puts all files of a build into one: to read hundreds of small ones would be a twentieth of a start of the
 * service.
 * @param encode a file's other encodings
 */
export function packDashboard(built, encode = compressed) {
  const parts = []
  let end = 0
  const add = (bytes) => {
    parts.push(bytes)
    end += bytes.length
    return [end - bytes.length, bytes.length]
  }
  const list = filesIn(built)
    .filter(isServed)
    .map((name) => {
      const plain = readFileSync(join(built, name))
      const { br, gzip } = compressible.test(name) ? encode(plain) : {}
      return { name, plain: add(plain), ...(br && { br: add(br) }), ...(gzip && { gzip: add(gzip) }) }
    })
  writeFileSync(join(built, '.pack'), Buffer.concat([Buffer.from(`${JSON.stringify(list)}\n`), ...parts]))
}

function bundle(built) {
  const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js')
  const args = [vite, 'build', '--logLevel', 'warn', '--outDir', built, '--emptyOutDir', sources]
  const { status } = spawnSync(runtime(), args, { cwd: root, env: environment(), stdio: ['ignore', 2, 2] })
  if (status !== 0) throw new Error('vite could not build it')
}

/** Atomic; of two concurrent builds the later one stays. */
function replace(built) {
  const old = `${built}.old`
  for (let attempts = 5; ; attempts -= 1) {
    if (existsSync(folder)) renameSync(folder, old)
    try {
      renameSync(built, folder)
      return
    } catch (error) {
      if (attempts === 0) throw error // it came back between the two
    } finally {
      rmSync(old, { recursive: true, force: true })
    }
  }
}

/**
 * Builds only when stale. The old files are served until the new ones are complete. @throws when a source has
 * an error.
 */
export function buildDashboard({ say = (line) => console.error(line) } = {}) {
  const hash = sourceHash()
  if (isBuilt(hash)) return
  const built = `${folder}.${process.pid}`
  try {
    bundle(built)
    packDashboard(built)
    writeFileSync(stampIn(built), hash)
    replace(built)
  } finally {
    rmSync(built, { recursive: true, force: true })
  }
  say('dashboard: built')
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) buildDashboard()
