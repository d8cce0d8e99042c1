// Everything about one person, for whoever asks what is known of them (GDPR, articles 15 and 20): as JSON,
// and as a page that can be read, printed and sent.
import { escapedHtml } from '../html/form-html.ts'
import { type VisitorPage, visitorPage } from '../html/visitor-page.ts'
import { currentTs } from '../kernel/deps.ts'
import { listAliases } from '../contacts/alias-records.ts'
import { shownContact } from '../contacts/contact-model.ts'
import { consentJson, listConsents } from '../contacts/consent-records.ts'
import { getContact } from '../contacts/contacts.ts'
import { listNotes, readContactLabels } from '../contacts/labels.ts'
import { membershipFacts } from '../contact-lists/membership.ts'
import { listMemberships } from '../contact-lists/records.ts'
import { listContactSessions, type SessionListDeps } from '../contacts/session-list.ts'
import { readContactWorth } from '../contacts/worth.ts'
import { currencyExponent } from '../kernel/money.ts'
import type { Property } from '../properties/properties.ts'
import type { Rates } from '../rates/rates.ts'

const SESSIONS_A_PAGE = 100
/** A visit every day for thirteen years. */
const MOST_PAGES = 50

type Deps = SessionListDeps & { readonly rates: Rates }

async function allSessions(deps: Deps, propertyId: string, id: string) {
  const sessions: object[] = []
  let cursor: number | undefined
  for (let page = 0; page < MOST_PAGES; page++) {
    const ask = cursor === undefined ? { perPage: SESSIONS_A_PAGE } : { perPage: SESSIONS_A_PAGE, cursor }
    const found = await listContactSessions(deps, propertyId, id, ask)
    sessions.push(...found.sessions)
    if (found.paging.next_cursor === null) break
    cursor = found.paging.next_cursor
  }
  return sessions
}

/** @param submissions what they sent, as the interface shows it. @throws Problem('not_found') */
export async function readPerson(deps: Deps, property: Property, asked: string, submissions: readonly object[]) {
  const { id: propertyId } = property
  const contact = await getContact(deps, propertyId, asked)
  const { id } = contact
  const labels = await readContactLabels(deps, propertyId, id)
  const notes = await listNotes(deps, propertyId, id)
  const worth = await readContactWorth(deps, property, [id])
  const aliases = await listAliases(deps.records, propertyId, id)
  return {
    exported_ts: currentTs(deps),
    contact: shownContact(contact),
    also_known_as: aliases.map(({ kind, shown }) => ({ [kind]: shown })),
    ...labels,
    ...worth[id],
    memberships: (await listMemberships(deps.records, propertyId, id)).map(membershipFacts),
    consents: (await listConsents(deps.records, propertyId, id)).map(consentJson),
    notes: notes.map(({ text, noted_ms }) => ({ text, noted_ts: Math.floor(noted_ms / 1000) })),
    submissions,
    sessions: await allSessions(deps, propertyId, id),
  }
}

export type Person = Awaited<ReturnType<typeof readPerson>>

const timeOf = (ts: number): string => new Date(ts * 1000).toISOString().replace('T', ' ').replace(/\..*/, ' UTC')

/** A key as words: first_seen_ts is First seen. */
function wordsOf(key: string): string {
  const words = key.replace(/_ts$/, '').replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

function valueHtml(key: string, value: unknown): string {
  if (key.endsWith('_ts') && typeof value === 'number') return escapedHtml(timeOf(value))
  if (Array.isArray(value)) return value.map((one) => valueHtml('', one)).join('<br>')
  if (typeof value === 'object' && value !== null) return rowsHtml(value)
  return escapedHtml(String(value))
}

const isTold = (value: unknown): boolean =>
  value !== null && value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0)

const rowsHtml = (given: object): string =>
  `<ul>${Object.entries(given)
    .filter(([, value]) => isTold(value))
    .map(([key, value]) => `<li><strong>${escapedHtml(wordsOf(key))}:</strong> ${valueHtml(key, value)}</li>`)
    .join('')}</ul>`

/** Every part of it, in the order of the JSON. */
export function personPage(person: Person): VisitorPage {
  const { full_name, email, external_id, id } = person.contact
  const { value_cents: minor = 0, currency = 'USD', ...others } = person
  const decimals = currencyExponent(currency) ?? 2
  const value = `${currency} ${(minor / 10 ** decimals).toFixed(decimals)}`
  const parts = Object.entries({ ...others, value }).map(([key, value]) => {
    const rows = [value]
      .flat()
      .map((one) => (typeof one === 'object' && one !== null ? rowsHtml(one) : `<p>${valueHtml(key, one)}</p>`))
    return `<h2>${escapedHtml(wordsOf(key))}</h2>${isTold(value) ? rows.join('') : '<p>None</p>'}`
  })
  return visitorPage({ language: 'en', title: full_name ?? email ?? external_id ?? id, content: parts.join('') })
}
