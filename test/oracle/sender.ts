// Sends hits through the front door, as the browser library and the owner's server would, and keeps what was
// answered.
import type { Answer, Send } from './client.ts'
import { isRecord } from './compare.ts'
import type { Click, Hit, Identify, Later, Load, SentForm, Visitor } from './hits.ts'
import { sendForm } from './forms.ts'
import { known, type Form, type Link } from './world.ts'

/** A property and the two keys with which it is reached. */
export interface Access {
  readonly key: string
  readonly token: string
}

export interface Ids {
  readonly session: string
  readonly view: string
}

export interface Sender {
  /** The hits of one moment, side by side. */
  sendAll(hits: readonly Hit[]): Promise<void>
  readonly ids: ReadonlyMap<Load, Ids>
  readonly answers: ReadonlyMap<Hit, Answer>
}

export const asVisitor = (access: Access, visitor: Visitor): Record<string, string> => ({
  'x-svc-id': access.key,
  'x-forwarded-for': visitor.address,
  'user-agent': visitor.agent,
  'accept-language': visitor.language,
})

export const bearer = (access: Access): Record<string, string> => ({ authorization: `Bearer ${access.token}` })

export function sendLoad(send: Send, access: Access, load: Load): Promise<Answer> {
  return send('GET', '/v2/signal/load', {
    ...asVisitor(access, load.visitor),
    'x-svc-page': encodeURIComponent(load.url),
    'x-svc-title': encodeURIComponent(load.title),
    'x-svc-src': encodeURIComponent(load.referrer),
    'x-svc-lib': '1.2.0',
  })
}

export function readIds(answer: Answer): Ids {
  const { session_id: session, view_id: view } = answer.body
  if (typeof session !== 'string' || typeof view !== 'string') throw new Error(`no ids: ${JSON.stringify(answer)}`)
  return { session, view }
}

function bodyOf(hit: Exclude<Later, SentForm | Identify>): Record<string, unknown> {
  if (hit.kind === 'ping') return { event: 'heartbeat', tos: hit.tos, max: hit.max }
  if (hit.kind === 'event')
    return { [hit.by === 'server' ? 'name' : 'event']: hit.name, value: hit.value, meta: hit.meta }
  return {
    ...(hit.value !== undefined && { value: hit.value }),
    ...(hit.currency && { currency_code: hit.currency }),
    ...(hit.tags && { tags: hit.tags }),
  }
}

function sendClick(send: Send, { link, visitor, how }: Click, links: ReadonlyMap<string, Link>): Promise<Answer> {
  const headers = {
    'x-forwarded-for': visitor.address,
    'user-agent': visitor.agent,
    'accept-language': visitor.language,
    ...(how === 'prefetch' && { 'sec-purpose': 'prefetch' }),
  }
  return send(how === 'head' ? 'HEAD' : 'GET', known(links, link).path, headers)
}

const identify = (send: Send, access: Access, body: Record<string, unknown>): Promise<Answer> =>
  send('POST', '/v2/property/contacts/identify', bearer(access), body)

/** Before the traffic: their ids by the external ids. */
export async function makeContacts(send: Send, access: Access, persons: readonly string[]) {
  const contacts = new Map<string, string>()
  for (const person of persons) {
    const answer = await identify(send, access, { external_id: person })
    const data = answer.body['data']
    const contact = isRecord(data) ? data['contact'] : undefined
    if (!isRecord(contact)) throw new Error(`not made: ${JSON.stringify(answer)}`)
    contacts.set(person, String(contact['id']))
  }
  return contacts
}

function sendLater(send: Send, access: Access, hit: Exclude<Later, SentForm>, ids: Ids): Promise<Answer> {
  if (hit.kind === 'identify') return identify(send, access, { session_id: ids.session, external_id: hit.person })
  if (hit.kind === 'ping')
    return send('POST', `/v2/signal/${ids.view}/ping`, asVisitor(access, hit.visitor), bodyOf(hit))
  if (hit.by === 'browser')
    return send('POST', `/v2/signal/${ids.session}/${hit.kind}`, asVisitor(access, hit.visitor), bodyOf(hit))
  return send('POST', `/v2/property/session/${hit.kind}`, bearer(access), { ...bodyOf(hit), session_id: ids.session })
}

/** What hits name, by name. */
interface Made {
  readonly links: ReadonlyMap<string, Link>
  readonly forms: ReadonlyMap<string, Form>
}

export function openSender(send: Send, access: Access, { links, forms }: Made): Sender {
  const ids = new Map<Load, Ids>()
  const answers = new Map<Hit, Answer>()
  const sendOne = async (hit: Hit) => {
    if (hit.kind === 'load') {
      const answer = await sendLoad(send, access, hit)
      answers.set(hit, answer)
      ids.set(hit, readIds(answer))
      return
    }
    if (hit.kind === 'click') {
      answers.set(hit, await sendClick(send, hit, links))
      return
    }
    const given = ids.get(hit.load)
    if (!given) throw new Error('a hit before its load')
    const answer =
      hit.kind === 'form'
        ? await sendForm(send, known(forms, hit.form), hit, given.session)
        : await sendLater(send, access, hit, given)
    answers.set(hit, answer)
  }
  return { sendAll: async (hits) => void (await Promise.all(hits.map(sendOne))), ids, answers }
}
