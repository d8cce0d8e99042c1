// The overview of a property.
import { role } from '../http/access.ts'
import { withGoals } from '../analytics/goals.ts'
import { chapter, post } from '../http/endpoint.ts'
import { answerBy } from '../shared-figures/questions.ts'
import { answerOverview } from './overview.ts'
import * as schema from './schema.ts'

export const overviewEndpoints = chapter('Dashboard', [
  post(
    '/manage/properties/:property/overview',
    role('viewer', { shared: true }),
    {
      isQuestion: true,
      summary: 'Get the cards, graph, lists and outcomes of a period in one response',
      body: schema.OverviewBody,
      isBodyOptional: true,
      answer: schema.overviewFields,
    },
    async ({ context, property, share, body }) =>
      answerBy({ context, share }, body, async (ask, shared) =>
        answerOverview(context, property, await withGoals(context, property.id, ask), shared),
      ),
  ),
])
