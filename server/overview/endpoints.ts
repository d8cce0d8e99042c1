// The endpoints that take facts and names of several capabilities at once: the overview, the story of a session, the check of the tracking.
import { answerBy } from '../shared-figures/questions.ts'
import { role } from '../http/access.ts'
import { clientAddress } from '../http/client.ts'
import { chapter, get, post } from '../http/endpoint.ts'
import { answerOverview } from './overview.ts'
import * as schema from './schema.ts'
import { readStory } from '../story/story.ts'
import { readTracking } from '../tracking-check/tracking.ts'

export const dashboardEndpoints = chapter('Dashboard', [
  post(
    '/manage/properties/:property/overview',
    role('viewer', { shared: true }),
    {
      summary: 'Cards, graph, lists and outcomes of a window in one answer',
      body: schema.OverviewBody,
      isBodyOptional: true,
      answer: schema.overviewFields,
    },
    async ({ context, property, share, body }) =>
      answerBy(share, body, (shared) => answerOverview(context, property, body, shared)),
  ),
  get(
    '/manage/properties/:property/sessions/:session',
    role('viewer'),
    { summary: 'A session, and what happened in it in the order of time', answer: schema.storyFields },
    async ({ context, property, params }) => readStory(context, property.id, params.session),
  ),
  get(
    '/manage/properties/:property/tracking',
    role('viewer'),
    { summary: 'What arrived lately, and what to do about what did not', answer: schema.trackingFields },
    async ({ context, property, request }) => readTracking(context, property, clientAddress(request)),
  ),
])
