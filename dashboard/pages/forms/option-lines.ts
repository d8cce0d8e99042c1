// The options of a field as its owner types them, one per line: `value | label` where the two differ.
// A backslash escapes a bar, a line break or another backslash. Before anything else it is a backslash.
import type { FieldOption } from '../../api/forms.ts'

/** A line, of which a backslash at the end says that it goes on. */
const lineShape = /(?:[^\\\n]|\\[^]?)+/g
const valueShape = /^(?:[^\\|]|\\[^]?)*/

const plain = (written: string): string => written.trim().replaceAll(/\\([\\|\n])/g, '$1')

/** @param signs that would mean something else where the text is put. */
const escaped = (text: string, signs: RegExp): string =>
  text.replaceAll(/\\(?=[\\|\n]|$)/g, String.raw`\\`).replaceAll(signs, String.raw`\$&`)

function readLine(line: string): FieldOption {
  const [written = ''] = valueShape.exec(line) ?? []
  const value = plain(written)
  return { value, label: plain(line.slice(written.length + 1)) || value }
}

export const readOptions = (written: string): FieldOption[] =>
  [...written.matchAll(lineShape)]
    .map(([line]) => line)
    .filter((line) => line.trim() !== '')
    .map(readLine)

function writeOption({ value, label }: FieldOption): string {
  const written = escaped(value, /[|\n]/g)
  return label === value ? written : `${written} | ${escaped(label, /\n/g)}`
}

export const writeOptions = (options: readonly FieldOption[]): string => options.map(writeOption).join('\n')
