// Finds the browsers for the browser tests, and installs them on Debian as root. Never fails: undefined means
// there is none. Started by hand, it installs the packages that are named. Without dependencies, which may be
// installed at the same time.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { accessSync, constants, existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
/** The same engine without a browser's window: a page costs half. */
const shellNames = ['chromium-headless-shell', 'chrome-headless-shell', 'headless_shell']
const macPath = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'

function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

function find(named, wanted, ...others) {
  const folders = (process.env.PATH ?? '').split(delimiter)
  const candidates = wanted.flatMap((name) => folders.map((folder) => join(folder, name)))
  return [named, ...candidates, ...others].find((path) => path && isExecutable(path))
}

/** Path of an installed Chromium or Chrome; FOOTFALL_CHROMIUM names another one. */
const findChromium = () => find(process.env.FOOTFALL_CHROMIUM, names, macPath)

/** Path of its headless shell; FOOTFALL_CHROMIUM_SHELL names another one. */
const findShell = () => find(process.env.FOOTFALL_CHROMIUM_SHELL, shellNames)

function canInstall() {
  return process.getuid?.() === 0 && existsSync('/etc/debian_version')
}

/**
 * Package lists first: a container image has none. A package that this Debian lacks does not stop the others.
 */
function installWithApt(packages) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const apt = (...args) => spawnSync('apt-get', args, { env, stdio: ['ignore', 'ignore', 2] }).status === 0
  if (!apt('update', '-qq')) return
  for (const name of packages) apt('install', '-y', '-qq', '--no-install-recommends', name)
}

/**
 * Paths, after installing what is missing where that is possible: in a process of its own, so that this one
 * can wait for others meanwhile.
 * @returns `chromium` undefined: there are no browser tests. `shell` undefined: Chromium replaces it.
 */
export async function ensureBrowsers(say) {
  const missing = [
    ...(findChromium() ? [] : ['chromium', 'fonts-liberation']),
    ...(findShell() ? [] : ['chromium-headless-shell']),
  ]
  if (missing.length > 0 && canInstall()) {
    say(`browser: installing ${missing.join(', ')} with apt-get`)
    await once(
      spawn(process.execPath, [fileURLToPath(import.meta.url), ...missing], { stdio: ['ignore', 2, 2] }),
      'exit',
    )
  }
  return { chromium: findChromium(), shell: findShell() }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) installWithApt(process.argv.slice(2))
