// What the speed of pages is asked and answered: for the check and for the documentation.
import { type TObject, Type } from 'typebox'
import { inputFields, inputsUsed, MaybeDecimal, metaFields, periodOptions } from '../analytics/answer-schema.ts'
import { windowFields } from '../analytics/schema.ts'
import { described, type JsonOf, oneOf, open, orNull } from '../http/shapes.ts'
import { byName } from '../kernel/by-name.ts'
import { vitals } from '../kernel/vitals.ts'
import { ratings } from './vitals-model.ts'

export const SpeedBody = Type.Object(windowFields)

const VitalShape = Type.Object(
  {
    p75: described(
      MaybeDecimal,
      'Three quarters of the page views were at least as good: milliseconds, of `cls` its score. Null without any.',
    ),
    rating: oneOf([...ratings, null], 'Of `p75`, by the thresholds of docs/definitions.md.'),
    count: Type.Integer({ description: 'Page views of which it was measured.' }),
    good: Type.Integer({ description: 'Of them.' }),
    needs_improvement: Type.Integer({ description: 'Of them.' }),
    poor: Type.Integer({ description: 'Of them.' }),
  },
  open,
)
export type VitalJson = JsonOf<typeof VitalShape>

const speedFields = {
  loads: Type.Integer({ description: 'Page views of which anything was measured.' }),
  ...byName(vitals, () => VitalShape),
}
export type PageSpeedJson = JsonOf<TObject<typeof speedFields>>

export const speedAnswer = {
  inputs: Type.Object(inputFields, inputsUsed),
  meta: Type.Object(metaFields, open),
  options: Type.Object({ periods: periodOptions }, open),
  all: described(orNull(Type.Object(speedFields, open)), 'Null when nothing was measured.'),
  devices: Type.Array(Type.Object({ device: Type.String(), ...speedFields }, open)),
  pages: Type.Array(Type.Object({ path: Type.String(), ...speedFields }, open), {
    description: 'Up to 100, by page views.',
  }),
}
export type SpeedJson = JsonOf<TObject<typeof speedAnswer>>
