// Makes a clone ready to run: installs the locked dependencies when they are missing or stale and finds the
// Node that runs the TypeScript sources. Plain JavaScript without dependencies, because it runs on Node 20
// before anything is installed.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
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

/** Paths of the packages that this platform needs. @param dev whether those for testing count. */
function wantedPackages(dev) {
  const { '': own, ...locked } = JSON.parse(readFileSync(lockFile, 'utf8')).packages
  const asked = (path) => Object.hasOwn(own.optionalDependencies ?? {}, path.replace('node_modules/', ''))
  // Optional packages of dependencies are builds for other platforms; our own optional ones are needed where
  // they fit.
  const mayMiss = ([path, one]) => (one.dev && !dev) || (one.optional && !(asked(path) && fitsPlatform(one)))
  return Object.entries(locked).filter((entry) => !mayMiss(entry))
}

/** True for an install made by hand: every package that is wanted is there in its locked version. */
function installedMatchesLock(dev) {
  if (!existsSync(installedFile)) return false
  const installed = JSON.parse(readFileSync(installedFile, 'utf8')).packages
  return wantedPackages(dev).every(([path, locked]) => installed[path]?.integrity === locked.integrity)
}

/**
 * npm as it was called; the plain command when this file was started by hand.
 * @returns its exit code. Of what it says, errors alone are shown: it would warn of every package that asks
 * for a newer Node than npm itself runs on.
 */
export async function npm(args, cwd = root) {
  const script = process.env.npm_execpath
  const words = [...args, '--no-audit', '--no-fund', '--no-progress', '--loglevel=error']
  const options = { cwd, stdio: ['ignore', 'ignore', 2] }
  const child =
    script && /\.c?js$/.test(script)
      ? spawn(process.execPath, [script, ...words], options)
      : spawn('npm', words, { ...options, shell: process.platform === 'win32' })
  const [code] = await once(child, 'exit').catch((error) => fail(`setup: npm could not be started (${error.message})`))
  return code
}

/** Shown in one line on a terminal; elsewhere as a line now and then. */
const SHOWN_EVERY_MS = 500
const LINES_EVERY_MS = 10_000

/** Says how many packages are there until the returned function is called. */
function showProgress(say, dev) {
  const wanted = wantedPackages(dev).map(([path]) => join(root, path, 'package.json'))
  const beganMs = Date.now()
  const words = () => {
    const there = wanted.filter((path) => existsSync(path)).length
    return `setup: ${there} of ${wanted.length} packages, ${Math.round((Date.now() - beganMs) / 1000)} s`
  }
  const { isTTY } = process.stderr
  const timer = isTTY
    ? setInterval(() => process.stderr.write(`\r${words()}`), SHOWN_EVERY_MS)
    : setInterval(() => say(words()), LINES_EVERY_MS)
  return () => {
    clearInterval(timer)
    if (isTTY) process.stderr.write('\r')
    say(words())
  }
}

/** Without the rest of it, what is there already stays: a service may be running on it. */
const ways = (dev) => [
  ...(dev && installedMatchesLock(false) ? [['install', '--no-save', '--include=dev']] : []),
  // Explicit: with NODE_ENV=production npm would leave out development packages, and `npm test` needs them.
  ['ci', dev ? '--include=dev' : '--omit=dev'],
]

async function install(say, dev) {
  for (const way of ways(dev)) {
    say(
      way[0] === 'install'
        ? 'setup: installing what checks and tests need as well'
        : existsSync(installedFile)
          ? 'setup: the lock file has changed; installing anew'
          : 'setup: first run; installing (about a minute)',
    )
    const endProgress = showProgress(say, dev)
    const code = await npm([...way, '--include=optional'])
    endProgress()
    if (code === 0 && (way[0] === 'ci' || installedMatchesLock(dev))) return
  }
  fail('setup: npm ci did not succeed; nothing was started')
}

/** Ends the program with a sentence instead of a stack. */
export function fail(sentence) {
  console.error(sentence)
  process.exit(1)
}

/**
 * Installs when needed and says so on stderr; silent when everything is in place.
 * @param dev false: packages for checks and tests are neither installed nor required. Present ones stay.
 */
export async function setUp(say = (line) => console.error(line), { dev = true } = {}) {
  const hash = lockHash()
  const markOfRunning = `${hash} without development packages`
  const marked = markedAs()
  if (marked === hash || (!dev && marked === markOfRunning)) return
  if (!installedMatchesLock(dev)) await install(say, dev)
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
  await setUp(undefined, { dev: process.argv.includes('--dev') })
  runtime()
}
