// What the endpoints of content blocks take and answer under /manage: documented by these. What a block may be is checked by draft.ts, which the command
// line and undo use too; here is only what a request must look like for that.
import { Type } from 'typebox'
import { answerOf, editFields, linkedPageFields, MaybeNumber, MaybeText, open, pageQuery } from '../http/shapes.ts'
import {
  type GoalType,
  goalTypes,
  MAX_CTA_LABEL,
  MAX_CTAS,
  MAX_GOAL_VALUE,
  MAX_HTML,
  MAX_LABEL,
  MAX_NAME,
  MAX_URL,
  MAX_WEIGHT,
} from './content.ts'
import { DEFAULT_WEIGHT } from './draft.ts'

const GoalShape = Type.Object({
  type: Type.Unsafe<GoalType>({ enum: [...goalTypes] }),
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
    Type.Unsafe<string | null>({
      ...MaybeText,
      description: 'In the address of render: 1 to 64 letters, digits, _ and -. Made up when left out; stays as it is.',
    }),
  ),
  goal: Type.Optional(GoalShape),
  is_archived: Type.Optional(Archived),
})

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

export const PreviewBody = Type.Object({ html: Html })

export const PropertyParams = Type.Object({ property: Type.String() })
export const BlockParams = Type.Object({ property: Type.String(), block: Type.String() })
export const VersionParams = Type.Object({ property: Type.String(), block: Type.String(), version: Type.String() })
export const EditParams = Type.Object({ property: Type.String(), block: Type.String(), edit: Type.String() })
export const PageQuery = Type.Object(pageQuery)
export const BlocksQuery = Type.Object({
  search: Type.Optional(
    Type.String({
      maxLength: 255,
      description: 'Words that are all in the name or the key; capital letters do not count.',
    }),
  ),
  ...pageQuery,
})

// ---------------------------------------------------------------- answers

const Goal = Type.Object({ type: Type.String(), value: MaybeText })

const sketchFields = {
  id: Type.String({ examples: ['ve_…'] }),
  label: Type.String(),
  weight: Type.Integer(),
  is_active: Type.Boolean(),
}

const VersionShape = Type.Object(
  {
    ...sketchFields,
    html: Type.String(),
    ctas: Type.Array(Type.Object({ key: Type.String(), label: Type.String(), url: MaybeText })),
    created_ts: Type.Integer(),
    updated_ts: Type.Integer(),
  },
  open,
)

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

const BlockShape = Type.Object({ ...blockFields, versions: Type.Array(VersionShape) }, open)
const Removed = Type.Array(Type.String(), { description: 'What the policy took out of the HTML; the first kinds.' })
const page = (row: Parameters<typeof Type.Array>[0]) => answerOf({ data: Type.Array(row), ...linkedPageFields })

export const BlockAnswer = answerOf({ content: BlockShape })
export const BlockPage = page(Type.Object({ ...blockFields, versions: Type.Array(Type.Object(sketchFields)) }, open))
export const UndoneAnswer = answerOf({ content: BlockShape, removed: Removed })
export const PreviewAnswer = answerOf({ html: Type.String({ description: 'What would be stored.' }), removed: Removed })
export const VersionAnswer = answerOf({ version: VersionShape })
export const SavedVersionAnswer = answerOf({ version: VersionShape, removed: Removed })
export const VersionPage = page(VersionShape)
export const DeletedAnswer = answerOf({ deleted: Type.Boolean() })

export const PhasePage = page(
  Type.Object(
    {
      number: Type.Integer(),
      started_ms: Type.Integer(),
      ended_ms: Type.Unsafe<number | null>({ ...MaybeNumber, description: 'null: it counts now.' }),
      setup: Type.Array(Type.Object({ version_id: Type.String(), label: Type.String(), weight: Type.Integer() })),
    },
    open,
  ),
)

export const EditPage = page(
  Type.Object(
    {
      ...editFields('ce_…'),
      version_id: Type.Unsafe<string | null>({ ...MaybeText, description: 'null: of the block itself.' }),
    },
    open,
  ),
)

const PolicyShape = Type.Object(
  {
    tags: Type.Array(Type.String()),
    attributes: Type.Object({}, { additionalProperties: Type.Array(Type.String()) }),
    schemes: Type.Array(Type.String()),
    styles: Type.Array(Type.String()),
  },
  open,
)

export const PolicyAnswer = answerOf({
  content_policy: Type.String({ description: 'The one in force: a setting of the property.' }),
  policies: Type.Object({ standard: PolicyShape, wide: PolicyShape }),
})
