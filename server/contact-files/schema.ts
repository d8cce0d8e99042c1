// A row of a file of contacts, for the documentation.
import { Type } from 'typebox'
import { MaybeNumber, oneOf, rowOf, textCells } from '../http/shapes.ts'
import { states } from '../contacts/contact-model.ts'
import { columns, toldColumns } from './csv.ts'

export const ContactRow = rowOf({
  ...textCells(columns),
  ...textCells(toldColumns),
  state: oneOf(states),
  first_seen_ts: Type.Integer(),
  identified_ts: MaybeNumber,
  last_seen_ts: Type.Integer(),
  session_count: Type.Integer({ minimum: 0 }),
})
