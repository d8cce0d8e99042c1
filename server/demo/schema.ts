// What the endpoints of the sample data answer.
import { Type } from 'typebox'
import { type JsonOf, oneOf, open } from '../http/shapes.ts'

export const SampleShape = Type.Object(
  {
    property_id: Type.String(),
    state: oneOf(['running', 'done', 'failed'], 'failed: it was not written to its end; another POST completes it.'),
    progress: Type.Number({ description: '0 to 1.' }),
  },
  open,
)
export type SampleJson = JsonOf<typeof SampleShape>
