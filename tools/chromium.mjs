// Finds Chromium for the browser tests, and on Debian as root installs it. Never an error: undefined means there is none.
import { spawnSync } from 'node:child_process'
import { accessSync, constants, existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
const macPath = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'

function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** Path of an installed Chromium or Chrome; FOOTFALL_CHROMIUM names another one. */
export function findChromium() {
  const folders = (process.env.PATH ?? '').split(delimiter)
  const candidates = names.flatMap((name) => folders.map((folder) => join(folder, name)))
  return [process.env.FOOTFALL_CHROMIUM, ...candidates, macPath].find((path) => path && isExecutable(path))
}

function canInstall() {
  return process.getuid?.() === 0 && existsSync('/etc/debian_version')
}

/** Package lists first: a container image comes without any. */
function installWithApt() {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const packages = ['chromium', 'fonts-liberation']
  for (const args of [
    ['update', '-qq'],
    ['install', '-y', '-qq', '--no-install-recommends', ...packages],
  ]) {
    if (spawnSync('apt-get', args, { env, stdio: ['ignore', 'ignore', 2] }).status !== 0) return
  }
}

/** The path, after installing it where that is possible. */
export function ensureChromium(say) {
  const found = findChromium()
  if (found || !canInstall()) return found
  say('browser: installing chromium with apt-get')
  installWithApt()
  return findChromium()
}
