// What costs take and answer, for the check and for the documentation.
import { type TObject, Type } from 'typebox'
import { checkedRowsFields, type JsonOf, MaybeText, open, pageFields, pageQuery } from '../http/shapes.ts'
import { MAX_COSTS, MAX_ROWS } from './limits.ts'

const maybeText = (description: string) => Type.Optional(Type.Unsafe<string | null>({ ...MaybeText, description }))
const isTrial = Type.Optional(Type.Boolean({ description: 'Everything is checked and counted, nothing is written.' }))

const CostDraft = Type.Object({
  day: Type.String({ description: 'YYYY-MM-DD, as the advertising account tells days.' }),
  source: Type.String({ description: 'As `utm_source` of the URLs that were advertised.' }),
  medium: maybeText('As `utm_medium`.'),
  campaign: maybeText('As `utm_campaign`.'),
  amount: Type.Integer({ minimum: 0, description: 'Minor units of the currency. 0 removes what was recorded.' }),
  currency: maybeText('ISO 4217. Default: that of the property.'),
})

export const CostsBody = Type.Object({
  rows: Type.Array(CostDraft, {
    minItems: 1,
    maxItems: MAX_ROWS,
    description: `A property has at most ${MAX_COSTS} rows.`,
  }),
  is_trial: isTrial,
})

export const ImportBody = Type.Object({
  csv: Type.String({
    description: `A file as text, with its header; up to ${MAX_ROWS} rows (docs/api/dashboard.md, "Costs").`,
  }),
  is_trial: isTrial,
})

export const importedFields = {
  ...checkedRowsFields,
  ignored_columns: Type.Array(Type.String()),
  created: Type.Integer(),
  replaced: Type.Integer({ description: 'Rows in the place of one of the same day, source, medium and campaign.' }),
  removed: Type.Integer({ description: 'Rows with an amount of 0, where there was one.' }),
  is_written: Type.Boolean(),
}
export type ImportedJson = JsonOf<TObject<typeof importedFields>>

export const CostShape = Type.Object(
  {
    day: Type.String(),
    source: Type.String(),
    medium: Type.String(),
    campaign: Type.String(),
    amount: Type.Integer({ description: 'Minor units.' }),
    currency: Type.String(),
    amount_usd: Type.Integer({ description: 'US cents at the rate of the day.' }),
  },
  open,
)

export const PageQuery = Type.Object(pageQuery)
export const listFields = pageFields(CostShape)
export type CostsJson = JsonOf<TObject<typeof listFields>>

export const RemoveBody = Type.Object({
  from: Type.String({ description: 'YYYY-MM-DD, the first day.' }),
  to: Type.String({ description: 'YYYY-MM-DD, the last day.' }),
  source: maybeText('Only of this source. Default: of all.'),
})
export const removedFields = { removed: Type.Integer({ description: 'Rows.' }) }
