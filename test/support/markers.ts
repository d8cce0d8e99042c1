// Words that nothing else contains, sent into a service; its files are then read byte by byte.
import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'

/** Lower-case letters alone: the same in every encoding, and not shortened by any compression. */
export const marker = (): string => [...randomBytes(20)].map((byte) => String.fromCharCode(97 + (byte % 26))).join('')

/** Bytes as letters; capitals would hide nothing. */
export const textOf = (path: string): string => readFileSync(path).toString('latin1').toLowerCase()

export const filesOf = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))

/** @param dataDir of the service. */
export function openMarkers(dataDir: string) {
  const markers: string[] = []
  const markersIn = (text: string): string[] => markers.filter((one) => text.includes(one))
  return {
    markers,
    markersIn,
    /** A text that must not be found afterwards. */
    secret: (around: (text: string) => string = (text) => text): string => {
      const text = marker()
      markers.push(text)
      return around(text)
    },
    isOfRecords: (path: string): boolean => relative(dataDir, path).startsWith('records.'),
    /** Names of the files that hold one. */
    filesWith: (paths: readonly string[]): string[] =>
      paths.filter((path) => markersIn(textOf(path)).length > 0).map((path) => relative(dataDir, path)),
  }
}
