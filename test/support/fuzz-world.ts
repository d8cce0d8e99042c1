// Where a fuzzer is let loose: one property with programs, people and a share link, in a service that is a
// process of its own.
import assert from 'node:assert/strict'
import type { FuzzWorld } from './fuzz-requests.ts'
import { ADMIN_TOKEN, ALL_SCOPES, type Reply } from './server.ts'
import { callService, createServiceProperty, loadPage, type Service } from './service.ts'

/** 600 calls a minute each: together more than one machine answers. */
const PROGRAMS = 60
const PASSWORD = 'a quiet stone by the river'

const admin = { key: '', token: ADMIN_TOKEN }

/** A call of the administrator that has to succeed. */
export async function callAsAdmin(service: Service, method: string, path: string, body?: unknown): Promise<Reply> {
  const reply = await callService(service, admin, method, path, body)
  assert.equal(reply.status, 200, reply.text)
  return reply
}

/** Invited, and signed in by the invitation. @returns the cookie. */
async function addPerson(service: Service, email: string, propertyId: string, role: string): Promise<string> {
  const { json } = await callAsAdmin(service, 'POST', '/manage/users', { email, name: 'Pat Person' })
  await callAsAdmin(service, 'POST', `/manage/properties/${propertyId}/members`, { email, role })
  const token = json.data.invitation_url.split(/[#/]/).at(-1)
  const body = { token, name: 'Pat Person', password: PASSWORD }
  const headers = { 'sec-fetch-site': 'same-origin' }
  const nobody = { key: '', token: null }
  const reply = await callService(service, nobody, 'POST', '/manage/invitation/accept', body, headers)
  assert.equal(reply.status, 200, reply.text)
  return reply.headers.get('set-cookie')?.split(';', 1)[0] ?? ''
}

/** A property that the fuzzer knows all about, and everybody who may call in its name. */
export async function openFuzzWorld(service: Service): Promise<FuzzWorld> {
  const property = await createServiceProperty(service)
  const at = `/manage/properties/${property.id}`
  const programs: Record<string, string>[] = []
  for (let n = 0; n < PROGRAMS; n++) {
    const { json } = await callAsAdmin(service, 'POST', `${at}/tokens`, { name: `Fuzz ${n}`, scopes: ALL_SCOPES })
    programs.push({ authorization: `Bearer ${json.data.access_token}` })
  }
  const people = []
  for (const role of ['viewer', 'admin', 'owner', 'owner', 'owner'])
    people.push({
      cookie: await addPerson(service, `${role}${people.length}@example.com`, property.id, role),
      'sec-fetch-site': 'same-origin',
    })
  const { json } = await callAsAdmin(service, 'POST', `${at}/shares`, { name: 'Fuzz' })
  const shared = { token: json.data.url.split('/').at(-1) }
  const opened = await callService(service, { key: '', token: null }, 'POST', '/manage/share', shared)
  const session = await loadPage(service, property, '203.0.113.7')
  return {
    propertyId: property.id,
    key: property.key,
    programs,
    people,
    administrator: { authorization: `Bearer ${ADMIN_TOKEN}` },
    share: { authorization: `Bearer ${opened.json.data.access_token}` },
    pools: new Map([
      ['session', [session]],
      ['sessionId', [session]],
    ]),
  }
}
