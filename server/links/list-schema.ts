// What the owner's list of links and files of them take and answer: checked by these, documented by these.
import { Type } from 'typebox'
import { answerOf, linkedPageFields, open, pageQuery } from '../http/shapes.ts'
import { StatisticsQuery } from './click-schema.ts'
import { LinkShape } from './schema.ts'

/** One transaction that others wait for: a fraction of a second. */
export const MAX_PART_ROWS = 5_000
const MAX_SEARCH = 2048

export const PropertyParams = Type.Object({ property: Type.String() })

export const ListQuery = Type.Object({
  search: Type.Optional(
    Type.String({
      maxLength: MAX_SEARCH,
      description:
        'Words that are all in the name, the code or the destination, whatever their capitals; a whole short address is its code.',
    }),
  ),
  group_id: Type.Optional(Type.String({ description: 'Links of this group alone.' })),
  ...StatisticsQuery.properties,
  ...pageQuery,
})

const Figures = Type.Object({
  clicks: Type.Integer({ description: 'Of people, in the window.' }),
  arrived: Type.Integer({ description: 'Visitors of these clicks who saw a page within 60 seconds.' }),
  engaged: Type.Integer({ description: 'Those of them who did not bounce from there.' }),
})

export const ListAnswer = answerOf({
  data: Type.Array(Type.Object({ ...LinkShape.properties, figures: Figures }, open)),
  ...linkedPageFields,
  period: Type.String(),
  showing: Type.String({ description: 'The window in words.' }),
})

export const ExportQuery = Type.Object({
  group_id: Type.Optional(Type.String({ description: 'Links of this group alone.' })),
})

export const ImportBody = Type.Object({
  csv: Type.String({
    description: `A file of links as text, with its header; up to ${MAX_PART_ROWS} rows. Larger ones come in parts, each with the header.`,
  }),
  group: Type.Optional(Type.String({ description: 'An id or a name, for rows that name no group.' })),
  domain: Type.Optional(Type.String({ description: '`link-a` or `link-b`, for rows that name none.' })),
  create_groups: Type.Optional(Type.Boolean({ description: 'Groups that are not there are made. Default: false.' })),
  is_trial: Type.Optional(Type.Boolean({ description: 'Everything is checked and counted, nothing is written.' })),
})

export const ImportAnswer = answerOf({
  rows: Type.Integer({ description: 'Rows that say something, bad ones included.' }),
  bad_rows: Type.Integer({ description: 'With any, nothing is written.' }),
  faults: Type.Array(Type.Object({ line: Type.Integer(), field: Type.String(), reason: Type.String() }, open)),
  more_faults: Type.Integer({ description: 'Beside the first fifty.' }),
  ignored_columns: Type.Array(Type.String()),
  created: Type.Integer({ description: 'Links; in a trial those that would be.' }),
  created_groups: Type.Integer(),
  is_written: Type.Boolean(),
  links: Type.Array(LinkShape, { description: 'Those that were created, in the order of their rows.' }),
})
