// What the endpoints of conversions take and answer: checked by these, documented by these.
import { Type } from 'typebox'
import { EventType, EventValue } from '../automations/schema.ts'
import { MAX_NAME } from '../automations/automation-model.ts'
import { type JsonOf, MaybeText, oneOf, open, pageQuery, sortQuery, windowShape, windowQuery } from '../http/shapes.ts'
import { countedTypes } from '../kernel/trigger-table.ts'

const ConversionName = Type.String({ minLength: 1, maxLength: MAX_NAME })

export const NewConversion = Type.Object({ name: ConversionName, event_type: EventType, event_value: EventValue })

export const ChangedConversion = Type.Partial(NewConversion)
export type ConversionInputJson = JsonOf<typeof NewConversion>
export type ConversionChangeJson = JsonOf<typeof ChangedConversion>

const conversionSorts = ['name', 'converted', 'conversions', 'rate'] as const
export type ConversionSort = (typeof conversionSorts)[number]

export const ConversionsQuery = Type.Object({
  ...sortQuery(conversionSorts, 'the newest first. What is counted is counted in the window.'),
  ...windowQuery,
  ...pageQuery,
})
export const WindowQuery = Type.Object(windowQuery)

// ---------------------------------------------------------------- answers

export const ConversionShape = Type.Object(
  {
    id: Type.String({ examples: ['cv_…'] }),
    property_id: Type.String(),
    name: Type.String(),
    event_type: oneOf(countedTypes),
    event_value: MaybeText,
    created_ts: Type.Integer(),
  },
  open,
)
export type ConversionJson = JsonOf<typeof ConversionShape>
export const conversionFields = { conversion: ConversionShape }

const sessionsOfWindow = { ...windowShape, sessions: Type.Integer({ description: 'All sessions of the window.' }) }

const counts = {
  conversions: Type.Integer({ description: 'How often it was met, by the sessions of the window.' }),
  converted: Type.Integer({ description: 'Sessions that met it.' }),
  rate: Type.Number({ description: 'converted / sessions.' }),
}

export const StatisticsShape = Type.Object({ ...sessionsOfWindow, ...counts }, open)
export type ConversionStatisticsJson = JsonOf<typeof StatisticsShape>

export const AllStatisticsShape = Type.Object(
  {
    ...sessionsOfWindow,
    conversions: Type.Array(Type.Object({ id: Type.String(), ...counts }, open), {
      description: 'All of them, the newest first.',
    }),
  },
  open,
)
export type AllConversionStatisticsJson = JsonOf<typeof AllStatisticsShape>
