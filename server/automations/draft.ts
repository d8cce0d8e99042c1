// Checks what an owner entered: the trigger, and the endpoints to call. The management interface and the
// command line share these rules.
import { findForm } from '../forms/forms.ts'
import type { Deps } from '../kernel/deps.ts'
import { collectedPattern } from '../kernel/paths.ts'
import { invalid, Problem } from '../kernel/problem.ts'
import { cleanText } from '../kernel/text.ts'
import { triggers, type TriggerType, type ValueKind } from '../kernel/trigger-table.ts'
import { readName } from '../properties/properties.ts'
import { newId } from '../kernel/secrets.ts'
import type { Records } from '../stores/records.ts'
import { checkUrl, type Reach } from '../webhooks/webhooks.ts'
import { MAX_ACTIONS, MAX_EVENT_VALUE, MAX_URL, type Payload, type WebhookAction } from './automation-model.ts'
import type { ActionInputJson, AutomationInputJson, WarningsJson } from './schema.ts'

/** What can become of a contact; `lifecycle_stage:` with a stage behind it is a change to that stage. */
const transitions = ['created', 'updated', 'unsubscribed', 'resubscribed', 'deleted', 'lifecycle_stage'] as const
const STAGE = 'lifecycle_stage:'

type TriggerInput = AutomationInputJson['trigger']

export interface TriggerDraft {
  readonly event_type: TriggerType
  readonly event_value: string | null
}

/** Past this, a value is neither null nor empty. `field` is how the caller knows it. */
type ReadValue = (value: string, field: string, scope: { records: Records; propertyId: string }) => Promise<string>

const noValue: ReadValue = async (_value, field) => {
  throw invalid(field, `${field} must be null: this trigger has no values.`)
}

const readFormId: ReadValue = async (value, field, { records, propertyId }) => {
  if (!(await findForm(records, propertyId, value))) throw invalid(field, `${field} is not a form of this property.`)
  return value
}

const readPattern: ReadValue = async (value, field) => {
  if (!/^[/*]/.test(value)) throw invalid(field, `${field} must be a path that begins with / or *.`)
  if (value.includes('?'))
    throw invalid(field, `${field} is compared with the path alone: leave out ? and what follows.`)
  const pattern = collectedPattern(value)
  if (pattern.length > MAX_EVENT_VALUE)
    throw invalid(field, `${field} may have at most ${MAX_EVENT_VALUE} characters, encoded as in an address.`)
  return pattern
}

function isTransition(value: string): boolean {
  if (value.startsWith(STAGE)) return value.slice(STAGE.length).trim() !== ''
  return transitions.some((name) => name === value)
}

const readTransition: ReadValue = async (value, field) => {
  const text = value.startsWith(STAGE) ? STAGE + value.slice(STAGE.length).trim() : value
  if (!isTransition(text)) throw invalid(field, `${field} must be one of: ${transitions.join(', ')}, ${STAGE}….`)
  return text
}

const readers: Readonly<Record<ValueKind, ReadValue>> = {
  form: readFormId,
  name: async (name) => name,
  path: readPattern,
  transition: readTransition,
  none: noValue,
}

/**
 * What an automation waits for, or a conversion counts. An empty value is none: everything of the type.
 * @param prefix of the field that a refusal names: `trigger.` in an automation.
 * @throws Problem('validation_failed')
 */
export async function readTrigger(
  scope: { readonly records: Records; readonly propertyId: string },
  { event_type, event_value }: TriggerInput,
  prefix = '',
): Promise<TriggerDraft> {
  if (event_value === undefined || event_value === null || event_value === '') return { event_type, event_value: null }
  const field = `${prefix}event_value`
  // Compared with what was collected, which never holds these.
  if (cleanText(event_value, MAX_EVENT_VALUE) !== event_value)
    throw invalid(field, `${field} must be well-formed text without NUL, of at most ${MAX_EVENT_VALUE} characters.`)
  return { event_type, event_value: await readers[triggers[event_type].value](event_value, field, scope) }
}

/** Whether the entered trigger is the stored one. */
export function isSameTrigger(stored: TriggerDraft, { event_type, event_value }: TriggerInput): boolean {
  return event_type === stored.event_type && (event_value || null) === stored.event_value
}

/** Null for one that goes by the label of its trigger. @throws Problem('validation_failed') */
export function readOptionalName(name: string | null | undefined): string | null {
  return name === undefined || name === null || name.trim() === '' ? null : readName(name)
}

// ---------------------------------------------------------------- actions

interface CheckedUrl {
  /** As it will be called: exactly the text that was checked. */
  readonly url: string
  readonly warning: string | undefined
}

/** Addresses that cannot be those of the chat, as they are copied by mistake. */
function refuseOtherChat(payload: Payload, { pathname, searchParams }: URL, field: string): void {
  if (payload === 'telegram' && !(pathname.endsWith('/sendMessage') && searchParams.get('chat_id')))
    throw invalid(field, `${field} must be https://api.telegram.org/bot<token>/sendMessage?chat_id=<chat>.`)
  if (payload === 'ntfy' && !/^\/[\w-]+$/.test(pathname))
    throw invalid(field, `${field} must end with the topic: https://ntfy.sh/<topic>.`)
}

/** @throws Problem('validation_failed') */
async function readUrl(text: string, payload: Payload, reach: Reach, field: string): Promise<CheckedUrl> {
  const warning = await checkUrl(text, reach).catch((error: unknown) => {
    throw error instanceof Problem && error.kind === 'validation_failed' ? invalid(field, error.message) : error
  })
  const { href } = new URL(text)
  refuseOtherChat(payload, new URL(text), field)
  if (href.length > MAX_URL) throw invalid(field, `${field} may have at most ${MAX_URL} characters, encoded.`)
  return { url: href, warning }
}

type Named = Required<Pick<WebhookAction, 'url' | 'payload'>> & { readonly id: string | undefined }

/** Ids that were named come first, so that no other action takes them; then those of the same address. */
function withIds(asked: readonly Named[], kept: readonly WebhookAction[], nextId: () => string): WebhookAction[] {
  const free = new Map(kept.map((action) => [action.id, action]))
  for (const [index, { id }] of asked.entries())
    if (id !== undefined && !free.delete(id))
      throw invalid(`actions.${index}.id`, `actions.${index}.id is no action of this automation, or stands twice.`)
  const take = (isSame: (action: WebhookAction) => boolean): string | undefined => {
    const found = [...free.values()].find(isSame)
    if (found) free.delete(found.id)
    return found?.id
  }
  const exact = asked.map(({ id, url, payload }) => id ?? take((one) => one.url === url && one.payload === payload))
  return asked.map(({ url, payload }, index) => ({
    id: exact[index] ?? take((one) => one.url === url) ?? nextId(),
    type: 'webhook',
    url,
    payload,
  }))
}

export interface ReadActions {
  readonly actions: WebhookAction[]
  readonly warnings: WarningsJson
}

const urlField = (index: number): string => `actions.${index}.url`

/**
 * The whole list as it will be. An action keeps its id when it names it, or when its address was there.
 * @param kept those that there are.
 * @throws Problem('validation_failed')
 */
export async function readActions(
  deps: Pick<Deps, 'config' | 'randomBytes'>,
  asked: readonly ActionInputJson[],
  kept: readonly WebhookAction[],
): Promise<ReadActions> {
  if (asked.length === 0 || asked.length > MAX_ACTIONS)
    throw invalid('actions', `actions must have 1 to ${MAX_ACTIONS} items.`)
  const reach = { allow: deps.config.webhookAllow, allowHttp: deps.config.webhookAllowHttp }
  const checked = await Promise.all(
    asked.map(async ({ id, url, payload = 'envelope' }, index) => ({
      id: id ?? undefined,
      ...(await readUrl(url, payload, reach, urlField(index))),
      payload,
    })),
  )
  const warnings = checked.flatMap(({ warning }, index) =>
    warning === undefined ? [] : [[urlField(index), [warning]] as const],
  )
  return {
    actions: withIds(checked, kept, () => newId(deps, 'wa')),
    warnings: Object.fromEntries(warnings),
  }
}
