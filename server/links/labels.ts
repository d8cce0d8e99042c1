// Tags and notes of links as their owners write them.
import { invalid } from '../kernel/problem.ts'
import { cleanText } from '../kernel/text.ts'
import { MAX_NOTES, MAX_TAG, MAX_TAGS } from './link-model.ts'

/** By what tags are the same. */
export const tagKey = (tag: string): string => tag.normalize('NFKC').toLowerCase()

/** Cells of files hold several, so a tag has no comma. */
function readTag(path: string, written: string): string {
  const tag = cleanText(written, MAX_TAG + 1)
    .trim()
    .replaceAll(/\s+/g, ' ')
  if (tag === '' || [...tag].length > MAX_TAG || /[\p{Cc},]/u.test(tag))
    throw invalid(path, `${path} must have tags of 1 to ${MAX_TAG} characters in one line and without commas.`)
  return tag
}

/** Each once, however it is spelled; the first spelling stays. @throws Problem('validation_failed') */
export function readTags(path: string, written: readonly string[] | null | undefined): string[] {
  const tags = new Map<string, string>()
  for (const tag of (written ?? []).map((each) => readTag(path, each)))
    if (!tags.has(tagKey(tag))) tags.set(tagKey(tag), tag)
  if (tags.size > MAX_TAGS) throw invalid(path, `${path} may name at most ${MAX_TAGS}.`)
  return [...tags.values()]
}

/** With some added and some taken away. @throws Problem('validation_failed') when they are too many. */
export function changedTags(
  tags: readonly string[],
  { added, removed }: { readonly added: readonly string[]; readonly removed: readonly string[] },
): string[] {
  const gone = new Set(removed.map(tagKey))
  return readTags('add_tags', [...tags.filter((tag) => !gone.has(tagKey(tag))), ...added])
}

export const readNotes = (written: string | null | undefined): string | null =>
  cleanText(written ?? '', MAX_NOTES).trim() || null
