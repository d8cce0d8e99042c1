// The contact endpoints as tests call them, and people whom no other test knows.
import assert from 'node:assert/strict'
import type { Footfall, Reply } from './server.ts'

export interface TestVisitor {
  readonly address: string
}

export interface ContactCalls {
  /** An e-mail address that no other test uses. */
  address(): string
  visitor(): TestVisitor
  /** Takes the clock on, so that no limit stands in for an answer. */
  nextMinute(): void
  identify(body: unknown, headers?: Record<string, string>): Promise<Reply>
  identifyVisitor(session: string, body: unknown, who: TestVisitor, headers?: Record<string, string>): Promise<Reply>
  list(query?: Record<string, string | number>): Promise<Reply>
  get(id: string): Promise<Reply>
  sessions(id: string, query?: Record<string, string | number>): Promise<Reply>
  update(id: string, body: unknown): Promise<Reply>
  remove(id: string): Promise<Reply>
  /** The id of a session with one page view. */
  newSession(who?: TestVisitor): Promise<string>
  newContact(body?: Record<string, unknown>): Promise<{ id: string; email: string }>
  countContacts(): Promise<number>
}

const PATH = '/v2/property/contacts'

export function contactCalls(footfall: Footfall): ContactCalls {
  let named = 0
  const { property, track, clock } = footfall
  const call: Footfall['call'] = (...asked) => footfall.call(...asked)
  const calls: ContactCalls = {
    address: () => `person${++named}@example.com`,
    visitor: () => ({ address: `198.51.${Math.floor(++named / 250)}.${named % 250}` }),
    nextMinute: () => clock.advance(60_000),
    identify: (body, headers = {}) => call('POST', `${PATH}/identify`, { body, headers }),
    identifyVisitor: (session, body, who, headers = {}) =>
      call('POST', `/v2/signal/${session}/identify`, {
        body,
        headers: { 'x-svc-id': property.key, 'x-forwarded-for': who.address, ...headers },
      }),
    list: (query = {}) => call('GET', PATH, { query }),
    get: (id) => call('GET', `${PATH}/${id}`),
    sessions: (id, query = {}) => call('GET', `${PATH}/${id}/sessions`, { query }),
    update: (id, body) => call('POST', `${PATH}/${id}`, { body }),
    remove: (id) => call('DELETE', `${PATH}/${id}`),
    newSession: async (who = calls.visitor()) => (await track.load(who)).json.session_id,
    newContact: async (body = {}) => {
      const reply = await calls.identify({ email: calls.address(), ...body })
      assert.equal(reply.status, 200, reply.text)
      return reply.json.data.contact
    },
    countContacts: async () => (await calls.list()).json.data.total,
  }
  return calls
}

/** 422 in the documented shape, with the field among those that are named. */
export function assertRefused(reply: Reply, field: string): void {
  assert.equal(reply.status, 422, reply.text)
  assert.equal(reply.json.error_code, 'validation_failed')
  assert.ok(Object.hasOwn(reply.json.errors ?? {}, field), `names ${field}: ${reply.text}`)
}
