// Forms filled in as a page does it: over HTTP, with the signatures that its library would compute. The
// signature is worked out here on its own, from the words of the contract.
import assert from 'node:assert/strict'
import { ADMIN_TOKEN, CHROME, type CallOptions, type Footfall, type Reply } from './server.ts'
import { callService, type Service } from './service.ts'

/** What a form flow is run over: a server in this process, or a service of its own. */
export type Call = (method: string, path: string, options?: CallOptions) => Promise<Reply>

export const DAY_MS = 86_400_000

/** The signature of docs/api/forms.md, in whole numbers of any size. */
export function signature(key: string, atMs: number): string {
  const day = new Date(atMs)
  const text = `${day.getUTCFullYear()}${key}${day.getUTCDate()}`
  let hash = 0n
  for (let at = 0; at < text.length; at++) hash = (hash * 31n + BigInt(text.charCodeAt(at))) % 2n ** 32n
  return hash.toString()
}

export interface Form {
  readonly id: string
  readonly key: string
}

export interface From {
  readonly address?: string
  readonly agent?: string
  readonly headers?: Readonly<Record<string, string>>
  /** In place of the right one; null: none. */
  readonly signature?: string | null
}

export interface Opened {
  readonly token: string
  readonly hp: string
}

/** What a person's browser tells of filling in a form of two fields. */
export const personSignals = { dur: 21_000, gt: 'focus', k: 46, f: 3, m: 1, s: 1, t: 2, w: 0, p: 5, l: 2 }

export const PAGE = 'https://example.com'

/** An open form of the simplest kind. */
export const contactFields = {
  fields: { name: 'text', email: 'email' },
  validation: { name: { required: null }, email: { required: null, email: null } },
}

export interface FormFlow {
  readonly create: (propertyId: string, body?: Readonly<Record<string, unknown>>) => Promise<Form>
  readonly init: (form: Form, body?: unknown, from?: From) => Promise<Reply>
  /** An init that has to succeed. */
  readonly open: (form: Form, body?: unknown, from?: From) => Promise<Opened>
  readonly validate: (token: string, body: unknown, from?: From) => Promise<Reply>
  readonly process: (token: string, body: unknown, from?: From) => Promise<Reply>
  /** What a library sends for these values: `map`, the honeypot left empty, signals. */
  readonly send: (opened: Opened, data: Readonly<Record<string, unknown>>, from?: From) => Promise<Reply>
}

export function sent(opened: Opened, data: Readonly<Record<string, unknown>>) {
  const map = Object.fromEntries(Object.keys(data).map((name) => [name, 'text']))
  return { map, data: { ...data, [opened.hp]: '' }, _sig: personSignals }
}

export function openFormFlow(call: Call, now: () => number = Date.now): FormFlow {
  const post = (path: string, key: string, header: string, body: unknown, from: From = {}): Promise<Reply> => {
    const signed = from.signature === undefined ? signature(key, now()) : from.signature
    const headers: Record<string, string> = {
      'x-forwarded-for': from.address ?? '203.0.113.7',
      'user-agent': from.agent ?? CHROME,
      'accept-language': 'en-GB,en;q=0.9',
      origin: PAGE,
      'x-svc-lib': 'form 1.0.0',
      ...(signed !== null && { [header]: signed }),
      ...from.headers,
    }
    return call('POST', path, { body, headers, token: null })
  }
  const flow: FormFlow = {
    create: async (propertyId, body = {}) => {
      const { status, json, text } = await call('POST', `/manage/properties/${propertyId}/forms`, {
        body: { name: 'Contact', kind: 'open', is_published: true, ...body },
      })
      assert.equal(status, 200, text)
      return { id: json.data.form.id, key: json.data.form.key }
    },
    init: (form, body = contactFields, from) => post(`/v2/form/${form.key}/init`, form.key, 'x-svc-form', body, from),
    open: async (form, body, from) => {
      const { json, text } = await flow.init(form, body, from)
      assert.equal(json?.error_type, false, text)
      return { token: json.token, hp: json.hp }
    },
    validate: (token, body, from) => post(`/v2/form/${token}/validate`, token, 'x-svc-session', body, from),
    process: (token, body, from) => post(`/v2/form/${token}/process`, token, 'x-svc-session', body, from),
    send: (opened, data, from) => flow.process(opened.token, sent(opened, data), from),
  }
  return flow
}

export const flowOf = (footfall: Footfall): FormFlow =>
  openFormFlow((...asked) => footfall.call(...asked), footfall.clock.now)

/** Over a service of its own: as its administrator under /manage, as anybody elsewhere. */
export const flowOver = (service: Service): FormFlow =>
  openFormFlow((method, path, { body, headers, token }: CallOptions = {}) =>
    callService(service, { key: '', token: token === undefined ? ADMIN_TOKEN : token }, method, path, body, {
      ...headers,
    }),
  )
