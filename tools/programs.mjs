// Where a program lies that this machine may have: on the PATH, or where servers are put.
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

/** @returns its path; undefined when it is not installed. */
export function findProgram(program) {
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
