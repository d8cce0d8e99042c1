// Where the one-time link of the first owner goes: to a terminal, or else into a file that its owner alone can read. Standard output of a
// supervisor or a container is its log, which many may read and which is kept.
import { chmodSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

const FILE = 'owner-link'

const pathIn = (dataDir: string): string => resolve(join(dataDir, FILE))

/** Once there is an owner, and at each start that has nothing to tell. */
export function removeSetupLink(dataDir: string): void {
  rmSync(pathIn(dataDir), { force: true })
}

/** @param url of the link. @returns the sentence for standard output; the link is in it on a terminal alone. */
export function tellSetupLink(dataDir: string, url: string, isTerminal: boolean): string {
  removeSetupLink(dataDir) // of an earlier start, or somebody else's file: a mode counts for new ones alone
  if (isTerminal) return `Nobody can sign in yet. Create the owner's account, once, with this link: ${url}`
  const path = pathIn(dataDir)
  writeFileSync(path, `${url}\n`, { flag: 'wx', mode: 0o600 })
  chmodSync(path, 0o600)
  return `Nobody can sign in yet. The link that creates the owner's account, once, is in the file ${path}`
}
