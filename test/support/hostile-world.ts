// A property in which strangers have written hostile texts wherever something is collected, and its people
// wherever something has a name.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { traitFields } from '../../server/contacts/contact-model.ts'
import { automationCalls } from './automation-calls.ts'
import { renderIds, track as trackContent } from './content-calls.ts'
import type { Dashboard } from './dashboard.ts'
import { flowOf, PAGE } from './form-flow.ts'
import { hostileNames, hostileTexts, marker } from './hostile-texts.ts'
import { CHROME, type Footfall, type Reply } from './server.ts'
import { addGroup, addLink, visit } from './visits.ts'

/** Each with the marker as its name, or in it. */
export interface HostileWorld {
  readonly session: string
  readonly contact: string
  readonly group: string
  readonly link: string
  readonly form: string
  readonly submission: string
  readonly automation: string
  readonly delivery: string
  readonly conversion: string
  readonly block: string
  readonly user: string
  readonly shareUrl: string
}

/** Of the property: it stands on every page, so it is not the marker. */
export const propertyName = '<svg class=evil onload=hit()>'

/** A header carries bytes. */
const asHeader = (text: string): string =>
  [...Buffer.from(text).toString('latin1')].filter((letter) => letter >= ' ' && letter !== '\u007f').join('')

/** What is refused is refused in the ordinary way. */
function fine(reply: Reply): Reply {
  assert.ok(reply.status < 500, `${reply.status} ${reply.text.slice(0, 300)}`)
  return reply
}

// oxlint-disable-next-line typescript/no-explicit-any -- tests look into answers of every shape
function made(reply: Reply): any {
  assert.equal(reply.status, 200, reply.text)
  return reply.json.data
}

interface Visitor {
  readonly address: string
  readonly agent: string
}

/** Of a person: many hostile agents are taken for programs, and those have a place of their own. */
const visitorOf = (n: number): Visitor => ({ address: `203.0.113.${n + 1}`, agent: CHROME })

/** All of them together call more often than one address may in a minute. */
const fromOwn = (n: number) => ({ 'x-forwarded-for': visitorOf(n).address })

function pageOf(written: string): string {
  const text = written.slice(0, 1000).toWellFormed()
  const word = encodeURIComponent(text)
  const utm = ['source', 'medium', 'campaign', 'term', 'content'].map((name) => `utm_${name}=${word.slice(0, 600)}`)
  return `https://example.com/${text}?q=${word.slice(0, 600)}&${utm.join('&')}#${text.slice(0, 100).toWellFormed()}`
}

/** One visit that says the text in everything that it says. @returns its session. */
async function visitWith(footfall: Footfall, text: string, n: number): Promise<string> {
  const { track } = footfall
  const visitor = visitorOf(n)
  const safe = text.toWellFormed()
  const referrer =
    n % 2 === 0 ? safe.slice(0, 1000).toWellFormed() : `https://a${n}.evil.test/${safe.slice(0, 1000).toWellFormed()}`
  const load = await track.load({ ...visitor, page: pageOf(safe), title: safe, referrer, library: '1.1.0' })
  if (fine(load).json.success !== true) return ''
  const { session_id: session, view_id: view } = load.json
  fine(await track.load({ ...visitor, page: 'https://example.com/said', props: { [safe]: safe, author: safe } }))
  fine(await track.ping(view, { ...visitor, tos: 12, max: 60 }))
  fine(await track.event(session, text, { ...visitor, value: text, meta: { [text]: text } }))
  fine(await track.event(session, 'signup', { ...visitor, value: text }))
  const tags = [`${text.slice(0, 50)}:key:${text.slice(0, 50)}`]
  fine(await track.acquisition(session, { value: 100 + n, currency_code: 'EUR', tags }, visitor))
  return session
}

async function writeWith(footfall: Footfall, text: string, n: number, session: string): Promise<void> {
  const traits = {
    ...Object.fromEntries([...traitFields, 'lifecycle_stage'].map((name) => [name, text])),
    meta: [{ key: text, value: text }],
  }
  const body = { session_id: session, email: `person${n}@x.example`, external_id: text, traits }
  const identified = fine(await footfall.call('POST', '/v2/property/contacts/identify', { body }))
  if (identified.status !== 200) {
    const name = { first_name: text.slice(0, 100), last_name: text.slice(0, 100) }
    fine(
      await footfall.call('POST', '/v2/property/contacts/identify', {
        body: { ...body, traits: name, external_id: undefined },
      }),
    )
  }
  const listed = await footfall.call('GET', '/v2/property/contacts')
  await noteAbout(footfall, listed.json.data.data[0].id, text, n)
  const report = { property_id: footfall.property.key, error: `TypeError: ${text}`, lib: 'signals', page: pageOf(text) }
  fine(await footfall.call('POST', '/v2/lib/error', { body: report, headers: { 'user-agent': CHROME } }))
  for (const agent of [`${CHROME} ${asHeader(text).slice(0, 200)}`, `Googlebot/${asHeader(text).slice(0, 200)}`])
    fine(await footfall.track.load({ agent, address: '203.0.113.250', page: pageOf(text) }))
}

/** Names of one line may be refused, and whatever is taken is shown as it was written. */
async function noteAbout(footfall: Footfall, contact: string, text: string, n: number): Promise<void> {
  const at = `/manage/properties/${footfall.property.id}`
  const name = [...text].slice(0, 60).join('')
  const bodies = {
    [`contacts/${contact}/labels`]: { lists: [name], tags: [name] },
    [`contacts/${contact}/notes`]: { text },
    'contact-lists': { name, is_confirmed: true },
    'contact-searches': { name, query: { search: name }, is_shared: true },
  }
  for (const [path, body] of Object.entries(bodies)) {
    const { status, text: answer } = await footfall.call('POST', `${at}/${path}`, { body, headers: fromOwn(n) })
    assert.ok(status < 500, `${path}: ${answer}`)
  }
}

async function answerWith(
  footfall: Footfall,
  form: { id: string; key: string },
  text: string,
  n: number,
): Promise<void> {
  const flow = flowOf(footfall)
  const from = { ...visitorOf(n), headers: { referer: `${PAGE}/` } }
  const plain = { name: text, email: `person${n}@x.example` }
  const hostile = { ...plain, [text]: text }
  const fields = Object.fromEntries(Object.keys(hostile).map((name) => [name, 'text']))
  const { json } = fine(await flow.init(form, { fields, validation: {}, source: text.slice(0, 255) }, from))
  // A name that no field may have is refused; the answer is as hostile all the same.
  const isTaken = json.error_type === false
  const { token, hp } = isTaken ? json : await flow.open(form, undefined, from)
  const sent = fine(await flow.send({ token, hp }, isTaken ? hostile : plain, from))
  if (text === marker) assert.equal(sent.json.validated, true, sent.text)
}

/** What people of the installation may call things. */
async function nameThings(footfall: Footfall, text: string, n: number): Promise<void> {
  const at = `/manage/properties/${footfall.property.id}`
  const post = (path: string, body: object) => footfall.call('POST', path, { body, headers: fromOwn(n) }).then(fine)
  await footfall.addProperty({ name: text.toWellFormed() })
  await post(`${at}/annotations`, { ts: Math.floor(footfall.clock.now() / 1000) - n * 60, text })
  const day = new Date(footfall.clock.now()).toISOString().slice(0, 10)
  const cost = { day, source: `ad ${n}`, medium: text.slice(0, 200), campaign: text.slice(0, 200), amount: 100 }
  await post(`${at}/costs`, { rows: [cost] })
  await post(`${at}/tokens`, { name: text, scopes: ['signals:read'] })
  await post(`${at}/conversions`, { name: text, event_type: 'event', event_value: text })
  await post(`${at}/content`, { name: text })
  await post(`${at}/forms`, {
    name: text,
    kind: 'managed',
    fields: [{ name: 'a', label: text, type: 'text', help: text }],
  })
  await post('/v2/property/link-groups', { name: text, description: text })
}

async function nameMarked({ footfall, owner }: Dashboard) {
  const { property } = footfall
  const at = `/manage/properties/${property.id}`
  const post = async (path: string, body: object) => made(await footfall.call('POST', path, { body }))
  await post(at, { name: propertyName, client: marker })
  const { share, url } = await post(`${at}/shares`, { name: marker })
  assert.equal(share.name, marker)
  const { user } = await post('/manage/users', { email: 'evil@example.com', name: marker })
  await owner.call('POST', '/manage/account', { body: { name: marker } })
  const { id: automation } = await automationCalls(footfall).add('event', marker, { name: marker })
  const { conversion } = await post(`${at}/conversions`, { name: marker, event_type: 'event', event_value: marker })
  const { content } = await post(`${at}/content`, { name: marker })
  const ctas = [{ key: 'go', label: marker, url: 'https://example.com/' }]
  await post(`${at}/content/${content.id}/versions`, { label: marker, html: `<p>${marker}</p>`, ctas })
  const group = await addGroup(footfall, { name: marker, description: marker })
  const utm = { utm_source: marker, utm_campaign: marker }
  const link = await addLink(footfall, {
    group_id: group,
    name: marker,
    destination_url: 'https://example.com/start',
    utm,
  })
  return {
    shareUrl: String(url),
    user: user.id as string,
    automation,
    conversion: conversion.id as string,
    content,
    group,
    link,
  }
}

/**
 * In everything that is collected each of the texts, and in everything that has a name; the marker last, so
 * that it stands first in lists.
 */
export async function openHostileWorld(dashboard: Dashboard): Promise<HostileWorld> {
  const { footfall } = dashboard
  const { property } = footfall
  const { content, link, ...named } = await nameMarked(dashboard)
  const flow = flowOf(footfall)
  const form = await flow.create(property.id, { name: marker })
  const otherNames = hostileNames.filter((text) => text !== marker)
  await Promise.all(otherNames.map((text, n) => nameThings(footfall, text, n)))
  await nameThings(footfall, marker, otherNames.length)

  const others = hostileTexts.filter((text) => text !== marker)
  await Promise.all(
    others.map(async (text, n) => {
      const session = await visitWith(footfall, text, n)
      await writeWith(footfall, text, n, session)
      await answerWith(footfall, form, text, n)
    }),
  )
  const n = others.length
  const visitor = visitorOf(n)
  await visit(footfall.url, `/a/${link.code}`, {
    ...visitor,
    headers: { referer: `https://evil.test/${randomBytes(2).toString('hex')}` },
  })
  const session = await visitWith(footfall, marker, n)
  const ids = await renderIds(footfall, content.key, { ...visitor, referer: 'https://example.com/' })
  fine(await trackContent(footfall, { ...ids, action: 'view', dwell_ms: 2000, element_key: marker }, visitor))
  fine(await trackContent(footfall, { ...ids, action: 'click', cta_key: 'go', event_name: marker }, visitor))
  await writeWith(footfall, marker, n, session)
  await answerWith(footfall, form, marker, n)

  const at = `/manage/properties/${property.id}`
  const found = async (path: string) => made(await footfall.call('GET', path)).data[0]?.id as string
  return {
    ...named,
    session,
    form: form.id,
    link: link.id,
    block: content.id,
    contact: await found('/v2/property/contacts'),
    submission: await found(`${at}/forms/${form.id}/submissions?show=all`),
    delivery: await found(`${at}/automations/${named.automation}/deliveries`),
  }
}
