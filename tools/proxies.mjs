// The reverse proxies whose recipes test/proxies.test.ts runs, where they are installed. None is installed
// for it: a machine has one of them at most.
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

const PROGRAMS = { nginx: 'nginx', Caddy: 'caddy', HAProxy: 'haproxy', Apache: 'apache2' }

function pathOf(program) {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin']
  return folders
    .map((folder) => join(folder, program))
    .find((path) => {
      try {
        accessSync(path, constants.X_OK)
        return true
      } catch {
        return false
      }
    })
}

/** By name; the path is undefined where it is not installed. */
export const findProxies = () => Object.entries(PROGRAMS).map(([name, program]) => [name, pathOf(program)])
