// The language of this page, chosen when it is loaded: the reader's choice, else the browser's first known
// language.
import type { en } from './en/index.ts'
import * as languages from './languages.ts'

type English = (typeof en)['parts']
/** The texts of a page, or of several: a file of each language. */
export type Part = keyof English

/** English is the shape: the same names, functions of the same arguments, lists of the same length. */
type Shape<Text> = Text extends string
  ? string
  : Text extends (...args: infer Args) => infer Result
    ? (...args: Args) => Shape<Result>
    : { readonly [Name in keyof Text]: Shape<Text[Name]> }

export type Texts = { readonly [Name in Part]: Shape<Awaited<ReturnType<English[Name]>>['text']> }

interface Language {
  /** In the language itself. */
  readonly name: string
  readonly parts: { readonly [Name in Part]: () => Promise<{ readonly text: Texts[Name] }> }
}

const known: Readonly<Record<string, Language>> = languages
const KEY = 'footfall-language'

function saved(): string | undefined {
  try {
    return localStorage.getItem(KEY) ?? undefined
  } catch {
    return undefined
  }
}

const baseOf = (tag: string): string => tag.toLowerCase().split('-')[0] ?? ''
const isKnown = (id: string): boolean => Object.hasOwn(known, id)

/** The id of the language, a folder of texts/. */
export const language: string = [saved() ?? '', ...navigator.languages].map(baseOf).find(isKnown) ?? 'en'

/** The language as the reader's country writes it: numbers, dates and lists follow it (format.ts). */
export const locale: string = navigator.languages.find((tag) => baseOf(tag) === language) ?? language

export const { parts }: Language = known[language] ?? languages.en

export const languageNames: readonly { readonly id: string; readonly name: string }[] = Object.entries(known).map(
  ([id, { name }]) => ({ id, name }),
)

/** The page is loaded again: what it shows was written in the other language. */
export function chooseLanguage(id: string): void {
  try {
    localStorage.setItem(KEY, id)
  } catch {
    return // Without storage the page would come back as it is.
  }
  location.reload()
}
