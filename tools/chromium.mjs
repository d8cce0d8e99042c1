// Finds the browsers of the browser tests, and on Debian as root installs them. Never an error: undefined means there is none.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { accessSync, constants, existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
/** The same engine without the frame of a browser around it: a page costs half, and what needs the frame is not there. */
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

/** Package lists first: a container image comes without any. One that this Debian does not have keeps no other one away. */
async function installWithApt(packages) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const apt = async (...args) => {
    const [code] = await once(spawn('apt-get', args, { env, stdio: ['ignore', 'ignore', 2] }), 'exit')
    return code === 0
  }
  if (!(await apt('update', '-qq'))) return
  for (const name of packages) await apt('install', '-y', '-qq', '--no-install-recommends', name)
}

/**
 * Paths, after installing what is missing where that is possible.
 * @returns `chromium` undefined: there are no browser tests. `shell` undefined: Chromium does its work.
 */
export async function ensureBrowsers(say) {
  const missing = [
    ...(findChromium() ? [] : ['chromium', 'fonts-liberation']),
    ...(findShell() ? [] : ['chromium-headless-shell']),
  ]
  if (missing.length > 0 && canInstall()) {
    say(`browser: installing ${missing.join(', ')} with apt-get`)
    await installWithApt(missing)
  }
  return { chromium: findChromium(), shell: findShell() }
}
