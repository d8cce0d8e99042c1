// What a visitor reads after sending a form: the page's text, else the form's, else ours, with the answers
// inserted. A page's HTML is sanitised here, charged to the sender's allowance.
import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Pay } from '../kernel/pay.ts'
import type { Answers } from '../forms/form-model.ts'
import { escapedHtml, fillHtml, sanitiseHtml } from '../html/form-html.ts'
import type { VisitorTexts } from '../visitor-texts/visitor-texts.ts'
import type { FoundFormSession } from './records.ts'

export const defaultSuccess = ({ form }: VisitorTexts): string => `<p>${escapedHtml(form.thanks.text)}</p>`

/** Characters of the worst HTML that can be sanitised in a millisecond. */
const CHARACTERS_A_MS = 1_500
/** Characters of all cached results: of some thousand pages, which send the same text with every visitor. */
const MAX_KEPT = 2_000_000

const sanitised = new LRUCache<string, string>({ maxSize: MAX_KEPT, sizeCalculation: ({ length }) => length + 100 })

/** Cached: many visitors are shown the same. */
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

interface Sending {
  readonly answers: Answers
  readonly pay: Pay
  readonly said: VisitorTexts
}

/**
 * @param override of the call that sends the form; blank after sanitising, it is ignored.
 * @throws Problem('rate_limited') when the sender has used too much computing time.
 */
export function successOf(
  { success_html, form }: Pick<FoundFormSession, 'success_html'> & { readonly form: { readonly success_html: string } },
  override: string | null | undefined,
  { answers, pay, said }: Sending,
): string {
  const template =
    readPageHtml(override, pay) || readPageHtml(success_html, pay) || form.success_html || defaultSuccess(said)
  return fillHtml(template, answers, pay)
}
