// What a visitor reads once a form is sent: the page's own words over the form's over ours, with the answers put in.
import type { Answers } from './form.ts'
import { fillHtml, sanitiseHtml } from './html.ts'
import type { FoundFormSession } from './session-records.ts'

export const DEFAULT_SUCCESS = '<p>Thank you. Your message has been sent.</p>'

/** @param override of the call that sends the form; blank once sanitised, it is none. */
export function successOf(
  { success_html, form }: Pick<FoundFormSession, 'success_html' | 'form'>,
  override: string | null | undefined,
  answers: Answers,
): string {
  const template = (override && sanitiseHtml(override)) || success_html || form.success_html || DEFAULT_SUCCESS
  return fillHtml(template, answers)
}
