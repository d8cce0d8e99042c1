// What a team chat is told of a run: a title, a few facts, and where to read more. Plain text: the markup of
// each chat is in chat.ts.
import { nameOf } from '../automations/automation-model.ts'
import type { EnvelopeSession, Run } from './envelope.ts'

export interface ChatMessage {
  readonly title: string
  readonly facts: readonly (readonly [label: string, value: string])[]
  /** Into the dashboard. */
  readonly url: string
}

type Fact = readonly [label: string, value: string | null]

/** A message is read at a glance: what is left out stands behind the link. */
const MOST_FACTS = 12
const MAX_LABEL = 80
const MAX_VALUE = 300
const MAX_TITLE = 140

/** At most so many UTF-16 units, as all of them count, and no character cut in half. */
const short = (text: string, most: number): string =>
  text.length <= most
    ? text.toWellFormed()
    : `${text
        .slice(0, most - 1)
        .replace(/[\ud800-\udbff]$/, '')
        .toWellFormed()}…`

/** A label is the name of a field, which a stranger may have chosen. */
const oneLine = (text: string): string => text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ').trim()

const moneyOf = ({
  acquisition_value_cents: cents,
  acquisition_currency_code: currency,
}: EnvelopeSession): string | null => (currency === null ? null : `${(cents / 100).toFixed(2)} ${currency}`)

function ofVisit(session: EnvelopeSession | null): Fact[] {
  if (!session) return []
  return [
    ['Entry page', session.entry_path],
    ['Channel', session.channel_name],
    ['Country', session.country],
    ['Value', moneyOf(session)],
  ]
}

function ofEvent({ event, conversion }: Run): Fact[] {
  return [
    ['Event', event?.name ?? null],
    ['Value', event?.type === 'acquisition' ? null : (event?.value ?? null)],
    ['Page', event?.page_path ?? null],
    ...(event?.meta ?? []).map(({ key, value }): Fact => [key, value]),
    ['Conversion', conversion?.name ?? null],
  ]
}

function ofSubmission({ submission }: Run): Fact[] {
  if (!submission) return []
  return [...Object.entries(submission.fields), ['Looks like spam', submission.is_flagged ? 'perhaps' : null]]
}

function pathOf({ propertyId, submission, event, session }: Run): string {
  const property = `/properties/${propertyId}`
  if (submission) return `${property}/forms/${submission.form.id}?submission=${submission.id}`
  if (event?.type === 'contact' && session?.contact_id) return `${property}/contacts/${session.contact_id}`
  return session ? `${property}/sessions/${session.id}` : property
}

/** @param dashboard the URL of the dashboard. */
export function messageOf(run: Run, dashboard: string): ChatMessage {
  const { automation, submission, isTest } = run
  const title = submission ? `New submission: ${submission.form.name}` : nameOf(automation)
  const facts = [...ofSubmission(run), ...(submission ? [] : ofEvent(run)), ...ofVisit(run.session)]
  return {
    title: short(isTest ? `Test: ${title}` : title, MAX_TITLE),
    facts: facts
      .flatMap(([label, value]) => (value === null || value === '' ? [] : [[label, value] as const]))
      .slice(0, MOST_FACTS)
      .map(([label, value]) => [short(oneLine(label), MAX_LABEL), short(value, MAX_VALUE)] as const),
    url: dashboard + pathOf(run),
  }
}
