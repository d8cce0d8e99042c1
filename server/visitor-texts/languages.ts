// The languages in which visitors are spoken to.

export const visitorLanguages = ['en', 'de', 'fr', 'es', 'pt', 'it', 'nl', 'pl'] as const
export type VisitorLanguage = (typeof visitorLanguages)[number]

/** `auto`: the browser's. */
export const languageSettings = ['auto', ...visitorLanguages] as const
export type LanguageSetting = (typeof languageSettings)[number]
