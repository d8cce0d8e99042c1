// Makes a clone ready to run: installs the locked dependencies when they are missing or stale and finds the
// Node that runs the TypeScript sources. Plain JavaScript without dependencies, because it runs on Node 20
// before anything is installed.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

/** The checkout, whatever folder the command was started in. */
export const root = fileURLToPath(new URL('..', import.meta.url))

const bin = join(root, 'node_modules', '.bin')
const lockFile = join(root, 'package-lock.json')
/** Written by npm as its last step, so that an interrupted install never looks finished. */
const installedFile = join(root, 'node_modules', '.package-lock.json')
/** Inside node_modules: deleting the folder deletes the mark too. */
const markerFile = join(root, 'node_modules', '.footfall-setup')

/** From this version on, types are stripped without a flag, and the APIs that are used exist. */
const NODE_MAJOR = 24

function lockHash() {
  return createHash('sha256').update(readFileSync(lockFile)).digest('hex')
}

function markedAs() {
  return existsSync(markerFile) ? readFileSync(markerFile, 'utf8') : undefined
}

/** Whether npm installs the package on this platform. */
function fitsPlatform({ os = process.platform, cpu = process.arch }) {
  return [os].flat().includes(process.platform) && [cpu].flat().includes(process.arch)
}

/**
 * True for an install made by hand: every package that this platform needs is there in its locked version.
 * @param dev whether packages for building and testing count.
 */
function installedMatchesLock(dev) {
  if (!existsSync(installedFile)) return false
  const { '': own, ...wanted } = JSON.parse(readFileSync(lockFile, 'utf8')).packages
  const installed = JSON.parse(readFileSync(installedFile, 'utf8')).packages
  const asked = (path) => Object.hasOwn(own.optionalDependencies ?? {}, path.replace('node_modules/', ''))
  // Optional packages of dependencies are builds for other platforms; our own optional ones are needed where
  // they fit.
  const mayMiss = (path, locked) => (locked.dev && !dev) || (locked.optional && !(asked(path) && fitsPlatform(locked)))
  return Object.entries(wanted).every(([path, locked]) =>
    installed[path] ? installed[path].integrity === locked.integrity : mayMiss(path, locked),
  )
}

/** npm as it was called; the plain command when this file was started by hand. */
function npm(args) {
  const script = process.env.npm_execpath
  return script && /\.c?js$/.test(script)
    ? spawnSync(process.execPath, [script, ...args], { cwd: root, stdio: ['ignore', 2, 2] })
    : spawnSync('npm', args, { cwd: root, stdio: ['ignore', 2, 2], shell: process.platform === 'win32' })
}

function install(say, dev) {
  say(
    existsSync(installedFile)
      ? 'setup: the lock file has changed; npm ci'
      : 'setup: first run; npm ci (about a minute)',
  )
  // Explicit: with NODE_ENV=production npm would leave out development packages, and `npm test` needs them.
  const which = dev ? '--include=dev' : '--omit=dev'
  const { status, error } = npm(['ci', which, '--include=optional', '--no-audit', '--no-fund'])
  if (status !== 0) fail(`setup: npm ci did not succeed${error ? ` (${error.message})` : ''}; nothing was started`)
}

/** Ends the program with a sentence instead of a stack. */
export function fail(sentence) {
  console.error(sentence)
  process.exit(1)
}

/**
 * Installs when needed and says so on stderr; silent when everything is in place.
 * @param dev false: packages for building and testing are neither installed nor required. Present ones stay.
 */
export function setUp(say = (line) => console.error(line), { dev = true } = {}) {
  const hash = lockHash()
  const markOfRunning = `${hash} without development packages`
  const marked = markedAs()
  if (marked === hash || (!dev && marked === markOfRunning)) return
  if (!installedMatchesLock(dev)) install(say, dev)
  writeFileSync(markerFile, dev ? hash : markOfRunning)
}

/** Path of a Node that runs the sources: the one from npm, else this one when it is new enough. */
export function runtime() {
  const brought = join(bin, 'node')
  if (existsSync(brought)) return brought
  if (Number(process.versions.node.split('.')[0]) >= NODE_MAJOR) return process.execPath
  return fail(
    `Footfall needs Node ${NODE_MAJOR}. npm brings it on Linux (x64, arm64); here (${process.platform} ${process.arch}) ` +
      `install Node ${NODE_MAJOR} or newer and run this command again: this is ${process.version}.`,
  )
}

/**
 * The compile cache, which saves a quarter of a start. It is beside the packages, which are trusted: in the
 * shared temporary folder anybody could put code there. Skipped when the folder cannot be written.
 */
const compiled = join(root, 'node_modules', '.cache', 'node')

/**
 * Of the system's allocator: it would give each of some fifty threads an arena of its own, which keep tens of
 * megabytes that nobody uses.
 */
const MOST_ARENAS = '2'

/**
 * The environment of everything that is started from here: installed programs come before those of the
 * machine.
 */
export function environment(extra = {}) {
  return {
    NODE_COMPILE_CACHE: compiled,
    MALLOC_ARENA_MAX: MOST_ARENAS,
    ...process.env,
    PATH: `${bin}${delimiter}${process.env.PATH ?? ''}`,
    ...extra,
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  setUp()
  runtime()
}
