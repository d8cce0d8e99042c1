// Where the one-time link for the first owner is written: to a terminal, or else to a file that only its
// owner can read. The standard output of a supervisor or container is a log, which is kept and has many
// readers.
import { chmodSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

const FILE = 'owner-link'

const pathIn = (dataDir: string): string => resolve(join(dataDir, FILE))

/** Called once there is an owner, and at each start without a link. */
export function removeSetupLink(dataDir: string): void {
  rmSync(pathIn(dataDir), { force: true })
}

/**
 * @param url of the link. @returns the sentence for standard output; it contains the link only on a terminal.
 */
export function announceSetupLink(dataDir: string, url: string, isTerminal: boolean): string {
  removeSetupLink(dataDir) // of an earlier start, or somebody else's file: a mode counts for new ones alone
  if (isTerminal) return `Nobody can sign in yet. Create the owner's account, once, with this link: ${url}`
  const path = pathIn(dataDir)
  writeFileSync(path, `${url}\n`, { flag: 'wx', mode: 0o600 })
  chmodSync(path, 0o600)
  return `Nobody can sign in yet. The link that creates the owner's account, once, is in the file ${path}`
}
