// What the endpoints of groups and links take and answer: checked by these, documented by these.
import { Type } from 'typebox'
import { answerOf, linkedPageFields, MaybeText, open, pageQuery } from '../http/shapes.ts'
import {
  type Domain,
  domains,
  type GroupState,
  groupStates,
  MAX_DESCRIPTION,
  MAX_DESTINATION,
  MAX_GROUP_NAME,
  MAX_LINK_NAME,
  MAX_UTM,
  type Purpose,
  purposes,
  type UtmName,
  utmNames,
} from './link.ts'

/** One schema with several types instead of a union: a wrong value is then one error. */
const NullableText = (maxLength: number, description: string) =>
  Type.Optional(Type.Unsafe<string | null>({ type: ['string', 'null'], maxLength, description }))

const GroupName = Type.String({ minLength: 1, maxLength: MAX_GROUP_NAME })
const groupFields = {
  description: NullableText(MAX_DESCRIPTION, 'null or an empty text: none.'),
  purpose: Type.Optional(Type.Unsafe<Purpose>({ enum: [...purposes], description: 'Default: campaign.' })),
  track_clicks: Type.Optional(Type.Boolean({ description: 'Whether clicks are recorded. Default: true.' })),
}

export const NewGroup = Type.Object({ name: GroupName, ...groupFields })

export const ChangedGroup = Type.Object({
  name: Type.Optional(GroupName),
  ...groupFields,
  state: Type.Optional(
    Type.Unsafe<GroupState>({ enum: [...groupStates], description: 'The links of an archived group answer 404.' }),
  ),
})

const utmProperties = Object.fromEntries(
  utmNames.map((name) => [name, { type: ['string', 'null'], maxLength: MAX_UTM }]),
)

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
const DomainName = Type.Unsafe<Domain>({ enum: [...domains] })
const LinkName = NullableText(MAX_LINK_NAME, 'What you call the link; visitors never see it.')

export const NewLink = Type.Object({
  group_id: Type.String({ description: 'A group of this property.' }),
  destination_url: Destination,
  domain: DomainName,
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

export const GroupParams = Type.Object({ group: Type.String() })
export const LinkParams = Type.Object({ link: Type.String() })

export const GroupsQuery = Type.Object(pageQuery)
export const LinksQuery = Type.Object({
  group_id: Type.Optional(Type.String({ description: 'Links of this group alone.' })),
  ...pageQuery,
})

export const QrQuery = Type.Object({
  format: Type.Optional(Type.Unsafe<'svg' | 'png'>({ enum: ['svg', 'png'], description: 'Default: svg.' })),
  size: Type.Optional(Type.String({ description: 'Width and height in pixels, 64 to 2048; default 512.' })),
})

// ---------------------------------------------------------------- answers

const GroupShape = Type.Object(
  {
    id: Type.String({ examples: ['lg_…'] }),
    name: Type.String(),
    description: MaybeText,
    purpose: Type.Unsafe<Purpose>({ enum: [...purposes] }),
    state: Type.Unsafe<GroupState>({ enum: [...groupStates] }),
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
    utm: Type.Object(Object.fromEntries(utmNames.map((name) => [name, MaybeText])), open),
    is_active: Type.Boolean(),
    clicks: Type.Integer({ description: 'Clicks of people.' }),
    created_ts: Type.Integer(),
  },
  open,
)

export const GroupAnswer = answerOf({ group: GroupShape })
export const GroupPage = answerOf({ groups: Type.Array(GroupShape), ...linkedPageFields })
export const LinkAnswer = answerOf({ link: LinkShape })
export const LinkPage = answerOf({ data: Type.Array(LinkShape), ...linkedPageFields })
export const DeletedAnswer = answerOf({ deleted: Type.Boolean() })
