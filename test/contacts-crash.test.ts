// The whole service, killed right after it said that somebody is known: the contact, the link and the
// session's contact are there afterwards.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { rounds } from './support/long.ts'
import { callService, createServiceProperty, loadPage, startService, type ServiceProperty } from './support/service.ts'

const ROUNDS = rounds(1, 20)
/** Identified side by side in each round, every other one by the visitor's browser. */
const PEOPLE = 8

const dataDir = mkdtempSync(join(tmpdir(), 'footfall-contacts-crash-'))
const closers: (() => Promise<void>)[] = []

after(async () => {
  for (const close of closers) await close()
  rmSync(dataDir, { recursive: true, force: true })
})

const start = () => startService({ after: (close) => closers.push(close) }, dataDir, { LOG_LEVEL: 'silent' })

interface Acknowledged {
  readonly contact: string
  readonly session: string
  readonly email: string
}

type Service = Awaited<ReturnType<typeof start>>

async function identify(service: Service, property: ServiceProperty, name: string, n: number): Promise<Acknowledged> {
  const address = `203.0.113.${n}`
  const session = await loadPage(service, property, address)
  const email = `${name}@example.com`
  if (n % 2 === 0) {
    const { json } = await callService(service, property, 'POST', '/v2/property/contacts/identify', {
      email,
      session_id: session,
    })
    assert.equal(json.data.linked_to_session, true)
    return { contact: json.data.contact.id, session, email }
  }
  const visitor = { key: property.key, token: null }
  const { json } = await callService(
    service,
    visitor,
    'POST',
    `/v2/signal/${session}/identify`,
    { email },
    { 'x-forwarded-for': address },
  )
  assert.deepEqual([json.success, json.linked_to_session], [true, true])
  return { contact: json.contact_id, session, email }
}

test(`everybody of whom the service said so is known after kill -9, ${ROUNDS} times, with their session and once`, async () => {
  let service = await start()
  const property = await createServiceProperty(service)
  const known: Acknowledged[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const people = Array.from({ length: PEOPLE }, (_, n) =>
      identify(service, property, `r${round}p${n}`, round * PEOPLE + n),
    )
    // The blow falls with the last answer: nothing has time to be tidied up.
    known.push(...(await Promise.all(people)))
    await service.end('SIGKILL')
    service = await start()
  }

  const list = await callService(service, property, 'GET', '/v2/property/contacts?per_page=100')
  assert.equal(list.json.data.total, known.length)
  const { json } = await callService(service, property, 'POST', '/v2/property/signals/sessions', {
    period: 'last_7',
    limit: 100,
  })
  const contactOf = new Map(
    json.data.map((session: { id: string; contact_id?: string }) => [session.id, session.contact_id]),
  )
  for (const { contact, session, email } of known) {
    const one = await callService(service, property, 'GET', `/v2/property/contacts/${contact}`)
    assert.deepEqual([one.json.data.contact.email, one.json.data.contact.session_count], [email, 1])
    const linked = await callService(service, property, 'GET', `/v2/property/contacts/${contact}/sessions`)
    assert.deepEqual(
      linked.json.data.sessions.map((shown: { id: string; views: number }) => [shown.id, shown.views]),
      [[session, 1]],
    )
    assert.equal(contactOf.get(session), contact)
  }
})
