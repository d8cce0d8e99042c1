// What the management interface takes and answers for automations and conversions: checked by these, documented by these.
import { Type } from 'typebox'
import { answerOf, linkedPageFields, MaybeNumber, MaybeText, open, pageQuery } from '../http/shapes.ts'
import { type TriggerType, triggerTypes } from '../kernel/triggers.ts'
import { MAX_ACTIONS, MAX_EVENT_VALUE, MAX_NAME, MAX_URL, type Payload, payloads } from './automation.ts'
import { DEFAULT_OVERLAP_HOURS, MAX_OVERLAP_HOURS } from './automations.ts'

/** One schema with several types instead of a union: a wrong value is then one error. */
const NullableText = (maxLength: number, description: string) =>
  Type.Optional(Type.Unsafe<string | null>({ type: ['string', 'null'], maxLength, description }))

const EventType = Type.Unsafe<TriggerType>({ enum: [...triggerTypes] })

const EventValue = NullableText(
  MAX_EVENT_VALUE,
  'A form id, an event name, a path pattern (`*`: any run of characters) or what becomes of a contact; null: any.',
)

const Trigger = Type.Object({ event_type: EventType, event_value: EventValue })

const Action = Type.Object({
  id: NullableText(64, 'Of an action that is there already; it keeps it.'),
  type: Type.Unsafe<'webhook'>({ enum: ['webhook'] }),
  url: Type.String({ maxLength: MAX_URL, description: 'https://, on a public host.' }),
  payload: Type.Optional(Type.Unsafe<Payload>({ enum: [...payloads], description: 'Default: envelope.' })),
})

const automationFields = {
  name: NullableText(MAX_NAME, 'null: it goes by the label of its trigger.'),
  conversion_id: NullableText(64, 'Fires only for sessions that have met this conversion; null: for all.'),
  is_active: Type.Optional(Type.Boolean({ description: 'Default: true. While false its deliveries wait.' })),
}
const Actions = Type.Array(Action, { minItems: 1, maxItems: MAX_ACTIONS, description: 'The whole list.' })

export const NewAutomation = Type.Object({ trigger: Trigger, actions: Actions, ...automationFields })

export const ChangedAutomation = Type.Object({
  trigger: Type.Optional(Trigger),
  actions: Type.Optional(Actions),
  ...automationFields,
})

/** A body may be left out; then nothing of it is said. */
export const Rotation = Type.Unsafe<{ readonly overlap_hours?: number } | null | undefined>({
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

const ConversionName = Type.String({ minLength: 1, maxLength: MAX_NAME })

export const NewConversion = Type.Object({ name: ConversionName, event_type: EventType, event_value: EventValue })

export const ChangedConversion = Type.Object({
  name: Type.Optional(ConversionName),
  event_type: Type.Optional(EventType),
  event_value: EventValue,
})

export const PropertyParams = Type.Object({ property: Type.String() })
export const AutomationParams = Type.Object({ property: Type.String(), automation: Type.String() })
export const ConversionParams = Type.Object({ property: Type.String(), conversion: Type.String() })
export const PageQuery = Type.Object(pageQuery)

/** As the analytics take it, in the address. */
export const WindowQuery = Type.Object({
  period: Type.Optional(Type.String({ description: 'Default: the property’s, else `last_7`.' })),
  date_from: Type.Optional(Type.String({ description: 'YYYY-MM-DD, when `period` is `custom`.' })),
  date_to: Type.Optional(Type.String({ description: 'YYYY-MM-DD, when `period` is `custom`.' })),
})

// ---------------------------------------------------------------- answers

const automationShape = {
  id: Type.String({ examples: ['au_…'] }),
  name: MaybeText,
  label: Type.String({ description: 'Its name, or else the label of its trigger.' }),
  trigger: Type.Object({ event_type: EventType, event_value: MaybeText }, open),
  conversion_id: MaybeText,
  actions: Type.Array(
    Type.Object({ id: Type.String(), type: Type.String(), url: Type.String(), payload: Type.String() }, open),
  ),
  is_active: Type.Boolean(),
  disabled_reason: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description: 'Why the service switched it off; null when it did not.',
  }),
  disabled_ts: MaybeNumber,
  failures: Type.Integer({ description: 'Failed deliveries since the last one that arrived.' }),
  has_previous_secret_until: Type.Unsafe<number | null>({
    type: ['integer', 'null'],
    description: 'Until when the secret before the rotation signs as well.',
  }),
  created_ts: Type.Integer(),
  updated_ts: Type.Integer(),
}

const AutomationShape = Type.Object(automationShape, open)

const ListedShape = Type.Object(
  {
    ...automationShape,
    last_delivery: Type.Unsafe<{ readonly state: string; readonly created_ts: number } | null>({
      type: ['object', 'null'],
      properties: { state: { type: 'string' }, created_ts: { type: 'integer' } },
      description: 'Its newest delivery, a test send among them; null before the first.',
    }),
  },
  open,
)

const ConversionShape = Type.Object(
  {
    id: Type.String({ examples: ['cv_…'] }),
    property_id: Type.String(),
    name: Type.String(),
    event_type: EventType,
    event_value: MaybeText,
    created_ts: Type.Integer(),
  },
  open,
)

const Warnings = Type.Optional(
  Type.Unsafe<Readonly<Record<string, readonly string[]>>>({
    type: 'object',
    additionalProperties: { type: 'array', items: { type: 'string' } },
    description:
      'What is saved all the same, by field: the host of `actions.0.url` is not known to the name servers. Left out when there is nothing.',
  }),
)

export const AutomationAnswer = answerOf({ automation: AutomationShape })
export const ChangedAnswer = answerOf({ automation: AutomationShape, warnings: Warnings })
const shownOnce = 'The secret is shown once; it is kept encrypted.'
const withSecret = { automation: AutomationShape, signing_secret: Type.String({ examples: ['whsec_…'] }) }
export const SecretAnswer = answerOf(withSecret, shownOnce)
export const CreatedAnswer = answerOf({ ...withSecret, warnings: Warnings }, shownOnce)
export const AutomationPage = answerOf({ data: Type.Array(ListedShape), ...linkedPageFields }, 'Newest first.')
export const TestAnswer = answerOf(
  { deliveries: Type.Array(Type.String(), { description: 'Ids in the run log, one an action.' }) },
  'The test sends set out at once.',
)
export const ConversionAnswer = answerOf({ conversion: ConversionShape })
export const ConversionPage = answerOf({ data: Type.Array(ConversionShape), ...linkedPageFields }, 'Newest first.')
export const ConversionStatisticsAnswer = answerOf({
  statistics: Type.Object(
    {
      period: Type.String(),
      date_from: MaybeText,
      date_to: MaybeText,
      showing: Type.String({ description: 'The window in words.' }),
      conversions: Type.Integer({ description: 'How often it was met, by the sessions of the window.' }),
      converted: Type.Integer({ description: 'Sessions that met it.' }),
      sessions: Type.Integer({ description: 'All sessions of the window.' }),
      rate: Type.Number({ description: 'converted / sessions.' }),
    },
    open,
  ),
})
export const AllConversionStatisticsAnswer = answerOf({
  statistics: Type.Object(
    {
      period: Type.String(),
      date_from: MaybeText,
      date_to: MaybeText,
      showing: Type.String({ description: 'The window in words.' }),
      sessions: Type.Integer({ description: 'All sessions of the window.' }),
      conversions: Type.Array(
        Type.Object(
          {
            id: Type.String(),
            conversions: Type.Integer({ description: 'How often it was met, by the sessions of the window.' }),
            converted: Type.Integer({ description: 'Sessions that met it.' }),
            rate: Type.Number({ description: 'converted / sessions.' }),
          },
          open,
        ),
        { description: 'All of them, the newest first.' },
      ),
    },
    open,
  ),
})
export const DeletedAnswer = answerOf({ deleted: Type.Boolean() })
