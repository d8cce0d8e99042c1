// The endpoint of how fast pages were (/manage/properties/{property}/speed).
import { withGoals } from '../analytics/goals.ts'
import { role } from '../http/access.ts'
import { chapter, post } from '../http/endpoint.ts'
import { SpeedBody, speedAnswer } from './schema.ts'
import { answerSpeed } from './vitals.ts'

export const speedEndpoints = chapter('Dashboard', [
  post(
    '/manage/properties/:property/speed',
    role('viewer'),
    {
      isQuestion: true,
      summary: 'Get Web Vitals: overall, by device and by page',
      body: SpeedBody,
      isBodyOptional: true,
      answer: speedAnswer,
    },
    async ({ context, property, body }) => answerSpeed(context, property, await withGoals(context, property.id, body)),
  ),
])
