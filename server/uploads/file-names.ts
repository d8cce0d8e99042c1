// Names of files as people see them: kept as text, and never used as a path.
import { cleanText } from '../kernel/text.ts'

/** What file systems take. */
const MAX_NAME = 200
const UNNAMED = 'file'

/**
 * The last part of a path, whatever system it is of, without control characters and those that turn the
 * direction of writing, by which `gpj.exe` could look like `exe.jpg`.
 */
export function cleanName(given: string): string {
  const last = given.split(/[/\\]/).at(-1) ?? ''
  // oxlint-disable-next-line no-control-regex -- none of them belongs in a name
  const plain = last.replaceAll(/[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '')
  const name = cleanText(plain, MAX_NAME).trim()
  return /^\.*$/.test(name) ? UNNAMED : name
}

const UNITS = ['bytes', 'KB', 'MB'] as const

/** `12 KB`, as file managers show it. */
export function sizeText(bytes: number): string {
  let [size, unit] = [bytes, 0]
  while (size >= 1024 && unit < UNITS.length - 1) [size, unit] = [size / 1024, unit + 1]
  return `${unit === 0 || size >= 10 ? Math.round(size) : Math.round(size * 10) / 10} ${UNITS[unit]}`
}

/** RFC 6266: the name in ASCII, and as it is. */
export function attachmentOf(name: string): string {
  const plain = name.replaceAll(/[^\x20-\x7e]|["\\%]/g, '_')
  const encoded = encodeURIComponent(name).replaceAll(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`)
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`
}
