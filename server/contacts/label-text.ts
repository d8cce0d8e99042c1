// The name of a list or tag as it is written, and by what two are the same.
import { invalid } from '../kernel/problem.ts'
import { cleanText } from '../kernel/text.ts'
import type { Label } from './label-records.ts'

const MAX_LABEL = 60

/** By what labels are the same. @param label trimmed. */
export const labelKey = (label: string): string => label.normalize('NFKC').toLowerCase()

export function readLabel(path: string, written: string): Label {
  const label = cleanText(written, MAX_LABEL + 1)
    .trim()
    .replaceAll(/\s+/g, ' ')
  if (label === '' || [...label].length > MAX_LABEL || /\p{Cc}/u.test(label))
    throw invalid(path, `${path} must have 1 to ${MAX_LABEL} characters in one line.`)
  return { key: labelKey(label), label }
}
