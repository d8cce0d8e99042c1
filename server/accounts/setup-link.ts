// Where the one-time link for the first owner is written without a terminal: to a file that only its owner
// can read. The standard output of a supervisor or container is a log, which is kept and has many readers.
import { chmodSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

const FILE = 'owner-link'

const pathIn = (dataDir: string): string => resolve(join(dataDir, FILE))

/** Called once there is an owner, and at each start without a link. */
export function removeSetupLink(dataDir: string): void {
  rmSync(pathIn(dataDir), { force: true })
}

/** Where standard output is no terminal. @returns the sentence for it, which names the file with the link. */
export function writeSetupLink(dataDir: string, url: string): string {
  removeSetupLink(dataDir) // of an earlier start, or somebody else's file: a mode counts for new ones alone
  const path = pathIn(dataDir)
  writeFileSync(path, `${url}\n`, { flag: 'wx', mode: 0o600 })
  chmodSync(path, 0o600)
  return `Nobody can sign in yet. The link that creates the owner's account, once, is in the file ${path}`
}
