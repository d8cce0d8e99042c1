// What was written in a form, as figures: of the texts themselves, only a keyed hash leaves this file.
import type { Answers, AnswerValue, Frozen } from '../forms/form-model.ts'
import type { Writing } from './score.ts'

/** Types that are chosen or set rather than written; all others, unknown ones included, are written. */
const chosenTypes = new Set(
  'hidden select select-one select-multiple radio checkbox range color date time datetime-local month week button submit'.split(
    ' ',
  ),
)

/** Shorter answers take a key or two, for anybody. */
const MIN_WRITTEN = 3
/** Autofill never writes that much into a textarea: an address is shorter. */
const MIN_MESSAGE = 60
/** Shorter texts agree by chance, or because there is little to say. */
const MIN_COMPARED = 40

const linkMarkup = /\[(?:url|link)[\s=\]]|<a\s[^>]{0,200}href|\]\(https?:\/\//i
const linkStart = /https?:\/\//gi

const textsIn = (value: AnswerValue | undefined): readonly string[] =>
  value === undefined ? [] : typeof value === 'string' ? [value] : value

/** Own members only: a field may be called `constructor`. */
const answerTo = (answers: Answers, name: string) => (Object.hasOwn(answers, name) ? answers[name] : undefined)

/** Fields of text with what was written in them, in the order of the form. */
function writtenIn(frozen: Frozen, answers: Answers): { readonly type: string; readonly text: string }[] {
  return frozen.fields
    .map(({ name, type }) => ({ name, type: type.trim().toLowerCase() }))
    .filter(({ type }) => !chosenTypes.has(type))
    .map(({ name, type }) => ({ type, text: textsIn(answerTo(answers, name)).join('\n').trim() }))
    .filter(({ text }) => text.length >= MIN_WRITTEN)
}

export function describeWriting(frozen: Frozen, answers: Answers): Writing {
  const written = writtenIn(frozen, answers)
  const texts = written.map(({ text }) => text)
  return {
    fields: frozen.fields.length,
    writtenFields: written.length,
    characters: texts.reduce((sum, text) => sum + text.length, 0),
    hasMessage: written.some(({ type, text }) => type === 'textarea' && text.length >= MIN_MESSAGE),
    links: texts.reduce((sum, text) => sum + (text.match(linkStart)?.length ?? 0), 0),
    hasLinkMarkup: texts.some((text) => linkMarkup.test(text)),
  }
}

/**
 * The texts by which submissions are compared, ignoring case and blanks; undefined when they are too short to
 * compare.
 */
export function comparedTexts(frozen: Frozen, answers: Answers): readonly string[] | undefined {
  const texts = writtenIn(frozen, answers).map(({ text }) => text.toLowerCase().replace(/\s+/g, ' '))
  return texts.reduce((sum, text) => sum + text.length, 0) >= MIN_COMPARED ? texts : undefined
}
