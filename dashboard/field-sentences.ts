// What the service says of a field begins with the field's key, as programs know it. People know its label:
// the key is taken off where the sentence arrives, and the label put before it where the sentence is shown.

/** The key of a path's last member: that of `fields.2.name` is `name`. */
const keyOf = (path: string): string => path.split('.').at(-1) ?? path

/**
 * What is left of a sentence without the path it begins with: `fields.2.name may not be empty.` → `may not be
 * empty.`, and of `goal: it is gone.` `: it is gone.`. A sentence that begins otherwise stays as it is.
 */
export function withoutPath(path: string, sentence: string): string {
  const name = [path, keyOf(path)].find((one) => sentence.startsWith(`${one}: `) || sentence.startsWith(`${one} `))
  return name === undefined ? sentence : sentence.slice(name.length).replace(/^ +/, '')
}

/** Whether a sentence needs its subject: a whole one begins with a capital letter, a digit or a quote. */
const isRest = (sentence: string): boolean => /^(?:: |\p{Ll})/u.test(sentence)

/** As the first words of a sentence. */
const begun = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1)

/** `Name` and `may not be empty.` → `Name may not be empty.`; undefined where the label is no text. */
export function labelled(label: string | undefined, sentence: string): string {
  if (!isRest(sentence)) return sentence
  const name = label?.replace(/[\s.:?]+$/, '')
  if (!name) return begun(sentence.replace(/^: /, ''))
  return sentence.startsWith(':') ? name + sentence : `${name} ${sentence}`
}

/** For a field that the page does not show: `default_period` → `Default period`. */
export function labelOf(path: string): string {
  const key = path.split('.').findLast((part) => !/^\d+$/.test(part)) ?? path
  return begun(key.replaceAll('_', ' ').trim())
}

/** A sentence about one of these fields, for a place where no field is near. */
export function sentenceOf(message: string, paths: readonly string[]): string {
  const path = paths.find((one) => withoutPath(one, message) !== message)
  return path === undefined ? message : labelled(labelOf(path), withoutPath(path, message))
}
