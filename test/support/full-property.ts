// A property in which there is one of everything, made through the front door, with a word in all of it by
// which it is known again.
import assert from 'node:assert/strict'
import { automationCalls } from './automation-calls.ts'
import { renderIds, track } from './content-calls.ts'
import { flowOf } from './form-flow.ts'
import { addPerson } from './accounts.ts'
import type { CallOptions, Footfall, Reply, TestProperty } from './server.ts'
import { visit } from './visits.ts'

export interface FullProperty extends TestProperty {
  /** Stands in every name and text. */
  readonly word: string
  /** By kind; see kindOf of operations.ts. */
  readonly ids: Readonly<Record<string, string>>
}

const fine = (reply: Reply): Reply => {
  assert.equal(reply.status, 200, reply.text)
  return reply
}

/** The id of what was created, whatever its name is. */
function idIn({ json }: Reply): string {
  const found = [json.data, ...Object.values(json.data)].find((part) => typeof part?.id === 'string')
  return found.id
}

interface Calls {
  readonly post: (path: string, body: object, options?: CallOptions) => Promise<Reply>
  /** The newest of a list. */
  readonly newest: (path: string) => Promise<string>
}

function callsFor(footfall: Footfall, property: TestProperty): Calls {
  const tokenFor = (path: string) => (path.startsWith('/v2/') ? { token: property.token } : {})
  return {
    post: (path, body, options) => footfall.call('POST', path, { body, ...tokenFor(path), ...options }).then(fine),
    newest: async (path) => fine(await footfall.call('GET', path, tokenFor(path))).json.data.data[0].id,
  }
}

type Ids = Record<string, string>

async function fillVisit({ track: visitor }: Footfall, { id, key }: TestProperty, word: string, { post }: Calls) {
  const page = `https://example.com/${word}?utm_campaign=${word}`
  const { session_id, view_id } = fine(await visitor.load({ key, page, title: word, address: '203.0.113.40' })).json
  await post('/v2/property/session/event', { session_id, name: word, value: word, meta: { [word]: word } })
  await post('/v2/property/session/acquisition', {
    session_id,
    value: 777,
    currency_code: 'EUR',
    tags: [`o:k:${word}`],
  })
  const contact = await post('/v2/property/contacts/identify', {
    session_id,
    email: `${word}@example.com`,
    traits: { first_name: word, company: word },
  })
  const about = `/manage/properties/${id}/contacts/${idIn(contact)}`
  await post(`${about}/labels`, { lists: [word], tags: [word] })
  await post(`/manage/properties/${id}/contact-lists`, { name: `${word} list`, is_confirmed: true })
  const search = { name: word, query: { search: word }, is_shared: true }
  const savedSearch = idIn(await post(`/manage/properties/${id}/contact-searches`, search))
  const note = idIn(await post(`${about}/notes`, { text: word }))
  const other = idIn(await post('/v2/property/contacts/identify', { external_id: word, traits: { city: word } }))
  const { merge_id: merge } = (await post(`${about}/merge`, { other })).json.data
  return {
    sessionId: session_id,
    session: session_id,
    viewId: view_id,
    contact: idIn(contact),
    search: savedSearch,
    note,
    merge,
  }
}

async function fillLinks({ url }: Footfall, word: string, { post, newest }: Calls): Promise<Ids> {
  const group = idIn(await post('/v2/property/link-groups', { name: word, description: word }))
  const draft = { group_id: group, destination_url: `https://example.com/${word}`, domain: 'link-a', name: word }
  const { link } = (await post('/v2/property/links', draft)).json.data
  await visit(url, `/a/${link.code}`, { address: '203.0.113.40' })
  return { group, link: link.id, click: await newest('/v2/property/clicks') }
}

async function fillForms(footfall: Footfall, { id }: TestProperty, word: string, { post, newest }: Calls) {
  const flow = flowOf(footfall)
  const form = await flow.create(id, { name: word })
  const at = `/manage/properties/${id}/forms/${form.id}`
  await post(`${at}/mail`, { recipients: [`${word}-reader@example.com`] })
  await post(at, { name: `${word} again` })
  fine(await flow.send(await flow.open(form), { name: word, email: `${word}@example.com` }))
  return {
    form: form.id,
    formKey: form.key,
    formToken: (await flow.open(form)).token,
    formEdit: await newest(`${at}/edits`),
    submission: await newest(`${at}/submissions?show=all`),
  }
}

async function fillContent(footfall: Footfall, { id }: TestProperty, word: string, { post, newest }: Calls) {
  const { content } = (await post(`/manage/properties/${id}/content`, { name: word })).json.data
  const at = `/manage/properties/${id}/content/${content.id}`
  const version = idIn(await post(`${at}/versions`, { label: word, html: `<p>${word}</p>` }))
  await post(at, { name: `${word} again` })
  const ids = await renderIds(footfall, content.key, { address: '203.0.113.40' })
  fine(await track(footfall, { ...ids, action: 'view', dwell_ms: 2000 }, { address: '203.0.113.40' }))
  return { block: content.id, contentKey: content.key, version, blockEdit: await newest(`${at}/edits`) }
}

async function fillAutomation(
  footfall: Footfall,
  property: TestProperty,
  word: string,
  session_id: string,
  calls: Calls,
) {
  const { id: automation } = await automationCalls(footfall).add('event', word, { name: word }, property)
  await calls.post('/v2/property/session/event', { session_id, name: word })
  const at = `/manage/properties/${property.id}`
  const conversion = { name: word, event_type: 'event', event_value: word }
  return {
    automation,
    delivery: await calls.newest(`${at}/automations/${automation}/deliveries`),
    conversion: idIn(await calls.post(`${at}/conversions`, conversion)),
  }
}

async function fillAccess(footfall: Footfall, { id }: TestProperty, word: string, { post }: Calls): Promise<Ids> {
  const at = `/manage/properties/${id}`
  const member = await addPerson(footfall, { email: `${word}-member@example.com`, roles: { [id]: 'viewer' } })
  const invited = { email: `${word}-invited@example.com`, role: 'viewer' }
  const day = new Date(footfall.clock.now()).toISOString().slice(0, 10)
  await post(`${at}/costs`, { rows: [{ day, source: word, campaign: word, amount: 100, currency: 'EUR' }] })
  return {
    user: member.id,
    invitation: idIn(await post(`${at}/members`, invited)),
    share: idIn(await post(`${at}/shares`, { name: word })),
    token: idIn(await post(`${at}/tokens`, { name: word, scopes: ['signals:read'] })),
    annotation: idIn(await post(`${at}/annotations`, { ts: Math.floor(footfall.clock.now() / 1000), text: word })),
    segment: idIn(await post(`${at}/segments`, { name: word, clauses: [{ id: 'city', op: 'equals', value: word }] })),
    export: idIn(await post(`${at}/exports`, { kind: 'links' })),
  }
}

/** WEBHOOK_ALLOW has to name loopback (ALLOW_LOOPBACK). */
export async function fillProperty(footfall: Footfall, word: string): Promise<FullProperty> {
  const property = await footfall.addProperty({ name: word })
  const calls = callsFor(footfall, property)
  const visited = await fillVisit(footfall, property, word, calls)
  const ids = {
    property: property.id,
    ...visited,
    ...(await fillLinks(footfall, word, calls)),
    ...(await fillForms(footfall, property, word, calls)),
    ...(await fillContent(footfall, property, word, calls)),
    ...(await fillAutomation(footfall, property, word, visited.session, calls)),
    ...(await fillAccess(footfall, property, word, calls)),
  }
  return { ...property, word, ids }
}

const TABLES = [
  'properties',
  'tokens',
  'contacts',
  'contact_sessions',
  'contact_consents',
  'contact_labels',
  'contact_notes',
  'list_rules',
  'contact_searches',
  'contact_aliases',
  'contact_merges',
  'contact_merge_moves',
  'link_groups',
  'links',
  'forms',
  'form_edits',
  'form_mails',
  'subscriptions',
  'form_sessions',
  'submissions',
  'submission_keys',
  'conversions',
  'automations',
  'deliveries',
  'delivery_attempts',
  'content_blocks',
  'content_versions',
  'content_phases',
  'content_edits',
  'annotations',
  'costs',
  'segments',
  'members',
  'invitations',
  'shares',
] as const

const FACTS = ['views', 'events', 'sessions', 'clicks', 'form_events', 'impressions', 'vitals', 'lib_errors'] as const

/** Every row of both stores that names the property or anything in it. */
export async function rowsOf({ context }: Footfall, { id, ids, word }: FullProperty): Promise<Record<string, unknown>> {
  const known = [id, word, ...Object.values(ids)]
  const records = TABLES.map(async (table) => {
    const rows = (await context.records.selectFrom(table).selectAll().execute()).map((row) => JSON.stringify(row))
    return [table, rows.filter((row) => known.some((text) => row.includes(text))).toSorted()] as const
  })
  const facts = FACTS.map(async (table) => {
    const sql = `SELECT * FROM ${table} FINAL WHERE property = {id:String}`
    const rows = await context.facts.query('test.rows', sql, { id })
    return [`facts.${table}`, rows.map((row) => JSON.stringify(row)).toSorted()] as const
  })
  return Object.fromEntries(await Promise.all([...records, ...facts]))
}
