// The forms of the property under test: made by their owner before the traffic begins, and sent by visitors
// as a page sends them.
import type { Answer, Send } from './client.ts'
import { isRecord } from './compare.ts'
import type { SentForm } from './hits.ts'
import { formNames } from './traffic.ts'
import type { Form } from './world.ts'

export interface Owner {
  readonly propertyId: string
  /** The administrator's token. */
  readonly admin: string
}

const asOwner = ({ admin }: Owner) => ({ authorization: `Bearer ${admin}` })
const pathOf = ({ propertyId }: Owner) => `/manage/properties/${propertyId}/forms`

/** By name. */
export async function makeForms(send: Send, owner: Owner): Promise<ReadonlyMap<string, Form>> {
  const forms = new Map<string, Form>()
  for (const name of formNames) {
    const answer = await send('POST', pathOf(owner), asOwner(owner), { name, kind: 'open', is_published: true })
    const data = answer.body['data']
    const form = isRecord(data) ? data['form'] : undefined
    if (!isRecord(form)) throw new Error(`not made: ${JSON.stringify(answer)}`)
    forms.set(name, { id: String(form['id']), key: String(form['key']) })
  }
  return forms
}

/** Year, key, day of the month; times 31 plus the next code unit, in 32 bits. */
function sign(key: string, at: number): string {
  const date = new Date(at)
  let hash = 0
  for (const unit of `${date.getUTCFullYear()}${key}${date.getUTCDate()}`.split(''))
    hash = (Math.imul(hash, 31) + unit.charCodeAt(0)) | 0
  return String(hash >>> 0)
}

/** Opened and sent at once, as autofill does it; a short answer that is never twice the same signals. */
export async function sendForm(send: Send, form: Form, { visitor, at }: SentForm, session: string): Promise<Answer> {
  const headers = {
    'x-forwarded-for': visitor.address,
    'user-agent': visitor.agent,
    'accept-language': visitor.language,
    'x-svc-sid': session,
  }
  const opening = { ...headers, 'x-svc-form': sign(form.key, at) }
  const opened = await send('POST', `/v2/form/${form.key}/init`, opening, { fields: { name: 'text' } })
  const { token, hp } = opened.body
  if (typeof token !== 'string' || typeof hp !== 'string') throw new Error(`not opened: ${JSON.stringify(opened)}`)
  return send(
    'POST',
    `/v2/form/${token}/process`,
    { ...headers, 'x-svc-session': sign(token, at) },
    {
      map: { name: 'text' },
      data: { name: 'Ann', [hp]: '' },
      _sig: { k: 1 },
    },
  )
}

const TRIES = 200
const PAUSE_MS = 50

/**
 * A submission is answered before its event is stored when that takes long. Its owner sees when all of those
 * of people are.
 */
export async function waitForForms(send: Send, owner: Owner, expected: number): Promise<void> {
  let counted = 0
  for (let left = TRIES; left > 0; left--) {
    const { body } = await send('GET', pathOf(owner), asOwner(owner))
    const data = body['data']
    const forms = isRecord(data) && Array.isArray(data['data']) ? data['data'].filter(isRecord) : []
    counted = forms.reduce((sum, form) => sum + Number(form['submitted'] ?? 0), 0)
    if (counted === expected) return
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
  }
  throw new Error(`${counted} submissions are counted, ${expected} were sent`)
}
