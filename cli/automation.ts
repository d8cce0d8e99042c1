// `footfall automation …`: creates, switches, tests and watches automations using only the records, so it
// works while the server runs.
import { type Payload, payloads } from '../server/automations/automation-model.ts'
import {
  type AutomationDeps,
  createAutomation,
  DEFAULT_OVERLAP_HOURS,
  enableAutomation,
  getAutomation,
  listAutomations,
  MAX_OVERLAP_HOURS,
  removeAutomation,
  rotateSecret,
  shownAutomation,
  testAutomation,
  updateAutomation,
} from '../server/automations/automations.ts'
import { listDeliveries } from '../server/deliveries/deliveries.ts'
import type { DeliveryJson } from '../server/deliveries/schema.ts'
import type { AutomationJson, WarningsJson } from '../server/automations/schema.ts'
import { openOutbox } from '../server/automations/outbox.ts'
import type { StoredAutomation } from '../server/automations/records.ts'
import { triggerTypes } from '../server/kernel/trigger-table.ts'
import { openKeys } from '../server/kernel/keys.ts'
import type { Property } from '../server/properties/properties.ts'
import { refuseOtherSecret } from '../server/same-secret.ts'
import { openSecret } from '../server/secret.ts'
import { answer, columns, counted, needed, readOptions, UsageError, write } from './command.ts'
import { readTriggerType, triggerWords } from './trigger.ts'
import { propertyFor } from './which-property.ts'
import { withRecords } from './with-records.ts'
import { everyRow } from '../server/kernel/page.ts'

const usage = `footfall automation create --trigger TYPE [--value VALUE] --url URL... [--payload envelope|legacy_form] [--name NAME]
                           [--conversion CONVERSION_ID] [--property ID] [--json]
footfall automation list [--property ID] [--json]
footfall automation show|enable|disable|test AUTOMATION_ID [--property ID] [--json]
footfall automation deliveries AUTOMATION_ID [--limit N] [--property ID] [--json]
footfall automation rotate-secret AUTOMATION_ID [--overlap-hours N] [--property ID] [--json]
footfall automation delete AUTOMATION_ID --yes [--property ID] [--json]

An automation sends a signed webhook to your https:// endpoints when its trigger fires. TYPE is
${triggerWords(triggerTypes)}; --value narrows it down: a form id,
an event name, a path (* is a wildcard) or a contact change. The signing secret is shown once and stored encrypted. rotate-secret
creates a new one; for --overlap-hours (${DEFAULT_OVERLAP_HOURS}) deliveries are signed with both. test sends a sample to each URL. deliveries lists the
latest deliveries. A URL whose host cannot be resolved yet is accepted with a warning. A running server picks up changes within
two seconds. More: docs/api/automations.md.
--property is optional when there is only one.`

const options = {
  trigger: { type: 'string' },
  value: { type: 'string' },
  url: { type: 'string', multiple: true, default: [] as string[] },
  payload: { type: 'string', default: 'envelope' },
  name: { type: 'string' },
  conversion: { type: 'string' },
  'overlap-hours': { type: 'string', default: String(DEFAULT_OVERLAP_HOURS) },
  limit: { type: 'string', default: '25' },
  yes: { type: 'boolean', default: false },
  property: { type: 'string' },
} as const

type Values = ReturnType<typeof readOptions<typeof options>>['values']

// ---------------------------------------------------------------- reading and showing

function readNumber(text: string, option: string, min: number, max: number): number {
  const number = /^\d{1,4}$/.test(text) ? Number(text) : Number.NaN
  if (number >= min && number <= max) return number
  throw new UsageError(`${option} must be a whole number from ${min} to ${max}`)
}

function readPayload(text: string): Payload {
  const payload = payloads.find((name) => name === text)
  if (!payload) throw new UsageError(`--payload must be one of: ${payloads.join(', ')}`)
  return payload
}

const shown = (automation: StoredAutomation) => shownAutomation(automation, Math.floor(Date.now() / 1000))

/**
 * What the server passes to its endpoints, with a directory of its own: the server notices changes by itself.
 */
async function withProperty<T>(values: Values, work: (deps: AutomationDeps, property: Property) => Promise<T>) {
  return withRecords(async (recorded) => {
    const property = await propertyFor(recorded, values.property)
    const keys = openKeys(openSecret(recorded.config, recorded.randomBytes))
    await refuseOtherSecret(recorded.config, recorded.records, keys)
    return work({ ...recorded, keys, triggers: openOutbox(recorded) }, property)
  })
}

const stateOf = ({ is_active, disabled_reason }: AutomationJson): string =>
  is_active ? 'on' : disabled_reason === null ? 'off' : 'turned off by the service'

const triggerOf = ({ trigger: { event_type, event_value } }: AutomationJson): string =>
  event_value === null ? event_type : `${event_type} ${event_value}`

function detailLines(automation: AutomationJson): string[] {
  const rows = [
    ['  id', automation.id],
    ['  name', automation.label],
    ['  trigger', triggerOf(automation)],
    ['  condition', automation.conversion_id ?? 'none'],
    ...automation.actions.map(({ url, payload }) => ['  calls', `${url} (${payload})`]),
    ['  state', stateOf(automation)],
    ...(automation.disabled_reason === null ? [] : [['  because', automation.disabled_reason]]),
    ['  failures', `${automation.failures} in a row`],
  ]
  return columns(rows)
}

function answerChanged(values: Values, automation: StoredAutomation, sentence: string): void {
  answer(values.json, { automation: shown(automation) }, [sentence])
}

interface WithSecret {
  readonly automation: StoredAutomation
  readonly signingSecret: string
  readonly warnings?: WarningsJson
}

/** The secret is shown only this once. */
function answerSecret(
  values: Values,
  { automation: stored, signingSecret, warnings = {} }: WithSecret,
  sentence: string,
) {
  const automation = shown(stored)
  const sentences = Object.values(warnings).flat()
  answer(values.json, { automation, signing_secret: signingSecret, ...(sentences.length > 0 && { warnings }) }, [
    sentence,
    '',
    ...detailLines(automation),
    `  secret     ${signingSecret}  (shown only now)`,
    ...sentences.map((warning) => `Warning: ${warning}`),
  ])
}

// ---------------------------------------------------------------- the actions

async function create(values: Values): Promise<void> {
  const event_type = readTriggerType(needed(values.trigger, '--trigger'), '--trigger')
  const payload = readPayload(values.payload)
  if (values.url.length === 0) throw new UsageError('--url is missing')
  const made = await withProperty(values, (deps, property) =>
    createAutomation(deps, property, {
      name: values.name ?? null,
      trigger: { event_type, event_value: values.value ?? null },
      conversion_id: values.conversion ?? null,
      actions: values.url.map((url) => ({ type: 'webhook', url, payload })),
    }),
  )
  answerSecret(values, made, 'Created the automation.')
}

async function list(values: Values): Promise<void> {
  const rows = await withProperty(values, (deps, { id }) => everyRow((ask) => listAutomations(deps, id, ask)))
  const automations = rows.map(shown)
  const cells = automations.map((one) => [
    one.id,
    stateOf(one),
    triggerOf(one),
    String(one.actions.length),
    one.name ?? '',
  ])
  const lines =
    rows.length === 0
      ? ['There is no automation yet: footfall automation create.']
      : columns([['ID', 'STATE', 'TRIGGER', 'URLS', 'NAME'], ...cells])
  answer(values.json, { automations, total: rows.length }, lines)
}

async function show(values: Values, id: string): Promise<void> {
  const automation = shown(await withProperty(values, (deps, property) => getAutomation(deps, property.id, id)))
  answer(values.json, { automation }, detailLines(automation))
}

async function enable(values: Values, id: string): Promise<void> {
  const automation = await withProperty(values, (deps, property) => enableAutomation(deps, property, id))
  answerChanged(values, automation, `${id} is on: what waited sets out.`)
}

async function disable(values: Values, id: string): Promise<void> {
  const off = { is_active: false }
  const { automation } = await withProperty(values, (deps, property) => updateAutomation(deps, property, id, off))
  answerChanged(values, automation, `${id} is off: its deliveries wait.`)
}

async function rotate(values: Values, id: string): Promise<void> {
  const hours = readNumber(values['overlap-hours'], '--overlap-hours', 0, MAX_OVERLAP_HOURS)
  const made = await withProperty(values, (deps, property) => rotateSecret(deps, property.id, id, hours))
  const overlap = hours === 0 ? 'no longer signs' : `signs as well for ${counted(hours, 'hour')}`
  answerSecret(values, made, `Created a new secret; the previous one ${overlap}.`)
}

async function sendTest(values: Values, id: string): Promise<void> {
  const ids = await withProperty(values, (deps, property) => testAutomation(deps, property.id, id))
  answer(values.json, { deliveries: ids }, [
    `Put down ${counted(ids.length, 'test send')}: a running server sends at once.`,
    `See the responses: footfall automation deliveries ${id}`,
  ])
}

const logCells = (row: DeliveryJson): string[] => [
  row.id,
  new Date(row.created_ts * 1000).toISOString(),
  row.is_test ? `${row.state}, test` : row.state,
  `${row.attempts} of ${row.max_attempts}`,
  row.last_error ?? (row.last_status === null ? '' : String(row.last_status)),
  row.url,
]

async function deliveries(values: Values, id: string): Promise<void> {
  const perPage = readNumber(values.limit, '--limit', 1, 1000)
  const { rows, total } = await withProperty(values, async (deps, property) => {
    await getAutomation(deps, property.id, id)
    return listDeliveries(deps, { propertyId: property.id, automationId: id }, undefined, { page: 1, perPage })
  })
  const lines =
    rows.length === 0
      ? ['There is no delivery yet.']
      : [
          ...columns([['ID', 'SINCE', 'STATE', 'ATTEMPTS', 'ANSWER', 'URL'], ...rows.map(logCells)]),
          ...(total > rows.length ? [`… and ${counted(total - rows.length, 'older one')}.`] : []),
        ]
  answer(values.json, { deliveries: rows, total }, lines)
}

async function remove(values: Values, id: string): Promise<void> {
  if (!values.yes) throw new UsageError('an automation is deleted with its run log: add --yes')
  await withProperty(values, (deps, property) => removeAutomation(deps, property.id, id))
  answer(values.json, { deleted: id }, [`Deleted ${id} with its run log.`])
}

const alone: Readonly<Record<string, (values: Values) => Promise<void>>> = { create, list }

const ofOne: Readonly<Record<string, (values: Values, id: string) => Promise<void>>> = {
  show,
  enable,
  disable,
  'rotate-secret': rotate,
  test: sendTest,
  deliveries,
  delete: remove,
}

export async function automation(args: string[]): Promise<number> {
  const { values, positionals } = readOptions(args, options)
  const [name = '', id, ...rest] = positionals
  const action = Object.hasOwn(alone, name) ? alone[name] : undefined
  const actionOfOne = Object.hasOwn(ofOne, name) ? ofOne[name] : undefined
  if (values.help) write(usage)
  else if (action && id === undefined) await action(values)
  else if (actionOfOne && rest.length === 0) await actionOfOne(values, needed(id, 'the id of the automation'))
  else throw new UsageError(`automation takes one of: ${Object.keys({ ...alone, ...ofOne }).join(', ')}`)
  return 0
}
