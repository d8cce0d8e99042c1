// What a file is, by its first bytes. Its name and the header that came with it are not looked at: both are
// the sender's word.
import type { FileType } from '../forms/form-model.ts'

/** The longest of what is looked at: the first box of a HEIF file with a few brands. */
export const HEAD_BYTES = 64

const startsWith = (head: Buffer, text: string, at = 0): boolean =>
  head.subarray(at, at + text.length).equals(Buffer.from(text, 'latin1'))

/** ISO/IEC 14496-12: `ftyp`, then the major brand and those that it is compatible with. */
function brandsOf(head: Buffer): readonly string[] {
  if (head.length < 16 || !startsWith(head, 'ftyp', 4)) return []
  const end = Math.min(head.readUInt32BE(0), head.length)
  const brands = [head.toString('latin1', 8, 12)]
  for (let at = 16; at + 4 <= end; at += 4) brands.push(head.toString('latin1', at, at + 4))
  return brands
}

const heifBrands: ReadonlySet<string> = new Set(['heic', 'heix', 'heim', 'heis'])

const isAvif = (head: Buffer): boolean => brandsOf(head).some((brand) => brand === 'avif' || brand === 'avis')
const isHeic = (head: Buffer): boolean => brandsOf(head).some((brand) => heifBrands.has(brand))

/** In this order: the first that fits. */
const signs: readonly (readonly [FileType, (head: Buffer) => boolean])[] = [
  ['image/jpeg', (head) => startsWith(head, '\xFF\xD8\xFF')],
  ['image/png', (head) => startsWith(head, '\x89PNG\r\n\x1A\n')],
  ['image/gif', (head) => startsWith(head, 'GIF87a') || startsWith(head, 'GIF89a')],
  ['image/webp', (head) => startsWith(head, 'RIFF') && startsWith(head, 'WEBP', 8)],
  ['image/avif', isAvif],
  ['image/heic', isHeic],
  ['application/pdf', (head) => startsWith(head, '%PDF-')],
]

/** @param head the first HEAD_BYTES, or all of a shorter file. Undefined: none that is taken. */
export const fileTypeOf = (head: Buffer): FileType | undefined => signs.find(([, fits]) => fits(head))?.[0]

/** The first one is given to a file whose name has none of them. */
const extensions: Readonly<Record<FileType, readonly string[]>> = {
  'image/jpeg': ['jpg', 'jpeg'],
  'image/png': ['png'],
  'image/gif': ['gif'],
  'image/webp': ['webp'],
  'image/avif': ['avif'],
  'image/heic': ['heic', 'heif'],
  'application/pdf': ['pdf'],
}

/** `invoice.exe` that holds a PDF is saved as `invoice.exe.pdf`. */
export function nameToSaveAs(name: string, type: string): string {
  const known = Object.hasOwn(extensions, type) ? extensions[type as FileType] : []
  const own = /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase()
  return known.length === 0 || known.some((extension) => extension === own) ? name : `${name}.${known[0]}`
}
