// Session documents and their pages, by docs/api/analytics.md and docs/definitions.md.
import { type Clause, holds } from './clauses.ts'
import { about, absent, isRecord, type Check } from './compare.ts'
import { dimensionTable } from './dimensions.ts'
import { type Described, urlOf } from './fold.ts'
import { within } from './figures.ts'
import { windowOf, type Asked } from './windows.ts'

const seconds = (at: number) => Math.floor(at / 1000)

/** The same things, in any order. */
function sameBag(expected: readonly unknown[], read: (item: Readonly<Record<string, unknown>>) => unknown): Check {
  const wanted = JSON.stringify(expected.map((each) => JSON.stringify(each)).sort())
  return (got) => {
    const items = Array.isArray(got) ? got.filter(isRecord) : []
    return JSON.stringify(items.map((item) => JSON.stringify(read(item))).sort()) === wanted ? undefined : wanted
  }
}

function pageTags(described: Described): Check {
  const counts = new Map<string, [url: string, path: string, count: number]>()
  for (const view of described.session.views) {
    const url = urlOf(view.load.url)
    const key = `${url} ${view.path}`
    counts.set(key, [url, view.path, (counts.get(key)?.[2] ?? 0) + 1])
  }
  return sameBag([...counts.values()], (item) => [item['url'], item['path'], item['count']])
}

const eventTags = (described: Described) =>
  sameBag(
    described.session.events.map((event) => [event.name, event.value ?? '', event.number]),
    (item) => [item['name'], item['value'] ?? '', item['value_float'] ?? null],
  )

/** As many as are shown of one session. */
const LISTED = 100

const formTags = ({ forms }: Described): Check =>
  forms.length === 0
    ? absent
    : sameBag(
        forms.slice(0, LISTED).map(({ id, name, at }) => [id, name, seconds(at)]),
        (item) => [item['form_id'], item['name'], item['submitted_ts']],
      )

function tags(described: Described): Check {
  const split = [...described.session.tags].map((tag) => {
    const colon = tag.indexOf(':')
    return colon < 0 ? [tag, ''] : [tag.slice(0, colon), tag.slice(colon + 1)]
  })
  return sameBag(split, (item) => [item['key'], item['value']])
}

const money = (described: Described) =>
  described.amount === null
    ? { signal_value_amount: absent, signal_value_amount_usd: absent, signal_value_currency: absent }
    : {
        signal_value_amount: described.amount,
        signal_value_amount_usd: described.amountUsd,
        signal_value_currency: described.session.currency,
      }

/** A text that is not there may be left out of a document. */
const text = (value: string | undefined): Check | string => (value ? value : (got) => (got ? 'no text' : undefined))

export function documentOf(described: Described): Record<string, unknown> {
  const { session, texts } = described
  const first = session.views[0]
  return {
    type: 'user',
    entry_ts: seconds(described.entryAt),
    last_ts: seconds(session.lastAt),
    entry_date: new Date(described.entryAt).toISOString().slice(0, 19).replace('T', ' '),
    time_on_site: described.seconds,
    views: described.views,
    bounced: described.bounced,
    avg_max_scroll: about(described.scroll ?? 0, 0.01),
    re_entry_count: described.reEntries,
    ...Object.fromEntries(Object.entries(dimensionTable).map(([id, { field }]) => [field, text(texts[id])])),
    entry_url: first && urlOf(first.load.url),
    entry_title: text(first?.load.title),
    utm_source: text(texts['utm_source']),
    utm_medium: text(texts['utm_medium']),
    utm_campaign: text(texts['utm_campaign']),
    channel_method: texts['channel_method'],
    channel: { category: texts['channel'] },
    request_country: text(texts['country_code']),
    page_tags: pageTags(described),
    event_tags: eventTags(described),
    tags: tags(described),
    form_tags: formTags(described),
    contact_id: texts['contact_id'] || absent,
    signal_cost_amount: absent,
    ...money(described),
  }
}

export interface PageQuestion {
  readonly limit: number
  readonly page: number
}

/**
 * Sessions that entered in the same second may stand in either order, so a document is looked up by the id
 * its load was given.
 */
export function sessionsAnswer(
  all: readonly Described[],
  asked: Asked,
  clauses: readonly Clause[],
  question: PageQuestion,
  now: number,
  idOf: (described: Described) => string | undefined,
): unknown[] {
  const sessions = within(all, windowOf(asked, now))
    .filter((session) => holds(session, clauses))
    .sort((a, b) => seconds(b.entryAt) - seconds(a.entryAt))
  const { limit, page } = question
  const begin = (page - 1) * limit
  const shown = sessions.slice(begin, begin + limit)
  const byId = new Map(sessions.map((session) => [idOf(session), session]))
  const document: Check = (got) => {
    const session = isRecord(got) && typeof got['id'] === 'string' ? byId.get(got['id']) : undefined
    return session ? undefined : 'a session of this window'
  }
  const paginator = {
    current_page: page,
    per_page: limit,
    total: sessions.length,
    last_page: Math.max(1, Math.ceil(sessions.length / limit)),
    from: shown.length ? begin + 1 : null,
    to: shown.length ? begin + shown.length : null,
  }
  return [
    paginator,
    { data: shown.map(() => document) },
    { data: shown.map((session) => ({ entry_ts: seconds(session.entryAt) })) },
  ]
}
