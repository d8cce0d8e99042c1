// What the endpoints of stored facts and their removal answer.
import { Type } from 'typebox'
import { described, type JsonOf, MaybeNumber, MaybeText, oneOf, open, orNull } from '../http/shapes.ts'

const StoredShape = Type.Object(
  {
    sessions: Type.Integer({ description: 'Of bots and visitors alike, as all of these.' }),
    views: Type.Integer(),
    events: Type.Integer({ description: 'Custom events, acquisitions and identifications.' }),
    clicks: Type.Integer({ description: 'Rows; one of a flood stands for many clicks.' }),
    form_events: Type.Integer({ description: 'Steps of forms. Submissions are records, and stay.' }),
    impressions: Type.Integer({ description: 'Views and clicks of content.' }),
    first_day: described(MaybeText, 'YYYY-MM-DD'),
    last_day: described(MaybeText, 'YYYY-MM-DD'),
  },
  open,
)
export type StoredJson = JsonOf<typeof StoredShape>

const RemovalShape = Type.Object(
  {
    id: Type.String({ examples: ['rm_…'] }),
    reason: oneOf(['deleted', 'reset', 'retention']),
    state: oneOf(['removing', 'removed']),
    weeks: Type.Integer({ description: 'Weeks that are gone.' }),
    created_ts: Type.Integer(),
    finished_ts: MaybeNumber,
  },
  open,
)
export type RemovalJson = JsonOf<typeof RemovalShape>

export const removalFields = { removal: RemovalShape }

export const storedFields = {
  stored: StoredShape,
  removal: described(orNull(RemovalShape), 'The last one, if any.'),
}
