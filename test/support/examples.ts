// Bodies that an operation may well take, made from its schema: what a test then spoils is one thing at a
// time.
import type { Chance } from './chance.ts'
import type { Schema } from './operations.ts'

export interface Making {
  readonly chance: Chance
  /** What stands for each kind; see kindOf of operations.ts. */
  readonly idOf: (kind: string) => string
}

const clauseIds = ['country', 'browser', 'page_path', 'event_name', 'event_value', 'tag', 'utm_source', 'link', 'form']

/** Fields whose schema does not say all that is asked of them. */
const known: Readonly<Record<string, (making: Making) => unknown>> = {
  email: ({ chance }) => `person${chance.below(1000)}@example.com`,
  url: () => 'https://127.0.0.1:9/hook',
  destination_url: ({ chance }) => `https://example.com/${chance.below(1000)}`,
  referrer: () => 'https://news.example/',
  website: () => 'https://example.com/',
  source: () => 'https://example.com/',
  domains: () => ['example.com'],
  period: ({ chance }) => chance.of(['today', 'last_7', 'last_28', 'month_to_date']),
  date_from: () => null,
  date_to: () => null,
  interval: ({ chance }) => chance.of(['hour', 'day', 'week']),
  metric: ({ chance }) => chance.of(['sessions', 'views', 'bounce_rate', 'value']),
  currency_code: ({ chance }) => chance.of(['EUR', 'USD']),
  tags: () => ['shop:order:17'],
  clauses: ({ chance }) =>
    chance.is(0.5)
      ? []
      : [{ id: chance.of(clauseIds), op: chance.of(['equals', 'not_equals', 'contains']), value: ['a', 'b'] }],
  session_id: ({ idOf }) => idOf('session'),
  svc_session_id: ({ idOf }) => idOf('session'),
  site_id: ({ idOf }) => idOf('key'),
  property_id: ({ idOf }) => idOf('key'),
  group_id: ({ idOf }) => idOf('group'),
  group: ({ idOf }) => idOf('group'),
  form: ({ idOf }) => idOf('form'),
  conversion_id: ({ idOf }) => idOf('conversion'),
  content_id: ({ idOf }) => idOf('block'),
  version_id: ({ idOf }) => idOf('version'),
  request_id: ({ idOf }) => idOf('request'),
  password: () => 'a quiet stone by the river',
  current_password: () => 'a quiet stone by the river',
  token: () => 'a-token-of-nobody-at-all',
  code: () => '123456',
  ts: () => 1_790_000_000,
  map: () => ({ name: 'text', email: 'text' }),
  data: ({ chance }) => ({ name: 'Ada', email: `ada${chance.below(1000)}@example.com` }),
  validation: () => ({ name: { required: null } }),
  _sig: () => ({ dur: 21_000, gt: 'focus', k: 46, f: 3, m: 1, s: 1, t: 2, w: 0, p: 5, l: 2 }),
  html: () => '<p>Hello <a href="https://example.com/">there</a></p>',
  success_html: () => '<p>Thanks</p>',
  successContent: () => '<p>Thanks</p>',
  csv: ({ chance }) => `email,first_name\nada${chance.below(1000)}@example.com,Ada\n`,
  event: ({ chance }) => chance.of(['ping', 'signup', 'buy']),
  weights: ({ idOf }) => ({ [idOf('version')]: 2 }),
}

const OPTIONAL = 0.6

function ofType(type: string, schema: Schema, making: Making): unknown {
  const { chance } = making
  if (type === 'object') return objectOf(schema, making)
  if (type === 'array')
    return Array.from({ length: 1 + chance.below(2) }, () => exampleOf(schema.items ?? {}, '', making))
  if (type === 'boolean') return chance.is(0.5)
  if (type === 'null') return null
  if (type === 'integer' || type === 'number') {
    const least = schema.minimum ?? 0
    return least + chance.below(Math.max(1, Math.min(schema.maximum ?? 100, 1000) - least + 1))
  }
  return `word ${chance.below(100)}`.slice(0, schema.maxLength)
}

function objectOf({ properties = {}, required = [] }: Schema, making: Making): Record<string, unknown> {
  const said = Object.entries(properties).filter(([name]) => required.includes(name) || making.chance.is(OPTIONAL))
  return Object.fromEntries(said.map(([name, schema]) => [name, exampleOf(schema, name, making)]))
}

/** @param name of the field it stands in; empty for a whole body. */
export function exampleOf(schema: Schema, name: string, making: Making): unknown {
  const { chance } = making
  if (schema.enum) return chance.of(schema.enum)
  if (Object.hasOwn(known, name)) return known[name]!(making)
  if (schema.anyOf) return exampleOf(chance.of(schema.anyOf), name, making)
  if (name === 'fields' && schema.type === undefined) return { name: 'text', email: 'email' }
  const types = [schema.type ?? 'string'].flat()
  const likely = types.filter((type) => type !== 'null')
  return ofType(chance.of(chance.is(0.1) ? types : likely), schema, making)
}
