// Makes a clone ready to run: installs the locked dependencies when they are missing or stale and names the Node that runs
// the TypeScript sources. Plain JavaScript without dependencies, because it runs on Node 20 before anything is installed.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

/** The checkout, whatever folder the command was given in. */
export const root = fileURLToPath(new URL('..', import.meta.url))

const bin = join(root, 'node_modules', '.bin')
const lockFile = join(root, 'package-lock.json')
/** Written by npm as its last step, so that an interrupted install never looks finished. */
const installedFile = join(root, 'node_modules', '.package-lock.json')
/** Inside node_modules: who deletes the folder deletes the claim that it is complete. */
const markerFile = join(root, 'node_modules', '.footfall-setup')

/** Types are stripped without a flag, and the APIs that are used exist, from here on. */
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
 * @param dev whether those count that only building and testing need.
 */
function installedMatchesLock(dev) {
  if (!existsSync(installedFile)) return false
  const { '': own, ...wanted } = JSON.parse(readFileSync(lockFile, 'utf8')).packages
  const installed = JSON.parse(readFileSync(installedFile, 'utf8')).packages
  const asked = (path) => Object.hasOwn(own.optionalDependencies ?? {}, path.replace('node_modules/', ''))
  // Optional packages of dependencies are builds for other platforms; our own optional ones are wanted where they fit.
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
  // Asked for by name: NODE_ENV=production would leave development packages out, and `npm test` with them.
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
 * @param dev false: what only building and testing need is neither installed nor missed. What is there stays.
 */
export function setUp(say = (line) => console.error(line), { dev = true } = {}) {
  const hash = lockHash()
  const markOfRunning = `${hash} without development packages`
  const marked = markedAs()
  if (marked === hash || (!dev && marked === markOfRunning)) return
  if (!installedMatchesLock(dev)) install(say, dev)
  writeFileSync(markerFile, dev ? hash : markOfRunning)
}

/** Path of a Node that runs the sources: the one npm brought, else this one when it is new enough. */
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
 * Where Node keeps what it has compiled, a quarter of a start. Beside the packages, which are just as trusted: in the common temporary folder
 * anybody could put code there. A folder that cannot be written is done without.
 */
const compiled = join(root, 'node_modules', '.cache', 'node')

/** The environment of everything started from here: installed programs come before those of the machine. */
export function environment(extra = {}) {
  return { NODE_COMPILE_CACHE: compiled, ...process.env, PATH: `${bin}${delimiter}${process.env.PATH ?? ''}`, ...extra }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  setUp()
  runtime()
}
