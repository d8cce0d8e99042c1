// What the management of contacts takes and answers: checked by these, documented by these.
import { Type } from 'typebox'
import { answerOf, open } from '../http/shapes.ts'

/** One transaction that others wait for: about a second. */
export const MAX_PART_ROWS = 5_000

export const ImportParams = Type.Object({ property: Type.String() })

export const ImportBody = Type.Object({
  csv: Type.String({
    description: `A file of contacts as text, with its header; up to ${MAX_PART_ROWS} rows. Larger ones come in parts, each with the header.`,
  }),
  is_trial: Type.Optional(Type.Boolean({ description: 'Everything is checked and counted, nothing is written.' })),
})

export const ImportAnswer = answerOf({
  rows: Type.Integer({ description: 'Rows that say something, bad ones included.' }),
  bad_rows: Type.Integer({ description: 'With any, nothing is written.' }),
  faults: Type.Array(Type.Object({ line: Type.Integer(), field: Type.String(), reason: Type.String() }, open)),
  more_faults: Type.Integer({ description: 'Beside the first fifty.' }),
  nameless_rows: Type.Integer({ description: 'Rows of an export with neither external_id nor email: left out.' }),
  ignored_columns: Type.Array(Type.String()),
  created: Type.Integer(),
  updated: Type.Integer({ description: 'Rows about a contact that was there.' }),
  is_written: Type.Boolean(),
})

export const EraseParams = Type.Object({ property: Type.String(), contact: Type.String() })

export const ReceiptAnswer = answerOf(
  {
    receipt: Type.Object(
      {
        contact_id: Type.String(),
        property_id: Type.String(),
        erased_ts: Type.Integer(),
        was_deleted: Type.Boolean({ description: 'There was nothing left to erase.' }),
        fields: Type.Array(Type.String(), { description: 'Names of the fields that held something.' }),
        meta_entries: Type.Integer(),
        sessions: Type.Integer({ description: 'Those that stay linked to the id, which leads to nobody any more.' }),
        submissions: Type.Integer({ description: 'Sent through forms: gone for good.' }),
      },
      open,
    ),
  },
  'It says what was there, never what it was.',
)
