// The analytics endpoints (docs/api/analytics.md), whose answers carry no envelope.
import { role, token } from '../http/access.ts'
import { chapter, post, postBare } from '../http/endpoint.ts'
import { UTC } from '../kernel/zones.ts'
import type { Property } from '../properties/properties.ts'
import { answerBy } from '../shared-figures/questions.ts'
import { answerMetrics, answerSessions } from './analytics.ts'
import * as answers from './answer-schema.ts'
import { withGoals } from './goals.ts'
import { answerGraph, answerLive } from './graph.ts'
import type { AskedProperty } from './question.ts'
import * as schema from './schema.ts'

/**
 * Whoever asks the public interface and names no time zone is answered in UTC, with weeks that begin with the
 * window, and knows the periods of its closed list alone.
 */
const inUtc = ({ id, default_period }: Property): AskedProperty => ({
  id,
  default_period,
  timezone: UTC,
  isPublic: true,
})

const asking = token('signals:read', { shared: true })

export const analyticsEndpoints = chapter('Analytics', [
  postBare(
    '/v2/property/signals/analytics/metrics',
    asking,
    {
      isQuestion: true,
      summary: 'Get summary, top lists, countries and languages of a period',
      body: schema.MetricsBody,
      isBodyOptional: true,
      answer: answers.MetricsAnswer,
    },
    async ({ context, property, share, body }) =>
      answerBy({ context, share }, body, async (ask, shared) =>
        answerMetrics(context, inUtc(property), await withGoals(context, property.id, ask), shared),
      ),
  ),
  postBare(
    '/v2/property/signals/analytics/graph',
    asking,
    {
      isQuestion: true,
      summary: 'Get a metric over time',
      body: schema.GraphBody,
      isBodyOptional: true,
      answer: answers.GraphAnswer,
    },
    async ({ context, property, share, body }) =>
      answerBy({ context, share }, body, async (ask, shared) =>
        answerGraph(context, inUtc(property), await withGoals(context, property.id, ask), shared),
      ),
  ),
  postBare(
    '/v2/property/signals/analytics/live',
    asking,
    {
      isQuestion: true,
      summary: 'Get a metric over the last five minutes',
      body: schema.LiveBody,
      isBodyOptional: true,
      answer: answers.LiveAnswer,
    },
    async ({ context, property, share, body }) =>
      answerBy({ context, share }, body, async (ask, shared) =>
        answerLive(context, property, await withGoals(context, property.id, ask), shared),
      ),
  ),
  postBare(
    '/v2/property/signals/sessions',
    // Visits one by one identify people, so share links have none.
    token('signals:read'),
    {
      isQuestion: true,
      summary: 'List sessions of a period, newest first',
      body: schema.SessionsBody,
      isBodyOptional: true,
      query: schema.SessionsQuery,
      answer: answers.SessionsAnswer,
    },
    async ({ context, property, body, address }) =>
      answerSessions(context, inUtc(property), await withGoals(context, property.id, body), address),
  ),
  post(
    '/manage/properties/:property/sessions',
    role('viewer'),
    {
      isQuestion: true,
      summary: "List sessions of a period in the property's time zone, newest first",
      body: schema.SessionListBody,
      isBodyOptional: true,
      query: schema.SessionsQuery,
      answer: answers.sessionListFields,
    },
    async ({ context, property, body, address }) =>
      answerSessions(context, property, await withGoals(context, property.id, body), address),
  ),
])
