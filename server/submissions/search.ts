// What of a submission is searched: the words of a search (kernel/words.ts) must all be somewhere in its
// answers or the names of their fields.
import { searchedText } from '../kernel/words.ts'
import type { Answer } from '../forms/form-model.ts'

/** The column `search`: names, labels and values, a line each. Nothing of how answers are stored. */
export function searchText(answers: readonly Answer[]): string {
  const texts = answers.flatMap(({ name, label, value }) => [...new Set([name, label]), ...[value].flat()])
  return searchedText(texts.filter((text) => text.trim() !== ''))
}
