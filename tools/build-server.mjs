// Bundles the service and its command line when their sources have changed: dist/server/<hash>/ gets main.js,
// footfall.js and what both load. Two thousand modules become a few dozen: a process starts in two thirds of
// the time and takes 40 MB less (docs/decisions/0081-bundle.md). Plain JavaScript, since it runs on Node 20
// too.
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { root } from './setup.mjs'

const folder = join(root, 'dist', 'server')
const STAMP = '.built'
/** A service that runs still loads parts of its own bundle: that of the version before stays. */
const MOST_OTHERS = 1
const HASH_LENGTH = 12

/**
 * Native code, data, what is built for browsers, and what their callers do without. And CommonJS that is
 * loaded by `import()`, of which the bundle would have no names but `default`.
 */
const EXTERNAL = ['chdb', 'ffi-rs', '@ip-location-db/*', 'esbuild', 'pg-native', 'pino-pretty', 'ioredis']

/** CommonJS packages expect these. */
const BANNER = `import { createRequire as createBundleRequire } from 'node:module'
const require = createBundleRequire(import.meta.url)
const { filename: __filename, dirname: __dirname } = import.meta`

/** By their names in the bundle: what people start, and what that starts by its file. */
const PROGRAMS = {
  main: 'server/main.ts',
  footfall: 'cli/footfall.ts',
  'sqlite-thread': 'server/stores/sqlite/worker.ts',
  'log-thread': 'server/stores/facts-log/log-worker.ts',
  engine: 'server/engine/child.ts',
}

/** Folders whose files are loaded when they are asked for. */
const FOLDERS = { facts: 'server/stores/migrations/facts', records: 'server/stores/migrations/records' }

const isSource = (file) => file.endsWith('.ts') && !file.endsWith('.test.ts')

/** Changes with everything that the result depends on. */
function sourceHash() {
  const hash = createHash('sha256')
  const sources = ['server', 'cli', 'browser'].flatMap((name) =>
    readdirSync(join(root, name), { recursive: true })
      .map((file) => join(name, String(file)))
      .filter(isSource)
      .sort(),
  )
  for (const file of [...sources, 'package-lock.json', relative(root, fileURLToPath(import.meta.url))])
    hash
      .update(`${file}\0`)
      .update(readFileSync(join(root, file)))
      .update('\0')
  return hash.digest('hex').slice(0, HASH_LENGTH)
}

const filesIn = ([name, folder]) =>
  readdirSync(join(root, folder))
    .filter(isSource)
    .map((file) => [`${name}/${file.slice(0, -'.ts'.length)}`, `${folder}/${file}`])

/** All that the bundle begins with, by the names that it has there. */
const entryPoints = () => Object.fromEntries([...Object.entries(PROGRAMS), ...Object.entries(FOLDERS).flatMap(filesIn)])

/**
 * What sources name relative to themselves and the bundle has as well, by path: from sources, Node would load
 * into each thread and process what removes their types, 10 MB and more.
 */
const built = new Map([
  ...Object.entries(PROGRAMS).map(([name, file]) => [join(root, file), `./${name}.js`]),
  ...Object.entries(FOLDERS).map(([name, folder]) => [join(root, folder, '/'), `./${name}/`]),
])

/**
 * What else a source names relative to itself (files that are served) stays where it is: in the bundle, too,
 * `import.meta.url` is the URL of the source.
 */
const sourceUrls = (out) => ({
  name: 'source URLs',
  setup(bundle) {
    bundle.onLoad({ filter: /\.ts$/ }, ({ path }) => {
      const url = `new URL(${JSON.stringify(relative(out, path))}, import.meta.url).href`
      const own = (named) => built.get(join(dirname(path), named))
      const contents = readFileSync(path, 'utf8').replaceAll(
        /(?:new URL\('([^']+)', )?import\.meta\.url/g,
        (whole, named = '') =>
          own(named) ? `new URL('${own(named)}', import.meta.url` : whole.replace('import.meta.url', url),
      )
      return { contents, loader: 'ts' }
    })
  },
})

async function bundle(out) {
  const { build, stop } = createRequire(import.meta.url)('esbuild') // not before it is installed
  await build({
    entryPoints: entryPoints(),
    outdir: out,
    absWorkingDir: root,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    charset: 'ascii', // a text with one other character takes twice the memory
    tsconfigRaw: '{}',
    external: EXTERNAL,
    plugins: [sourceUrls(out)],
    banner: { js: BANNER },
    logLevel: 'error',
  })
  await stop() // its process would stay for as long as this one does
}

/** The newest of the others stay. */
function removeOld(current) {
  const others = readdirSync(folder)
    .filter((name) => name !== current && !name.includes('.'))
    .map((name) => ({ name, ms: statSync(join(folder, name)).mtimeMs }))
    .sort((one, other) => other.ms - one.ms)
  for (const { name } of others.slice(MOST_OTHERS)) rmSync(join(folder, name), { recursive: true, force: true })
}

/**
 * Builds only when stale.
 * @returns the folder with main.js and footfall.js. @throws when a source has an error.
 */
export async function buildServer({ say = (line) => console.error(line) } = {}) {
  const hash = sourceHash()
  const out = join(folder, hash)
  if (existsSync(join(out, STAMP))) return out
  const draft = `${out}.${process.pid}`
  try {
    await bundle(draft)
    writeFileSync(join(draft, STAMP), '')
    rmSync(out, { recursive: true, force: true })
    renameSync(draft, out)
  } catch (error) {
    rmSync(draft, { recursive: true, force: true })
    if (!existsSync(join(out, STAMP))) throw error // another one was faster otherwise
  }
  removeOld(hash)
  say('service: built')
  return out
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) console.log(await buildServer())
