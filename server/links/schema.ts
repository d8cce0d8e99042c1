// What the endpoints of groups and links take and answer: checked by these, documented by these.
import { type TObject, Type } from 'typebox'
import {
  checkedRowsFields,
  type JsonOf,
  MaybeText,
  oneOf,
  open,
  pageFields,
  pageQuery,
  rowOf,
  textCells,
  windowShape,
  windowQuery,
} from '../http/shapes.ts'
import { type CodeFault, MAX_SLUG } from './codes.ts'
import { columns, toldColumns } from './csv.ts'
import {
  domains,
  groupStates,
  MAX_DESCRIPTION,
  MAX_DESTINATION,
  MAX_GROUP_NAME,
  MAX_LINK_NAME,
  MAX_PART_ROWS,
  MAX_UTM,
  purposes,
  type UtmName,
  utmRecord,
} from './link-model.ts'

/** One schema with several types instead of a union: a wrong value is then one error. */
const NullableText = (maxLength: number, description: string) =>
  Type.Optional(Type.Unsafe<string | null>({ type: ['string', 'null'], maxLength, description }))

const GroupName = Type.String({ minLength: 1, maxLength: MAX_GROUP_NAME })
const groupFields = {
  description: NullableText(MAX_DESCRIPTION, 'null or an empty text: none.'),
  purpose: Type.Optional(oneOf(purposes, 'Default: campaign.')),
  track_clicks: Type.Optional(Type.Boolean({ description: 'Whether clicks are recorded. Default: true.' })),
}

export const NewGroup = Type.Object({ name: GroupName, ...groupFields })

export const ChangedGroup = Type.Object({
  name: Type.Optional(GroupName),
  ...groupFields,
  state: Type.Optional(oneOf(groupStates, 'The links of an archived group answer 404.')),
})

const utmProperties = utmRecord(() => ({ type: ['string', 'null'], maxLength: MAX_UTM }))

const UtmValues = (description: string) =>
  Type.Optional(
    Type.Unsafe<Partial<Record<UtmName, string | null>> | null>({
      type: ['object', 'null'],
      properties: utmProperties,
      description,
    }),
  )

const Destination = Type.String({
  maxLength: MAX_DESTINATION,
  description:
    'An http:// or https:// URL without credentials, not of a short domain; at most 8000 characters when it is percent-encoded and the UTM values are added.',
})
const DomainName = oneOf(domains)
const LinkName = NullableText(MAX_LINK_NAME, 'What you call the link; visitors never see it.')

export const NewLink = Type.Object({
  group_id: Type.String({ description: 'A group of this property.' }),
  destination_url: Destination,
  domain: DomainName,
  code: NullableText(
    MAX_SLUG,
    'A code of your choice: 3 to 64 letters, digits, - and _, never used before on its domain. null, an empty text or left out: a random one.',
  ),
  name: LinkName,
  utm: UtmValues('Added to the destination where its query does not have them.'),
})

export const ChangedLink = Type.Object({
  destination_url: Type.Optional(Destination),
  domain: Type.Optional(DomainName),
  name: LinkName,
  utm: UtmValues('A value that is not named stays; null or an empty text clears one, null in place of the object all.'),
  is_active: Type.Optional(Type.Boolean({ description: 'An inactive link answers 404.' })),
})

export const GroupsQuery = Type.Object(pageQuery)
export const LinksQuery = Type.Object({
  group_id: Type.Optional(Type.String({ description: 'Links of this group alone.' })),
  ...pageQuery,
})

export const QrQuery = Type.Object({
  format: Type.Optional(oneOf(['svg', 'png'], 'Default: svg.')),
  size: Type.Optional(Type.String({ description: 'Width and height in pixels, 64 to 2048; default 512.' })),
})

// ---------------------------------------------------------------- answers

export const GroupShape = Type.Object(
  {
    id: Type.String({ examples: ['lg_…'] }),
    name: Type.String(),
    description: MaybeText,
    purpose: oneOf(purposes),
    state: oneOf(groupStates),
    track_clicks: Type.Boolean(),
    count_links: Type.Integer({ description: 'Links in use.' }),
    count_clicks: Type.Integer({ description: 'Clicks of people.' }),
    created_at: Type.String({ format: 'date-time' }),
  },
  open,
)

export const LinkShape = Type.Object(
  {
    id: Type.String({ examples: ['ln_…'] }),
    group_id: Type.String(),
    name: MaybeText,
    code: Type.String(),
    short_url: Type.String(),
    destination_url: Type.String(),
    domain: DomainName,
    utm: Type.Object(
      utmRecord(() => MaybeText),
      open,
    ),
    is_active: Type.Boolean(),
    clicks: Type.Integer({ description: 'Clicks of people.' }),
    created_ts: Type.Integer(),
  },
  open,
)

export type GroupJson = JsonOf<typeof GroupShape>
export type LinkJson = JsonOf<typeof LinkShape>

export const GroupList = Type.Array(GroupShape)

// ---------------------------------------------------------------- /manage

export const StatisticsQuery = Type.Object(windowQuery)

export const StatisticsShape = Type.Object(
  {
    ...windowShape,
    clicks: Type.Integer({ description: 'Of people.' }),
    visitors: Type.Integer({ description: 'People who clicked, each once a day.' }),
    bots: Type.Record(Type.String(), Type.Integer(), {
      description: 'Clicks of programs by `bot_reason`, those of a flood each.',
    }),
    count_bots: Type.Integer(),
    arrived: Type.Integer({ description: 'Visitors who saw a page within 60 seconds after a click.' }),
    already_on_site: Type.Integer({
      description: 'Those of them who had been on the site that day before.',
    }),
    engaged: Type.Integer({ description: 'Those who arrived and did not bounce from there.' }),
    arrival_rate: Type.Number({ description: 'arrived / visitors.' }),
    engagement_rate: Type.Number({ description: 'engaged / arrived.' }),
  },
  open,
)
export type StatisticsJson = JsonOf<typeof StatisticsShape>

const MAX_SEARCH = 2048
/** Longer than a code, so that one that is too long is told so. */
const MAX_CODE_QUERY = 255

export const ListQuery = Type.Object({
  search: Type.Optional(
    Type.String({
      maxLength: MAX_SEARCH,
      description:
        'Words that are all in the name, the code or the destination, whatever their capitals; a whole short address is its code.',
    }),
  ),
  group_id: Type.Optional(Type.String({ description: 'Links of this group alone.' })),
  ...windowQuery,
  ...pageQuery,
})

const FiguresShape = Type.Object({
  clicks: Type.Integer({ description: 'Of people, in the window.' }),
  arrived: Type.Integer({ description: 'Visitors of these clicks who saw a page within 60 seconds.' }),
  engaged: Type.Integer({ description: 'Those of them who did not bounce from there.' }),
})

const ListedLinkShape = Type.Object({ ...LinkShape.properties, figures: FiguresShape }, open)
export type ListedLinkJson = JsonOf<typeof ListedLinkShape>

export const listFields = {
  ...pageFields(ListedLinkShape),
  period: windowShape.period,
  showing: windowShape.showing,
}

export const linkDomainsFields = {
  domains: Type.Array(
    Type.Object(
      {
        domain: DomainName,
        url: Type.String({ description: 'Where the codes of new links live: `{url}/{code}`.' }),
      },
      open,
    ),
  ),
}
export type LinkDomainsJson = JsonOf<TObject<typeof linkDomainsFields>>

export const CodeQuery = Type.Object({
  domain: Type.Optional(oneOf(domains, 'Default: link-a.')),
  code: Type.Optional(Type.String({ maxLength: MAX_CODE_QUERY, description: 'Left out or empty: suggestions alone.' })),
  name: Type.Optional(Type.String({ maxLength: MAX_LINK_NAME, description: 'Suggestions are made of it.' })),
  destination_url: Type.Optional(
    Type.String({ maxLength: MAX_DESTINATION, description: 'Suggestions are made of its last words.' }),
  ),
})

export const codeFields = {
  is_free: Type.Boolean(),
  reason: Type.Unsafe<CodeFault | null>({
    enum: ['shape', 'reserved', 'taken', null],
    description: 'Why it cannot be chosen: its characters or length; kept for the service; in use, or once was.',
  }),
  suggestions: Type.Array(Type.String(), { description: 'Codes that are free now, three at most.' }),
}
export type AvailabilityJson = JsonOf<TObject<typeof codeFields>>

export const ExportQuery = Type.Object({
  group_id: Type.Optional(Type.String({ description: 'Links of this group alone.' })),
})

/** Of a CSV file. */
export const LinkRow = rowOf({
  ...textCells(columns),
  ...textCells(toldColumns),
  is_active: oneOf(['true', 'false']),
  created_ts: Type.Integer(),
})

export const ImportBody = Type.Object({
  csv: Type.String({
    description: `A file of links as text, with its header; up to ${MAX_PART_ROWS} rows. Larger ones come in parts, each with the header.`,
  }),
  group: Type.Optional(Type.String({ description: 'An id or a name, for rows that name no group.' })),
  domain: Type.Optional(Type.String({ description: '`link-a` or `link-b`, for rows that name none.' })),
  keep_codes: Type.Optional(
    Type.Boolean({
      description:
        'Codes in a file that Footfall wrote are kept. Default: false; other files say codes as they please.',
    }),
  ),
  create_groups: Type.Optional(Type.Boolean({ description: 'Groups that are not there are made. Default: false.' })),
  is_trial: Type.Optional(Type.Boolean({ description: 'Everything is checked and counted, nothing is written.' })),
})

export const importFields = {
  ...checkedRowsFields,
  ignored_columns: Type.Array(Type.String()),
  created: Type.Integer({ description: 'Links; in a trial those that would be.' }),
  created_groups: Type.Integer(),
  is_written: Type.Boolean(),
  links: Type.Array(LinkShape, { description: 'Those that were created, in the order of their rows.' }),
}
export type ImportJson = JsonOf<TObject<typeof importFields>>
