// What the story of a session answers, for the check and for the documentation.
import { type TObject, Type } from 'typebox'
import { sessionFields } from '../analytics/session-schema.ts'
import { type JsonOf, MaybeText, oneOf, open } from '../http/shapes.ts'

const Text = Type.Optional(Type.String())
/** Of steps at the same millisecond, what led to the others comes first. */
export const stepKinds = ['link', 'page', 'content', 'form', 'event', 'money', 'contact', 'webhook'] as const

const StepShape = Type.Object(
  {
    ts: Type.Integer(),
    kind: oneOf(stepKinds),
    title: Type.String(),
    detail: Text,
    seconds: Type.Optional(Type.Number({ description: 'In view, of a page or of content.' })),
    scroll: Type.Optional(Type.Number({ description: '0 to 100.' })),
    id: Type.Optional(Type.String({ description: 'Of the link, form submission, contact, block or delivery.' })),
    automation_id: Type.Optional(Type.String({ description: 'That the delivery belongs to.' })),
    status: Text,
    amount_cents: Type.Optional(Type.Integer({ description: 'Minor units of `currency`.' })),
    currency: Text,
    properties: Type.Optional(
      Type.Array(Type.Object({ key: Type.String(), value: Type.String() }, open), {
        description: 'What an event came with, or a page said of itself.',
      }),
    ),
  },
  { ...open, description: 'Texts are as they were collected; what is not known is left out.' },
)
export type StepJson = JsonOf<typeof StepShape>

export const storyFields = {
  session: Type.Object(
    {
      ...sessionFields,
      contact_name: MaybeText,
      is_invalid: Type.Boolean({ description: 'Excluded from all metrics by an owner.' }),
    },
    open,
  ),
  story: Type.Array(StepShape, { description: 'In the order of time.' }),
}
export type StoryJson = JsonOf<TObject<typeof storyFields>>
