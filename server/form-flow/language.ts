// In which language the sender of a form is answered.
import type { Visitor } from '../tracker/tracker.ts'
import { languageFor, type LanguageSetting, type VisitorTexts, visitorTexts } from '../visitor-texts/visitor-texts.ts'

export const saidIn = (setting: LanguageSetting, { language }: Pick<Visitor, 'language'>): VisitorTexts =>
  visitorTexts(languageFor(setting, language))

const english = visitorTexts('en')

/** What the browser library itself tells visitors; nothing in English, which it has. */
export function ownTextsOf(said: VisitorTexts) {
  const { sent, failed, tooLong, next, back } = said.form.script
  return said === english ? {} : { texts: { sent, failed, too_long: tooLong, next, back } }
}
