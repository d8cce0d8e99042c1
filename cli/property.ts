// `footfall property create|set|list`: uses only the records, so it works while the server runs and before
// its first start.
import { readDeadLinkUrl } from '../server/links/dead-links.ts'
import {
  readBrowserMax,
  readDeadLinks,
  readKeptDays,
  readDefaultPeriod,
  readPropertyChange,
  readPropertyDraft,
  readWeekStart,
} from '../server/properties/drafts.ts'
import {
  contentPolicies,
  createProperty,
  type DeadLinkRules,
  listProperties,
  type Property,
  propertyJson,
  updateProperty,
} from '../server/properties/properties.ts'
import { answer, columns, needed, readOptions, UsageError, write } from './command.ts'
import { propertyFor } from './which-property.ts'
import { type Recorded, withRecords } from './with-records.ts'
import { everyRow } from '../server/kernel/page.ts'

const usage = `footfall property create --name NAME [--domain HOST]... [--period PERIOD] [--timezone ZONE] [--week-start DAY] [--currency CODE]
                         [--plan free|paid] [--content-policy standard|wide] [--listed-only yes|no] [--token-only yes|no]
                         [--browser-max-usd N] [--kept-days N|none] [--dead-links URL|none] [--json]
footfall property set [ID] [--name NAME] [--domain HOST]... [--no-domains] [--period PERIOD|none] [--timezone ZONE] [--week-start DAY] [--currency CODE]
                      [--plan free|paid] [--content-policy standard|wide] [--listed-only yes|no] [--token-only yes|no]
                      [--browser-max-usd N] [--kept-days N|none] [--dead-links URL|none] [--json]
footfall property list [--json]

A property is one website. Its key goes into the tracking code (X-SVC-ID); a token (footfall token create) gives access to its
data. set changes only the options you give: --domain replaces all domains, --period none clears the default period.
--timezone is used for days in reports, like Europe/Berlin; default UTC. --week-start is monday, sunday or saturday.
--currency is an ISO 4217 code, or none for the currency of the first order. ID is
optional when there is only one property. --listed-only accepts page views from its domains only, --token-only requires a token
for revenue and identification, and --browser-max-usd limits the revenue of a request without a token.
--kept-days deletes older facts, a week at a time; none uses RETENTION_DAYS. --dead-links
is where people are sent whose short link leads nowhere; none shows them a page. A running server picks up changes within two seconds.`

const options = {
  name: { type: 'string' },
  domain: { type: 'string', multiple: true, default: [] as string[] },
  period: { type: 'string' },
  timezone: { type: 'string' },
  'week-start': { type: 'string' },
  currency: { type: 'string' },
  'no-domains': { type: 'boolean', default: false },
  plan: { type: 'string' },
  'content-policy': { type: 'string' },
  'listed-only': { type: 'string' },
  'token-only': { type: 'string' },
  'browser-max-usd': { type: 'string' },
  'kept-days': { type: 'string' },
  'dead-links': { type: 'string' },
} as const

type Values = ReturnType<typeof readOptions<typeof options>>['values']
/** @param words after the name of the action. */
type Action = (values: Values, words: readonly string[]) => Promise<void>

function readPlan(text: string): Property['plan'] {
  if (text === 'free' || text === 'paid') return text
  throw new UsageError('--plan must be free or paid')
}

function readPolicy(text: string): Property['content_policy'] {
  const policy = contentPolicies.find((known) => known === text)
  if (!policy) throw new UsageError(`--content-policy must be one of: ${contentPolicies.join(', ')}`)
  return policy
}

function readYesNo(name: string, text: string): boolean {
  if (text === 'yes' || text === 'no') return text === 'yes'
  throw new UsageError(`--${name} must be yes or no`)
}

/** An empty text is no number. */
const numberOf = (text: string): number => (text.trim() === '' ? Number.NaN : Number(text))

/** What browsers may send. */
function readGuards({ 'listed-only': listed, 'token-only': token, 'browser-max-usd': most }: Values) {
  return {
    ...(listed !== undefined && { is_listed_only: readYesNo('listed-only', listed) }),
    ...(token !== undefined && { is_token_only: readYesNo('token-only', token) }),
    ...(most !== undefined && { browser_max_usd: readBrowserMax(numberOf(most)) }),
  }
}

/** The given options, as the management API takes them. */
function readBody(values: Values) {
  const { name, domain, period, timezone, currency, plan, 'no-domains': none } = values
  const { 'content-policy': policy, 'kept-days': kept, 'week-start': firstDay, 'dead-links': dead } = values
  if (none && domain.length > 0) throw new UsageError('--domain and --no-domains: say one of them')
  return {
    ...(name !== undefined && { name }),
    ...((none || domain.length > 0) && { domains: domain }),
    ...(period !== undefined && { default_period: period === 'none' ? null : readDefaultPeriod(period) }),
    ...(timezone !== undefined && { timezone }),
    ...(firstDay !== undefined && { week_start: readWeekStart(firstDay) }),
    ...(currency !== undefined && { currency: currency === 'none' ? null : currency }),
    ...(plan !== undefined && { plan: readPlan(plan) }),
    ...(policy !== undefined && { content_policy: readPolicy(policy) }),
    ...(kept !== undefined && { kept_days: kept === 'none' ? null : readKeptDays(numberOf(kept)) }),
    ...(dead !== undefined && { dead_link_url: dead === 'none' ? null : dead }),
    ...readGuards(values),
  }
}

function answerChanged(values: Values, property: Property, says: string): void {
  answer(values.json, { property: propertyJson(property) }, [
    `${says} the property ${property.name}.`,
    '',
    ...columns([
      ['  id', property.id],
      ['  key', `${property.key}  (public: the tracker sends it as X-SVC-ID)`],
      ['  domains', property.domains.join(', ') || 'none'],
      ['  period', property.default_period ?? 'none'],
      ['  time zone', property.timezone],
      ['  weeks begin on', property.week_start],
      ['  currency', property.currency ?? 'that of the first order, US dollars until then'],
      ['  plan', property.plan],
      ['  content policy', property.content_policy],
      ['  page views of', property.is_listed_only ? 'listed domains only' : 'any host'],
      ['  revenue, names', property.is_token_only ? 'with an access token only' : 'from browsers too'],
      ['  facts kept', property.kept_days === null ? 'as RETENTION_DAYS says' : `${property.kept_days} days`],
      ['  dead links', property.dead_link_url ?? 'a page that says so'],
      ['  browser maximum', `${property.browser_max_usd} US dollars a call`],
    ]),
  ])
}

/** As the server has them: what is a short link depends on its settings. */
const rulesOf = (deps: Recorded): DeadLinkRules => ({
  readDeadLinkUrl: (id, written) => readDeadLinkUrl(deps, id, written),
})

const create: Action = async (values) => {
  const body = readBody(values)
  const draft = readPropertyDraft({ ...body, name: needed(values.name, '--name') })
  const created = await withRecords(async (deps) =>
    createProperty(deps, { ...draft, ...(await readDeadLinks(rulesOf(deps), body)) }),
  )
  answerChanged(values, created, 'Created')
}

/** The command line has no cache to update. */
const directory = { forget: () => undefined }

const set: Action = async (values, [id]) => {
  const body = readBody(values)
  const change = readPropertyChange(body)
  if (Object.keys(body).length === 0) throw new UsageError('set: say what is to change')
  const changed = await withRecords(async (deps) => {
    const { id: found } = await propertyFor(deps, id)
    return updateProperty(deps, directory, found, { ...change, ...(await readDeadLinks(rulesOf(deps), body, found)) })
  })
  answerChanged(values, changed, 'Changed')
}

const list: Action = async (values) => {
  const rows = await withRecords((deps) => everyRow((ask) => listProperties(deps, ask)))
  const cells = rows.map((property) => [property.id, property.key, property.name, property.domains.join(', ')])
  const lines =
    rows.length === 0
      ? ['There is no property yet: footfall property create.']
      : columns([['ID', 'KEY', 'NAME', 'DOMAINS'], ...cells])
  answer(values.json, { properties: rows.map(propertyJson), total: rows.length }, lines)
}

/** With the number of positional words of each. */
const actions: Readonly<Record<string, readonly [Action, number]>> = {
  create: [create, 0],
  set: [set, 1],
  list: [list, 0],
}

export async function property(args: string[]): Promise<number> {
  const { values, positionals } = readOptions(args, options)
  const [name = '', ...words] = positionals
  const [action, most = 0] = (Object.hasOwn(actions, name) && actions[name]) || []
  if (values.help) write(usage)
  else if (action && words.length <= most) await action(values, words)
  else throw new UsageError(`property takes one of: ${Object.keys(actions).join(', ')}`)
  return 0
}
