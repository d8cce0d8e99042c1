// What the endpoints of content blocks under /manage take and answer, for the documentation. The rules for
// blocks are in draft.ts, which the command line and undo use too; here is only the shape of a request.
import { type TObject, Type } from 'typebox'
import {
  described,
  editFields,
  type JsonOf,
  MaybeNumber,
  MaybeText,
  oneOf,
  open,
  pageQuery,
  sortQuery,
} from '../http/shapes.ts'
import { contentPolicies } from '../properties/properties.ts'
import {
  goalTypes,
  MAX_CTA_LABEL,
  MAX_CTAS,
  MAX_GOAL_VALUE,
  MAX_HTML,
  MAX_LABEL,
  MAX_NAME,
  MAX_URL,
  MAX_WEIGHT,
} from './content-model.ts'
import { DEFAULT_WEIGHT } from './draft.ts'

const GoalShape = Type.Object({
  type: oneOf(goalTypes),
  value: Type.Optional(
    Type.Unsafe<string | null>({
      ...MaybeText,
      maxLength: MAX_GOAL_VALUE,
      description:
        'click: the key of a cta, null for any; event: its name; form: the id of a form; conversion: the id of one.',
    }),
  ),
})

const Name = Type.String({ minLength: 1, maxLength: MAX_NAME, description: 'What you call it; visitors never see it.' })
const Archived = Type.Boolean({ description: 'An archived block is not found by pages. Default: false.' })

export const NewBlock = Type.Object({
  name: Name,
  key: Type.Optional(
    described(
      MaybeText,
      'In the address of render: 1 to 64 letters, digits, _ and -. Made up when left out; stays as it is.',
    ),
  ),
  goal: Type.Optional(GoalShape),
  is_archived: Type.Optional(Archived),
})
export type NewBlockJson = JsonOf<typeof NewBlock>

export const ChangedBlock = Type.Object({
  name: Type.Optional(Name),
  key: Type.Optional(Type.String()),
  goal: Type.Optional(GoalShape),
  is_archived: Type.Optional(Archived),
  weights: Type.Optional(
    Type.Unsafe<Record<string, number>>({
      type: 'object',
      additionalProperties: { type: 'integer' },
      description: 'By version id: several at once open one phase.',
    }),
  ),
})
export type ChangedBlockJson = JsonOf<typeof ChangedBlock>

const CtaAsk = Type.Object({
  key: Type.String({
    description: 'What track names a click by: 1 to 64 letters, digits, _ . : and -; once in a version.',
  }),
  label: Type.Optional(
    Type.Unsafe<string | null>({ ...MaybeText, maxLength: MAX_CTA_LABEL, description: 'Default: the key.' }),
  ),
  url: Type.Optional(
    Type.Unsafe<string | null>({
      ...MaybeText,
      maxLength: MAX_URL,
      description: 'http, https, mailto, tel or a path; null: the page decides what a click does.',
    }),
  ),
})

const Label = Type.String({ minLength: 1, maxLength: MAX_LABEL, description: 'Answered by render.' })
const Html = Type.String({
  maxLength: MAX_HTML,
  description: 'Stored as far as the policy of the property lets it through.',
})
const versionMembers = {
  ctas: Type.Optional(Type.Array(CtaAsk, { maxItems: MAX_CTAS, description: 'The whole list.' })),
  weight: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: MAX_WEIGHT,
      description: `Its share is this over the sum of those of all active versions. Default: ${DEFAULT_WEIGHT}.`,
    }),
  ),
  is_active: Type.Optional(Type.Boolean({ description: 'Default: true.' })),
}

export const NewVersion = Type.Object({ label: Label, html: Html, ...versionMembers })
export const ChangedVersion = Type.Object({ label: Type.Optional(Label), html: Type.Optional(Html), ...versionMembers })
export type ChangedVersionJson = JsonOf<typeof ChangedVersion>

export const PreviewBody = Type.Object({ html: Html })

export const PageQuery = Type.Object(pageQuery)
const blockSorts = ['name', 'versions', 'changed'] as const
export type BlockSort = (typeof blockSorts)[number]

export const BlocksQuery = Type.Object({
  search: Type.Optional(
    Type.String({
      maxLength: 255,
      description: 'Words that are all in the name or the key; capital letters do not count.',
    }),
  ),
  ...sortQuery(blockSorts, 'the newest first.'),
  ...pageQuery,
})

// ---------------------------------------------------------------- answers

export const Goal = Type.Object({ type: oneOf(goalTypes), value: MaybeText })

const sketchFields = {
  id: Type.String({ examples: ['ve_…'] }),
  label: Type.String(),
  weight: Type.Integer(),
  is_active: Type.Boolean(),
}

export const VersionShape = Type.Object(
  {
    ...sketchFields,
    html: Type.String(),
    ctas: Type.Array(Type.Object({ key: Type.String(), label: Type.String(), url: MaybeText })),
    created_ts: Type.Integer(),
    updated_ts: Type.Integer(),
  },
  open,
)
export type VersionJson = JsonOf<typeof VersionShape>

const blockFields = {
  id: Type.String({ examples: ['cb_…'] }),
  key: Type.String({ description: 'Public: in the address of render.', examples: ['ck_…'] }),
  name: Type.String(),
  goal: Goal,
  is_archived: Type.Boolean(),
  phase: Type.Integer({ description: 'Which counts now: a change of what visitors can be shown opens the next one.' }),
  created_ts: Type.Integer(),
  updated_ts: Type.Integer(),
}

export const BlockShape = Type.Object({ ...blockFields, versions: Type.Array(VersionShape) }, open)
export type BlockJson = JsonOf<typeof BlockShape>

export const ListedBlockShape = Type.Object({ ...blockFields, versions: Type.Array(Type.Object(sketchFields)) }, open)
export type ListedBlockJson = JsonOf<typeof ListedBlockShape>

const Removed = Type.Array(Type.String(), { description: 'What the policy took out of the HTML; the first kinds.' })

export const undoneFields = { content: BlockShape, removed: Removed }
export const previewFields = { html: Type.String({ description: 'What would be stored.' }), removed: Removed }
export const savedVersionFields = { version: VersionShape, removed: Removed }

export const PhaseShape = Type.Object(
  {
    number: Type.Integer(),
    started_ms: Type.Integer(),
    ended_ms: described(MaybeNumber, 'null: it counts now.'),
    setup: Type.Array(Type.Object({ version_id: Type.String(), label: Type.String(), weight: Type.Integer() })),
  },
  open,
)
export type PhaseJson = JsonOf<typeof PhaseShape>

export const EditShape = Type.Object(
  { ...editFields('ce_…'), version_id: described(MaybeText, 'null: of the block itself.') },
  open,
)
export type EditJson = JsonOf<typeof EditShape>

const PolicyShape = Type.Object(
  {
    tags: Type.Array(Type.String()),
    attributes: Type.Record(Type.String(), Type.Array(Type.String())),
    schemes: Type.Array(Type.String()),
    styles: Type.Array(Type.String()),
  },
  open,
)

export const policyFields = {
  content_policy: oneOf(contentPolicies, 'The one in force: a setting of the property.'),
  policies: Type.Object({ standard: PolicyShape, wide: PolicyShape }),
}
export type PolicyJson = JsonOf<TObject<typeof policyFields>>
