// What the endpoints of automations take and answer: checked by these, documented by these.
import { Type } from 'typebox'
import {
  described,
  type JsonOf,
  MaybeNumber,
  MaybeText,
  oneOf,
  open,
  orNull,
  pageQuery,
  sortQuery,
} from '../http/shapes.ts'
import { triggerTypes } from '../kernel/trigger-table.ts'
import { MAX_ACTIONS, MAX_EVENT_VALUE, MAX_NAME, MAX_URL, payloads } from './automation-model.ts'
import { DEFAULT_OVERLAP_HOURS, MAX_OVERLAP_HOURS } from './automations.ts'
import { states } from '../deliveries/delivery-model.ts'

/** One schema with several types instead of a union: a wrong value is then one error. */
const NullableText = (maxLength: number, description: string) =>
  Type.Optional(Type.Unsafe<string | null>({ type: ['string', 'null'], maxLength, description }))

export const EventType = oneOf(triggerTypes)

export const EventValue = NullableText(
  MAX_EVENT_VALUE,
  'A form id, an event name, a path pattern (`*`: any run of characters) or what becomes of a contact; null: any.',
)

const Trigger = Type.Object({ event_type: EventType, event_value: EventValue })

const Action = Type.Object({
  id: NullableText(64, 'Of an action that is there already; it keeps it.'),
  type: oneOf(['webhook']),
  url: Type.String({
    maxLength: MAX_URL,
    description: 'https://, on a public host; http:// for hosts in WEBHOOK_ALLOW_HTTP.',
  }),
  payload: Type.Optional(oneOf(payloads, 'Default: envelope.')),
})

const optionalFields = {
  name: NullableText(MAX_NAME, 'null: it goes by the label of its trigger.'),
  conversion_id: NullableText(64, 'Fires only for sessions that have met this conversion; null: for all.'),
  is_active: Type.Optional(Type.Boolean({ description: 'Default: true. While false its deliveries wait.' })),
}
const Actions = Type.Array(Action, { minItems: 1, maxItems: MAX_ACTIONS, description: 'The whole list.' })

export const NewAutomation = Type.Object({ trigger: Trigger, actions: Actions, ...optionalFields })

export const ChangedAutomation = Type.Partial(NewAutomation)
export type ActionInputJson = JsonOf<typeof Action>
export type AutomationInputJson = JsonOf<typeof NewAutomation>
export type AutomationChangeJson = JsonOf<typeof ChangedAutomation>

/** A body may be left out; then nothing of it is said. */
export const Rotation = Type.Unsafe<{ readonly overlap_hours?: number } | null>({
  type: ['object', 'null'],
  properties: {
    overlap_hours: {
      type: 'integer',
      minimum: 0,
      maximum: MAX_OVERLAP_HOURS,
      description: `How long the secret before signs as well. Default: ${DEFAULT_OVERLAP_HOURS}.`,
    },
  },
})

const automationSorts = ['name', 'last'] as const
export type AutomationSort = (typeof automationSorts)[number]

export const AutomationsQuery = Type.Object({
  ...sortQuery(automationSorts, 'the newest first. last: by the time of the last delivery.'),
  ...pageQuery,
})

// ---------------------------------------------------------------- answers

const shownFields = {
  id: Type.String({ examples: ['au_…'] }),
  name: MaybeText,
  label: Type.String({ description: 'Its name, or else the label of its trigger.' }),
  trigger: Type.Object({ event_type: EventType, event_value: MaybeText }, open),
  conversion_id: MaybeText,
  actions: Type.Array(
    Type.Object(
      {
        id: Type.String({
          examples: ['wa_…'],
          description: 'Stays when the automation is edited and the URL with it.',
        }),
        type: oneOf(['webhook']),
        url: Type.String(),
        payload: oneOf(payloads),
      },
      open,
    ),
  ),
  is_active: Type.Boolean(),
  disabled_reason: described(MaybeText, 'Why the service switched it off; null when it did not.'),
  disabled_ts: MaybeNumber,
  failures: Type.Integer({ description: 'Failed deliveries since the last one that arrived.' }),
  has_previous_secret_until: described(MaybeNumber, 'Until when the secret before the rotation signs as well.'),
  created_ts: Type.Integer(),
  updated_ts: Type.Integer(),
}

export const AutomationShape = Type.Object(shownFields, open)
export type AutomationJson = JsonOf<typeof AutomationShape>

export const ListedShape = Type.Object(
  {
    ...shownFields,
    last_delivery: described(
      orNull(Type.Object({ state: oneOf(states), created_ts: Type.Integer() })),
      'Its newest delivery, a test send among them; null before the first.',
    ),
  },
  open,
)
export type ListedAutomationJson = JsonOf<typeof ListedShape>

const Warnings = Type.Optional(
  Type.Record(Type.String(), Type.Array(Type.String()), {
    description:
      'What is saved all the same, by field: the host of `actions.0.url` is not known to the name servers. Left out when there is nothing.',
  }),
)

export type WarningsJson = Readonly<Record<string, readonly string[]>>

export const automationFields = { automation: AutomationShape }
export const changedFields = { ...automationFields, warnings: Warnings }
export const secretFields = { ...automationFields, signing_secret: Type.String({ examples: ['whsec_…'] }) }
export const createdFields = { ...secretFields, warnings: Warnings }
export const testFields = {
  deliveries: Type.Array(Type.String(), { description: 'Ids in the run log, one an action.' }),
}
