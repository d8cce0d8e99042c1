// What a visitor reads once a form is sent: the page's own words over the form's over ours, with the answers put in. What a page says is
// sanitised here, and paid for by who sends the form.
import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Pay } from '../kernel/pay.ts'
import type { Answers } from '../forms/form-model.ts'
import { fillHtml, sanitiseHtml } from '../html/form-html.ts'
import type { FoundFormSession } from './records.ts'

export const DEFAULT_SUCCESS = '<p>Thank you. Your message has been sent.</p>'

/** What a millisecond of the thread sanitises of the worst HTML there is. */
const CHARACTERS_A_MS = 1_500
/** Characters of all results that are kept: of some thousand pages, since each sends the same words with every visitor. */
const MAX_KEPT = 2_000_000

const sanitised = new LRUCache<string, string>({ maxSize: MAX_KEPT, sizeCalculation: ({ length }) => length + 100 })

/** Sanitised once for all who are shown the same. */
function readPageHtml(html: string | null | undefined, pay: Pay): string {
  if (!html) return ''
  const key = createHash('sha256').update(html).digest('base64')
  const known = sanitised.get(key)
  if (known !== undefined) return known
  pay(html.length / CHARACTERS_A_MS)
  const result = sanitiseHtml(html)
  sanitised.set(key, result)
  return result
}

/**
 * @param override of the call that sends the form; blank once sanitised, it is none.
 * @throws Problem('rate_limited') when the sender has had too much computed.
 */
export function successOf(
  { success_html, form }: Pick<FoundFormSession, 'success_html' | 'form'>,
  override: string | null | undefined,
  answers: Answers,
  pay: Pay,
): string {
  const template =
    readPageHtml(override, pay) || readPageHtml(success_html, pay) || form.success_html || DEFAULT_SUCCESS
  return fillHtml(template, answers, pay)
}
