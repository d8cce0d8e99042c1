// What visitors read of the service itself, in eight languages: messages of forms, pages of short links,
// pages behind links in emails. The language is the form's, or the first that the browser asks for and is
// here.
import { de } from './de.ts'
import { en } from './en.ts'
import { es } from './es.ts'
import { fr } from './fr.ts'
import { it } from './it.ts'
import { type LanguageSetting, type VisitorLanguage, visitorLanguages } from './languages.ts'
import type { VisitorTexts } from './model.ts'
import { nl } from './nl.ts'
import { pl } from './pl.ts'
import { pt } from './pt.ts'

export type { FaultText, Notice, VisitorTexts } from './model.ts'

export { languageSettings, type LanguageSetting, type VisitorLanguage, visitorLanguages } from './languages.ts'

const texts: Readonly<Record<VisitorLanguage, VisitorTexts>> = { en, de, fr, es, pt, it, nl, pl }

export const visitorTexts = (language: VisitorLanguage): VisitorTexts => texts[language]

const DEFAULT: VisitorLanguage = 'en'
/** Browsers list a handful; what follows is no preference of anybody. */
const MOST_ENTRIES = 20

const isHere = (code: string): code is VisitorLanguage => visitorLanguages.some((language) => language === code)

/** The weight of an entry (RFC 9110, 12.4.2); 1 without one, 0 for one that cannot be read. */
function weightOf(parameters: readonly string[]): number {
  const written = parameters.map((one) => one.trim()).find((one) => /^q=/i.test(one))
  if (written === undefined) return 1
  const weight = Number(written.slice(2).trim() || 'NaN')
  return weight > 0 && weight <= 1 ? weight : 0
}

/** @param accepted an Accept-Language header, as it came. */
function languageOfBrowser(accepted: string | undefined): VisitorLanguage {
  const entries = (accepted ?? '').split(',', MOST_ENTRIES).map((entry) => {
    const [range = '', ...parameters] = entry.split(';')
    return { code: range.trim().toLowerCase().split('-', 1)[0]!, weight: weightOf(parameters) }
  })
  const wanted = entries.filter(({ weight }) => weight > 0).toSorted((a, b) => b.weight - a.weight)
  return wanted.map(({ code }) => code).find(isHere) ?? DEFAULT
}

/** @param accepted an Accept-Language header, as it came; what nobody can read means English. */
export const languageFor = (setting: LanguageSetting, accepted: string | undefined): VisitorLanguage =>
  setting === 'auto' ? languageOfBrowser(accepted) : setting
