// `footfall property create|list`: on the records alone, so it works while the server runs and before its first start.
import { readDefaultPeriod, readPropertyDraft } from '../server/properties/drafts.ts'
import { createProperty, listProperties, type Property, shownProperty } from '../server/properties/properties.ts'
import { answer, columns, needed, readOptions, UsageError, write } from './command.ts'
import { everyRow } from './pages.ts'
import { withRecords } from './with-records.ts'

const usage = `footfall property create --name NAME [--domain HOST]... [--period PERIOD] [--plan free|paid] [--json]
footfall property list [--json]

A property is one tracked site. Its key goes into the tracker (X-SVC-ID); a token (footfall token create) reads its figures.`

const options = {
  name: { type: 'string' },
  domain: { type: 'string', multiple: true, default: [] as string[] },
  period: { type: 'string' },
  plan: { type: 'string', default: 'paid' },
} as const

type Values = ReturnType<typeof readOptions<typeof options>>['values']

function readPlan(text: string): Property['plan'] {
  if (text === 'free' || text === 'paid') return text
  throw new UsageError('--plan must be free or paid')
}

async function create(values: Values): Promise<void> {
  const draft = readPropertyDraft({
    name: needed(values.name, '--name'),
    domains: values.domain,
    default_period: values.period === undefined ? null : readDefaultPeriod(values.period),
    plan: readPlan(values.plan),
  })
  const property = await withRecords((deps) => createProperty(deps, draft))
  answer(values.json, { property: shownProperty(property) }, [
    `Created the property ${property.name}.`,
    '',
    ...columns([
      ['  id', property.id],
      ['  key', `${property.key}  (public: the tracker sends it as X-SVC-ID)`],
      ['  domains', property.domains.join(', ') || 'none'],
    ]),
  ])
}

async function list(values: Values): Promise<void> {
  const rows = await withRecords((deps) => everyRow((ask) => listProperties(deps, ask)))
  const cells = rows.map((property) => [property.id, property.key, property.name, property.domains.join(', ')])
  const lines =
    rows.length === 0
      ? ['There is no property yet: footfall property create.']
      : columns([['ID', 'KEY', 'NAME', 'DOMAINS'], ...cells])
  answer(values.json, { properties: rows.map(shownProperty), total: rows.length }, lines)
}

const actions: Readonly<Record<string, (values: Values) => Promise<void>>> = { create, list }

export async function property(args: string[]): Promise<number> {
  const { values, positionals } = readOptions(args, options)
  const [name = '', ...rest] = positionals
  const action = Object.hasOwn(actions, name) && rest.length === 0 ? actions[name] : undefined
  if (values.help) write(usage)
  else if (action) await action(values)
  else throw new UsageError('property takes one of: create, list')
  return 0
}
