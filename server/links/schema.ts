// What the endpoints of groups and links take and answer: checked by these, documented by these.
import { type TObject, Type } from 'typebox'
import { rankedBy } from '../clicks/ranked-facts.ts'
import {
  checkedRowsFields,
  type JsonOf,
  MaybeText,
  oneOf,
  open,
  pageFields,
  pageQuery,
  sortQuery,
  rowOf,
  textCells,
  windowShape,
  windowQuery,
} from '../http/shapes.ts'
import { type CodeFault, MAX_SLUG } from './codes.ts'
import { columns, toldColumns } from './csv.ts'
import { foreignFormats } from './foreign-fields.ts'
import {
  domains,
  groupStates,
  MAX_DESCRIPTION,
  MAX_DESTINATION,
  MAX_GROUP_NAME,
  MAX_LINK_NAME,
  MAX_NOTES,
  MAX_FILE_ROWS,
  MAX_TAG,
  MAX_TAGS,
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

const utmProperties = utmRecord(() => ({ type: ['string', 'null'], maxLength: MAX_UTM }))

export const UtmValues = (description: string) =>
  Type.Optional(
    Type.Unsafe<Partial<Record<UtmName, string | null>> | null>({
      type: ['object', 'null'],
      properties: utmProperties,
      description,
    }),
  )

const UtmTemplate = UtmValues(
  'UTM values of new links that say nothing of them, with the placeholders {code}, {name} and {group}. In an update, a value that is not named stays.',
)

export const NewGroup = Type.Object({ name: GroupName, ...groupFields, utm_template: UtmTemplate })

export const ChangedGroup = Type.Object({
  name: Type.Optional(GroupName),
  ...groupFields,
  utm_template: UtmTemplate,
  state: Type.Optional(oneOf(groupStates, 'The links of an archived group answer 404.')),
})

const Destination = Type.String({
  maxLength: MAX_DESTINATION,
  description:
    'An http:// or https:// URL without credentials, not of a short domain; at most 8000 characters when it is percent-encoded and the UTM values are added.',
})
const DomainName = oneOf(domains)
const Tags = (description: string) =>
  Type.Optional(
    Type.Unsafe<readonly string[] | null>({
      type: ['array', 'null'],
      items: { type: 'string', maxLength: 4 * MAX_TAG },
      maxItems: MAX_TAGS,
      description,
    }),
  )
const OwnTags = Tags('Words by which you find it again: 20 of 40 characters at most, without commas.')
const Notes = NullableText(MAX_NOTES, 'For yourself; visitors never see them.')
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
  tags: OwnTags,
  notes: Notes,
  utm: UtmValues(
    'Added to the destination where its query does not have them. What is left out is filled in by the template of the group; null or an empty text: none.',
  ),
})

export const ChangedLink = Type.Object({
  destination_url: Type.Optional(Destination),
  domain: Type.Optional(DomainName),
  name: LinkName,
  utm: UtmValues('A value that is not named stays; null or an empty text clears one, null in place of the object all.'),
  is_active: Type.Optional(Type.Boolean({ description: 'An inactive link answers 404.' })),
  tags: OwnTags,
  notes: Notes,
  is_archived: Type.Optional(
    Type.Boolean({ description: 'An archived link is left out of the list of the dashboard, and leads on as before.' }),
  ),
})

export const GroupsQuery = Type.Object(pageQuery)
export const LinksQuery = Type.Object({
  group_id: Type.Optional(Type.String({ description: 'Links of this group alone.' })),
  ...pageQuery,
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
    utm_template: Type.Object(
      utmRecord(() => MaybeText),
      { ...open, description: 'null: nothing is filled in.' },
    ),
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
    tags: Type.Array(Type.String()),
    notes: MaybeText,
    is_archived: Type.Boolean({ description: 'Left out of the list of the dashboard; it leads on.' }),
    past_groups: Type.Array(Type.String(), { description: 'Groups that it was in before it was moved.' }),
    clicks: Type.Integer({ description: 'Clicks of people.' }),
    created_ts: Type.Integer(),
  },
  open,
)

export type GroupJson = JsonOf<typeof GroupShape>
export type LinkJson = JsonOf<typeof LinkShape>

export const GroupList = Type.Array(GroupShape)

// ---------------------------------------------------------------- /manage

const MAX_SEARCH = 2048
/** Longer than a code, so that one that is too long is told so. */
const MAX_CODE_QUERY = 255

const listStates = ['active', 'archived', 'all'] as const
export type ListState = (typeof listStates)[number]

export const ListQuery = Type.Object({
  search: Type.Optional(
    Type.String({
      maxLength: MAX_SEARCH,
      description:
        'Words that are all in the name, the code, the destination, the UTM values, the tags or the notes, whatever their capitals; a whole short address is its code.',
    }),
  ),
  group_id: Type.Optional(Type.String({ description: 'Links of this group alone.' })),
  tag: Type.Optional(Type.String({ maxLength: 4 * MAX_TAG, description: 'Links with this tag alone.' })),
  state: Type.Optional(oneOf(listStates, 'Default: active, which leaves archived links out.')),
  ...sortQuery(rankedBy, 'the newest first.'),
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
  name: Type.Optional(Type.String({ maxLength: MAX_LINK_NAME, description: 'Suggestions are based on it.' })),
  destination_url: Type.Optional(
    Type.String({ maxLength: MAX_DESTINATION, description: 'Suggestions are based on its last words.' }),
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
  from: Type.Optional(oneOf(foreignFormats, 'The service that wrote the file, as CSV or JSON: its codes are kept.')),
  csv: Type.String({
    description: `A file of links as text, with its header: up to ${MAX_FILE_ROWS} rows and 8 MB.`,
  }),
  group: Type.Optional(Type.String({ description: 'An id or a name, for rows that name no group.' })),
  domain: Type.Optional(Type.String({ description: '`link-a` or `link-b`, for rows that name none.' })),
  keep_codes: Type.Optional(
    Type.Boolean({
      description:
        'Codes in a file that Footfall wrote are kept. Default: false; other files say codes as they please.',
    }),
  ),
  create_groups: Type.Optional(Type.Boolean({ description: 'Creates missing groups. Default: false.' })),
  is_trial: Type.Optional(Type.Boolean({ description: 'Everything is checked and counted, nothing is written.' })),
})

export const importFields = {
  ...checkedRowsFields,
  ignored_columns: Type.Array(Type.String()),
  without_password: Type.Integer({
    description: 'Links that had a password, which no file holds: they are turned off until you give them one.',
  }),
  created: Type.Integer({ description: 'Links; in a trial those that would be.' }),
  created_groups: Type.Integer(),
  is_written: Type.Boolean(),
  links: Type.Array(LinkShape, { description: 'Those that were created, in the order of their rows.' }),
}
export type ImportJson = JsonOf<TObject<typeof importFields>>
