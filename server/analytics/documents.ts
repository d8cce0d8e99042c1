// A session as the list shows it (docs/api/analytics.md). A key whose value is not known is left out.
import { channelLabel } from '../enrich/enrich.ts'
import type { SessionMoney } from '../sessions/sessions.ts'
import { type KnownField, knownFields, type SessionJson } from './session-schema.ts'
import type { EventRow, FormRow, PageRow, SessionRow } from './session-facts.ts'

export interface SessionParts {
  readonly id: string
  readonly row: SessionRow
  readonly pages: readonly PageRow[]
  readonly events: readonly EventRow[]
  readonly forms: readonly FormRow[]
  readonly money: SessionMoney | undefined
}

const seconds = (ms: string) => Math.floor(Number(ms) / 1000)

export function sessionDocument({ id, row, pages, events, forms, money }: SessionParts): SessionJson {
  return {
    id,
    type: 'user',
    entry_ts: seconds(row.entry_ms),
    last_ts: seconds(row.last_ms),
    entry_date: new Date(Number(row.entry_ms)).toISOString().slice(0, 19).replace('T', ' '),
    time_on_site: Number(row.time_on_site),
    views: Number(row.views),
    bounced: row.bounced === 1,
    avg_max_scroll: row.scroll,
    re_entry_count: Number(row.re_entries),
    ...knownTexts(row),
    channel: { category: row.channel_category, label: channelLabel(row.channel_category) },
    page_tags: pages.map(({ url, path, count }) => ({ url, path, count: Number(count) })),
    event_tags: events.map(eventTag),
    tags: row.tags.map(splitTag),
    ...formTags(forms),
    ...moneyKeys(money),
  }
}

function knownTexts(row: SessionRow) {
  const texts = {
    ...row,
    channel_name: channelLabel(row.channel_category),
    channel_method: row.link === '' ? row.method : 'link',
  }
  const known = knownFields.flatMap((name) => (texts[name] === '' ? [] : [[name, texts[name]]]))
  return Object.fromEntries(known) as Partial<Record<KnownField, string>>
}

/** Without a value the text is empty; without a numeric one there is no `value_float`. */
function eventTag({ name, value, number }: EventRow) {
  return { name, value: value ?? '', ...(number === null ? {} : { value_float: number }) }
}

/** `key:value` splits at the first colon; without one the value is ''. */
function splitTag(tag: string): { key: string; value: string } {
  const colon = tag.indexOf(':')
  return colon < 0 ? { key: tag, value: '' } : { key: tag.slice(0, colon), value: tag.slice(colon + 1) }
}

function formTags(forms: readonly FormRow[]) {
  const tags = forms.map(({ form_id, name, at_ms }) => ({ form_id, name, submitted_ts: seconds(at_ms) }))
  return tags.length > 0 ? { form_tags: tags } : {}
}

/** Only once a value was recorded. Nothing records a cost today, so there is none to show. */
function moneyKeys(money: SessionMoney | undefined) {
  if (!money?.money) return {}
  const { amount, amount_usd, currency } = money.money
  return { signal_value_amount: amount, signal_value_amount_usd: amount_usd, signal_value_currency: currency }
}
