// Mixed traffic with a ledger: everything that is sent has a name of its own, and what was acknowledged is
// noted under it. Afterwards the stores and the endpoint of the webhooks are held against the ledger: nothing
// acknowledged may be missing, and nothing may be there twice.
import assert from 'node:assert/strict'
import { DEADLINE_MS } from '../../server/clicks/click-recorder.ts'
import type { Facts } from '../../server/stores/facts.ts'
import type { Records } from '../../server/stores/records.ts'
import type { Endpoint } from './endpoint.ts'
import { type Form, flowOver } from './form-flow.ts'
import { ADMIN_TOKEN, CHROME, type Reply } from './server.ts'
import { callService, createServiceProperty, type Service, type ServiceProperty } from './service.ts'
import { visit } from './visits.ts'

export const KINDS = ['views', 'events', 'money', 'contacts', 'clicks', 'submissions', 'webhooks'] as const
export type Kind = (typeof KINDS)[number]

export interface Ledger {
  readonly sent: Record<Kind, Set<string>>
  readonly acknowledged: Record<Kind, Set<string>>
  /** How many answers of each status; `cut`: none. */
  readonly answers: Map<number | 'cut', number>
  /** Answers that nobody may get: faults of the program. */
  readonly faults: string[]
}

export interface LedgerSite {
  readonly property: ServiceProperty
  readonly code: string
  readonly form: Form
}

const setsOfKinds = () =>
  Object.fromEntries(KINDS.map((kind) => [kind, new Set<string>()])) as Record<Kind, Set<string>>

export const openLedger = (): Ledger => ({
  sent: setsOfKinds(),
  acknowledged: setsOfKinds(),
  answers: new Map(),
  faults: [],
})

export const acknowledgedIn = ({ acknowledged }: Ledger): number =>
  KINDS.reduce((sum, kind) => sum + acknowledged[kind].size, 0)

/** A property with a link, a form, and an automation that tells of every event. */
export async function openSite(service: Service, hookUrl: string): Promise<LedgerSite> {
  const property = await createServiceProperty(service)
  const post = async (path: string, body: unknown, caller = property) => {
    const { status, json, text } = await callService(service, caller, 'POST', path, body)
    assert.equal(status, 200, text)
    return json.data
  }
  const { group } = await post('/v2/property/link-groups', { name: 'Ledger' })
  const draft = { group_id: group.id, domain: 'link-a', destination_url: 'https://example.com/' }
  const { link } = await post('/v2/property/links', draft)
  const automation = {
    trigger: { event_type: 'event', event_value: null },
    actions: [{ type: 'webhook', url: hookUrl }],
  }
  const admin = { ...property, token: ADMIN_TOKEN }
  await post(`/manage/properties/${property.id}/automations`, automation, admin)
  return { property, code: link.code, form: await flowOver(service).create(property.id) }
}

class NotAnswered extends Error {}

/** Who sends one thing after the other, from one address. */
export interface Sender {
  readonly site: LedgerSite
  readonly ledger: Ledger
  readonly name: string
  readonly address: string
  /** The number of the first visit: what a visit sends goes by its number. */
  readonly first: number
  /** To the number of the next one; 1 when left out. */
  readonly step?: number
  /** Where the next call goes. */
  readonly node: () => Service
}

/** @returns the answer, when it is one of 200. */
async function attempt({ ledger }: Sender, kinds: readonly Kind[], name: string, call: () => Promise<Reply>) {
  for (const kind of kinds) ledger.sent[kind].add(name)
  let reply: Reply
  try {
    reply = await call()
  } catch {
    ledger.answers.set('cut', (ledger.answers.get('cut') ?? 0) + 1)
    throw new NotAnswered()
  }
  ledger.answers.set(reply.status, (ledger.answers.get(reply.status) ?? 0) + 1)
  if (reply.status >= 500 && reply.status !== 503) ledger.faults.push(`${reply.status} ${reply.text.slice(0, 200)}`)
  if (reply.status === 503 && !(Number(reply.headers.get('retry-after')) > 0))
    ledger.faults.push(`503 without Retry-After: ${reply.text.slice(0, 200)}`)
  if (reply.status !== 200 || reply.json?.success === false) return undefined
  for (const kind of kinds) ledger.acknowledged[kind].add(name)
  return reply
}

async function load(sender: Sender, name: string): Promise<string | undefined> {
  const { site, node, address } = sender
  const headers = {
    'x-forwarded-for': address,
    'x-svc-lib': '1.1.0',
    'x-svc-page': encodeURIComponent(`https://example.com/${name}`),
  }
  const visitor = { key: site.property.key, token: null }
  const load = () => callService(node(), visitor, 'GET', '/v2/signal/load', undefined, headers)
  return (await attempt(sender, ['views'], name, load))?.json.session_id
}

const post = ({ site, node }: Sender, path: string, body: object) =>
  callService(node(), site.property, 'POST', path, body)

/** Stored before its answer only when that came before the deadline: at it the visitor is sent on without. */
async function click({ site, ledger, node, address }: Sender, name: string): Promise<void> {
  ledger.sent.clicks.add(name)
  const begun = performance.now()
  const headers = { referer: `https://news.example/${name}` }
  const seen = await visit(node().url, `/a/${site.code}`, { address, agent: CHROME, headers }).catch(() => undefined)
  if (!seen) throw new NotAnswered()
  if (seen.status === 302 && performance.now() - begun < DEADLINE_MS) ledger.acknowledged.clicks.add(name)
}

async function submit(sender: Sender, name: string): Promise<void> {
  const { site, node, address } = sender
  const opened = await flowOver(node())
    .open(site.form, undefined, { address })
    .catch(() => undefined)
  if (!opened) return
  const answers = { name, email: `${name}@example.com` }
  await attempt(sender, ['submissions'], name, () => flowOver(node()).send(opened, answers, { address }))
}

/**
 * @param known of an earlier visit, in case the page view is refused: then the rest is tried all the same.
 *   @returns that of this one.
 */
async function visitOnce(sender: Sender, name: string, n: number, known: string | undefined) {
  const session_id = (await load(sender, name)) ?? known
  if (session_id === undefined) return undefined
  await attempt(sender, ['events', 'webhooks'], name, () =>
    post(sender, '/v2/property/session/event', { session_id, name }),
  )
  if (n % 3 === 0) {
    const order = { session_id, value: 100, currency_code: 'USD', tags: [`shop:order:${name}`] }
    await attempt(sender, ['money'], name, () => post(sender, '/v2/property/session/acquisition', order))
  }
  if (n % 3 === 1) {
    const person = { session_id, email: `${name}@example.com` }
    await attempt(sender, ['contacts'], name, () => post(sender, '/v2/property/contacts/identify', person))
  }
  if (n % 3 === 2) await submit(sender, name)
  await click(sender, name)
  return session_id
}

/** One visit after the other. @param goesOn asked after each; when a call was cut off as well. */
export async function sendOn(sender: Sender, goesOn: (wasCut: boolean) => boolean | Promise<boolean>): Promise<void> {
  let session: string | undefined
  for (let n = sender.first; ; n += sender.step ?? 1) {
    let wasCut = false
    try {
      session = await visitOnce(sender, `${sender.name}n${n}`, n, session)
    } catch (error) {
      if (!(error instanceof NotAnswered)) throw error
      wasCut = true
    }
    if (!(await goesOn(wasCut))) return
  }
}

/** What each kind is called in the stores: as often as it is there. */
export async function heldIn(facts: Facts, records: Records): Promise<Record<Exclude<Kind, 'webhooks'>, string[]>> {
  const ask = async (sql: string) => (await facts.query<{ name: string }>('ledger', sql)).map(({ name }) => name)
  const contacts = await records.selectFrom('contacts').select('email').where('email', 'is not', null).execute()
  const submissions = await records.selectFrom('submissions').select('fields').execute()
  const sent: string[] = submissions.map(({ fields }) => JSON.parse(fields)[0].value)
  const people = contacts.map(({ email }) => String(email).split('@')[0] ?? '')
  return {
    views: await ask("SELECT substring(path, 2) AS name FROM views FINAL WHERE path != ''"),
    events: await ask("SELECT name FROM events FINAL WHERE kind = 'event'"),
    money: await ask("SELECT order_id AS name FROM events FINAL WHERE kind = 'acquisition'"),
    clicks: await ask("SELECT replaceOne(referrer_url, 'https://news.example/', '') AS name FROM clicks FINAL"),
    // A clean submission may make a contact as well; the ledger of contacts is about who was identified.
    contacts: people.filter((name) => Number(/n(\d+)$/.exec(name)?.[1]) % 3 === 1),
    submissions: sent,
  }
}

/** The events that an endpoint was told of: one name for each id, which may come more than once. */
export function toldTo({ received }: Pick<Endpoint, 'received'>): string[] {
  const byId = new Map(received.map(({ headers, body }) => [String(headers['x-service-event-id']), body]))
  return [...byId.values()].map((body): string => JSON.parse(body).data.event.name)
}

export interface Finding {
  readonly sent: number
  readonly acknowledged: number
  readonly held: number
  readonly lost: string[]
  readonly doubled: string[]
  /** There, and never sent. */
  readonly strange: string[]
}

export function findingsOf(ledger: Ledger, held: Record<Kind, readonly string[]>): Record<Kind, Finding> {
  const find = (kind: Kind): Finding => {
    const there = new Set(held[kind])
    const seen = new Set<string>()
    return {
      sent: ledger.sent[kind].size,
      acknowledged: ledger.acknowledged[kind].size,
      held: held[kind].length,
      lost: [...ledger.acknowledged[kind]].filter((name) => !there.has(name)),
      doubled: held[kind].filter((name) => seen.has(name) || !seen.add(name)),
      strange: [...there].filter((name) => !ledger.sent[kind].has(name)),
    }
  }
  return Object.fromEntries(KINDS.map((kind) => [kind, find(kind)])) as Record<Kind, Finding>
}

/**
 * Says the figures, which docs/reliability.md repeats, and fails when anything is missing, there twice, or
 * made up.
 */
export function assertKept(title: string, ledger: Ledger, held: Record<Kind, readonly string[]>): void {
  const findings = findingsOf(ledger, held)
  console.log(`${title}: answers ${JSON.stringify(Object.fromEntries(ledger.answers))}`)
  for (const [kind, { sent, acknowledged, held: there, lost, doubled }] of Object.entries(findings))
    console.log(
      `  ${kind}: ${sent} sent, ${acknowledged} acknowledged, ${there} held, ${lost.length} lost, ${doubled.length} doubled`,
    )
  const wrong = Object.entries(findings).flatMap(([kind, { lost, doubled, strange }]) =>
    lost.length + doubled.length + strange.length > 0 ? [{ kind, lost, doubled, strange }] : [],
  )
  assert.deepEqual(wrong, [])
  assert.deepEqual(ledger.faults, [])
}
