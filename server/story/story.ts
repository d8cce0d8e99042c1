// The story of one session: the link that led to it, its pages, what was done on them, who it was and what
// was told of it. Made of the facts of each capability, in the order of time; texts are as they were
// collected.
import { readDocuments, type AnalyticsDeps } from '../analytics/analytics.ts'
import { readStoryEvents, readStoryViews, type StoryEvent, type StoryView } from './facts.ts'
import { listSessionDeliveries, type SessionDelivery } from '../deliveries/deliveries.ts'
import { shownContact, findContact } from '../contacts/contacts.ts'
import { findBlockNames, findVersionLabels } from '../content/content.ts'
import { readSessionImpressions } from '../content-flow/content-flow.ts'
import { readSessionSteps, type SessionStep } from '../form-flow/form-flow.ts'
import type { Deps } from '../kernel/deps.ts'
import type { SessionRef } from '../kernel/ids.ts'
import { Problem } from '../kernel/problem.ts'
import { findLinks } from '../links/links.ts'
import { readSessionClicks } from '../clicks/clicks.ts'
import { sessionKey, getSession } from '../sessions/sessions.ts'
import { findMarkable, isInvalid } from '../marks/marks.ts'
import { type StepJson, stepKinds, type StoryJson } from './schema.ts'

export type StoryDeps = Omit<AnalyticsDeps, 'config'> & Deps

type Timed = Omit<StepJson, 'ts'> & { readonly atMs: number }

interface Scope {
  readonly propertyId: string
  readonly session: SessionRef
}

const distinct = (ids: readonly string[]): string[] => [...new Set(ids)]
/** Left out when there is nothing to say. */
const detailOf = (text: string | null) => (text === null || text === '' ? {} : { detail: text })

async function linkSteps({ facts, records }: StoryDeps, { propertyId, session }: Scope): Promise<Timed[]> {
  const clicks = await readSessionClicks(facts, propertyId, sessionKey(session))
  const names = await findLinks(records, propertyId, distinct(clicks.map(({ link }) => link)))
  return clicks.map(({ atMs, link, destination }) => {
    const known = names.get(link)
    return { atMs, kind: 'link', title: known?.name ?? known?.code ?? '', ...detailOf(destination), id: link }
  })
}

const propertiesOf = (props: string) =>
  props === ''
    ? {}
    : {
        properties: Object.entries(JSON.parse(props) as Record<string, string>).map(([key, value]) => ({ key, value })),
      }

const pageStep = ({ atMs, url, path, title, seconds, scroll, props }: StoryView): Timed => ({
  atMs,
  kind: 'page',
  title: title === '' ? path : title,
  detail: url,
  seconds,
  ...(scroll !== null && { scroll }),
  ...propertiesOf(props),
})

const eventProperties = (pairs: StoryEvent['properties']) =>
  pairs.length === 0 ? {} : { properties: pairs.map(([key, value]) => ({ key, value })) }

function eventStep(event: StoryEvent, contactName: string | null, contactId: string | undefined): Timed {
  const { atMs, kind, name, value, amount, currency, orderId, tags, properties } = event
  if (kind === 'identify')
    return { atMs, kind: 'contact', title: contactName ?? '', ...(contactId !== undefined && { id: contactId }) }
  if (kind === 'event') return { atMs, kind: 'event', title: name, ...detailOf(value), ...eventProperties(properties) }
  const money = amount === null ? {} : { amount_cents: amount, currency }
  return { atMs, kind: 'money', title: orderId, ...detailOf(tags.join(', ')), ...money }
}

const formStep = ({ atMs, name, kind, form, submission }: SessionStep): Timed => ({
  atMs,
  kind: 'form',
  title: name,
  status: kind,
  detail: form,
  ...(submission !== '' && { id: submission }),
})

async function contentSteps({ facts, records }: StoryDeps, { propertyId, session }: Scope): Promise<Timed[]> {
  const seen = await readSessionImpressions(facts, propertyId, sessionKey(session))
  const [names, labels] = await Promise.all([
    findBlockNames(records, propertyId, distinct(seen.map(({ block }) => block))),
    findVersionLabels(records, propertyId, distinct(seen.map(({ version }) => version))),
  ])
  return seen.map(({ atMs, block, version, kind, dwellMs, ctaKey }) => ({
    atMs,
    kind: 'content',
    title: names.get(block)?.name ?? '',
    ...detailOf([labels.get(version) ?? '', ctaKey].filter((text) => text !== '').join(' · ')),
    id: block,
    status: kind,
    ...(dwellMs > 0 && { seconds: Math.round(dwellMs / 1000) }),
  }))
}

const webhookStep = ({ atMs, id, automationId, name, url, state }: SessionDelivery): Timed => ({
  atMs,
  kind: 'webhook',
  title: name,
  detail: url,
  id,
  automation_id: automationId,
  status: state,
})

/** Null for one who has neither name nor address, and for one who was deleted. */
async function contactNameOf(
  { records }: StoryDeps,
  propertyId: string,
  contactId: string | undefined,
): Promise<string | null> {
  const contact = contactId !== undefined ? await findContact(records, propertyId, contactId) : undefined
  if (!contact || contact.state === 'deleted') return null
  const { full_name, email, external_id } = shownContact(contact)
  return full_name ?? email ?? external_id
}

const notFound = () => new Problem('not_found', 'The session is not in this property.')

const inOrder = (a: Timed, b: Timed): number => a.atMs - b.atMs || stepKinds.indexOf(a.kind) - stepKinds.indexOf(b.kind)

/** @param id of the session. @throws Problem('not_found'), also for a session of a bot. */
export async function readStory(deps: StoryDeps, propertyId: string, id: string): Promise<StoryJson> {
  const session = getSession(deps.keys, propertyId, id)
  const key = sessionKey(session)
  const markable = await findMarkable(deps.facts, propertyId, key)
  if (!markable) throw notFound()
  const scope = { propertyId, session }
  const [[document], links, views, events, forms, content, webhooks] = await Promise.all([
    readDocuments(deps, propertyId, [key]),
    linkSteps(deps, scope),
    readStoryViews(deps.facts, propertyId, key),
    readStoryEvents(deps.facts, propertyId, key),
    readSessionSteps(deps.facts, propertyId, key),
    contentSteps(deps, scope),
    listSessionDeliveries(deps.records, propertyId, session),
  ])
  if (!document) throw notFound()
  const contactName = await contactNameOf(deps, propertyId, document.contact_id)
  const steps: Timed[] = [
    ...links,
    ...views.map(pageStep),
    // Whose session it is by now: the event names who it was before a merge.
    ...events.map((event) => eventStep(event, contactName, document.contact_id)),
    ...forms.map(formStep),
    ...content,
    ...webhooks.map(webhookStep),
  ]
  return {
    session: { ...document, contact_name: contactName, is_invalid: isInvalid(markable) },
    story: steps.toSorted(inOrder).map(({ atMs, ...step }): StepJson => ({ ts: Math.floor(atMs / 1000), ...step })),
  }
}
