// Builds the browser libraries when their sources have changed: dist/browser/ gets the scripts that the
// service serves, plain and compressed; with --package also dist/package/, the ES modules with types for npm.
// Plain JavaScript, since it runs on Node 20 too.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { basename, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { environment, root } from './setup.mjs'

const sources = join(root, 'browser')
const { version } = JSON.parse(readFileSync(join(sources, 'package.json'), 'utf8'))
const scriptFolder = join(root, 'dist', 'browser')
const packageFolder = join(root, 'dist', 'package')
const reactFolder = join(root, 'dist', 'package-react')

/** A file for each script tag: browser/tags/signals.ts becomes /signals.js. */
const tagFiles = () => readdirSync(join(sources, 'tags')).filter((file) => file.endsWith('.ts'))
const nameOf = (file) => basename(file, '.ts')
/** A file for each import: browser/signals.ts is `@footfall/browser/signals`, index.ts the package itself. */
const moduleFiles = () => readdirSync(sources).filter((file) => file.endsWith('.ts'))

/** Changes with everything that the result depends on, so that no outdated script is served. */
function sourceHash() {
  const hash = createHash('sha256')
  const files = readdirSync(sources, { recursive: true }).filter((file) => /\.(tsx?|json)$/.test(file))
  for (const file of files.sort())
    hash
      .update(`${file}\0`)
      .update(readFileSync(join(sources, file)))
      .update('\0')
  for (const file of [fileURLToPath(import.meta.url), join(root, 'package-lock.json')]) hash.update(readFileSync(file))
  return hash.digest('hex')
}

const stampIn = (folder) => join(folder, '.built')
const isBuilt = (folder, hash) => existsSync(stampIn(folder)) && readFileSync(stampIn(folder), 'utf8') === hash

/** Atomic: readers see the old file or the new one, never half of one. */
function write(path, bytes) {
  const draft = `${path}.${process.pid}`
  writeFileSync(draft, bytes)
  renameSync(draft, path)
}

let esbuild

/** Ends the process by which libraries were built, which would stay for as long as this one does. */
export const endBuilding = async () => esbuild?.stop()

/** For every browser since 2019; properties keep their names, which the service and the pages use. */
function bundle(entry, options) {
  const { buildSync } = (esbuild ??= createRequire(import.meta.url)('esbuild')) // not before it is installed
  const shared = {
    bundle: true,
    write: false,
    target: 'es2019',
    charset: 'utf8',
    tsconfigRaw: '{}',
    define: { LIBRARY_VERSION: JSON.stringify(version) },
    legalComments: 'none',
    logLevel: 'error',
  }
  return buildSync({ ...shared, entryPoints: [entry], ...options }).outputFiles[0].contents
}

function buildScripts() {
  mkdirSync(scriptFolder, { recursive: true })
  for (const file of tagFiles()) {
    const path = join(scriptFolder, `${nameOf(file)}.js`)
    const script = bundle(join(sources, 'tags', file), { format: 'iife', minify: true })
    write(path, script)
    write(`${path}.gz`, gzipSync(script, { level: 9 }))
    write(`${path}.br`, brotliCompressSync(script))
  }
}

const withEndings = (text) => text.replaceAll(/(from ["'].+)\.ts(["'])/g, '$1.js$2')

/** The declarations come from the compiler, one file per source. */
function buildTypes() {
  const folder = join(packageFolder, 'types')
  const args = ['-p', 'browser', '--noEmit', 'false', '--declaration', '--emitDeclarationOnly', '--rootDir', 'browser']
  const { status } = spawnSync('tsc', [...args, '--outDir', folder], {
    cwd: root,
    env: environment(),
    stdio: 'inherit',
  })
  if (status !== 0) throw new Error('the types of the browser libraries could not be written')
  rmSync(join(folder, 'tags'), { recursive: true })
  renameSync(join(folder, 'react', 'index.d.ts'), join(reactFolder, 'index.d.ts'))
  rmSync(join(folder, 'react'), { recursive: true })
  for (const file of readdirSync(folder, { recursive: true }).filter((name) => name.endsWith('.d.ts')))
    write(join(folder, file), withEndings(readFileSync(join(folder, file), 'utf8')))
}

/** The components for React, which import the libraries as anybody else does. */
function buildReact() {
  rmSync(reactFolder, { recursive: true, force: true })
  mkdirSync(reactFolder, { recursive: true })
  const options = { format: 'esm', bundle: false, jsx: 'automatic', target: 'es2020' }
  write(join(reactFolder, 'index.js'), bundle(join(sources, 'react', 'index.tsx'), options))
  for (const file of ['package.json', 'README.md']) copyFileSync(join(sources, 'react', file), join(reactFolder, file))
  copyFileSync(join(root, 'LICENSE'), join(reactFolder, 'LICENSE'))
}

function buildModules() {
  rmSync(packageFolder, { recursive: true, force: true })
  mkdirSync(packageFolder, { recursive: true })
  for (const file of moduleFiles()) {
    // The package itself names the others, so that a page that imports both has one of each.
    const module = file === 'index.ts' ? { bundle: false } : {}
    const code = Buffer.from(bundle(join(sources, file), { format: 'esm', ...module })).toString()
    write(join(packageFolder, `${nameOf(file)}.js`), file === 'index.ts' ? withEndings(code) : code)
  }
  for (const file of ['package.json', 'README.md']) copyFileSync(join(sources, file), join(packageFolder, file))
  for (const file of ['LICENSE', 'NOTICE']) copyFileSync(join(root, file), join(packageFolder, file))
  buildReact()
  buildTypes()
}

function buildWhenStale(folder, hash, build) {
  if (isBuilt(folder, hash)) return false
  rmSync(stampIn(folder), { force: true })
  build()
  write(stampIn(folder), hash)
  return true
}

/** Builds only what is stale. @throws when a source has an error. */
export function buildBrowser({ withPackage = false, say = (line) => console.error(line) } = {}) {
  const hash = sourceHash()
  if (buildWhenStale(scriptFolder, hash, buildScripts)) say('browser libraries: built')
  if (withPackage && buildWhenStale(packageFolder, hash, buildModules)) say('browser libraries: package built')
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  buildBrowser({ withPackage: process.argv.includes('--package') })
}
