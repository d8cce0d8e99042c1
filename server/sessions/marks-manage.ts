// Marking sessions as invalid, and taking it back (/manage/properties/{property}/session-marks and …/sessions/{session}/mark).
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Context } from '../context.ts'
import { ok } from '../http/answer.ts'
import { requireRole } from '../http/hooks.ts'
import { getProperty } from '../properties/properties.ts'
import { getSession } from './given.ts'
import {
  beginMarking,
  getMarking,
  listMarkedSessions,
  listMarkings,
  shownMarking,
  tryMarking,
  undoMarking,
} from './marks.ts'
import * as schema from './marks-schema.ts'

const common = { tags: ['Dashboard'], security: [{ admin: [] }] }

function oneRoutes(context: Context): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.post(
      '/manage/properties/:property/sessions/:session/mark',
      {
        schema: {
          ...common,
          summary: 'Mark a session as invalid, or as valid again',
          params: schema.SessionParams,
          body: schema.MarkBody,
          response: { 200: schema.MarkedAnswer },
        },
      },
      async ({ params, body }) => {
        const { id } = await getProperty(context, params.property)
        await context.markings.markOne(id, getSession(context.keys, id, params.session), body.is_invalid)
        return ok({ session_id: params.session, is_invalid: body.is_invalid })
      },
    )
  }
}

function aloneRoutes(context: Context): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/manage/properties/:property/marked-sessions',
      {
        schema: {
          ...common,
          summary: 'List the sessions that were marked as invalid one by one, the last one marked first',
          params: schema.PropertyParams,
          response: { 200: schema.MarkedSessionList },
        },
      },
      async ({ params }) => {
        const { id } = await getProperty(context, params.property)
        return ok({ data: await listMarkedSessions(context, id) })
      },
    )
  }
}

function manyRoutes(context: Context): FastifyPluginAsyncTypebox {
  /** Whoever asked does not wait for it; what fails is gone on with by the job. */
  const workOn = (): void => {
    context.markings.work().catch((error: unknown) => context.log.error({ err: error }, 'marking sessions failed'))
  }
  return async (app) => {
    app.get(
      '/manage/properties/:property/session-marks',
      {
        schema: {
          ...common,
          summary: 'List the markings of a property, newest first',
          params: schema.PropertyParams,
          response: { 200: schema.MarkingList },
        },
      },
      async ({ params }) => {
        const { id } = await getProperty(context, params.property)
        return ok({ data: (await listMarkings(context, id)).map(shownMarking) })
      },
    )

    app.post(
      '/manage/properties/:property/session-marks',
      {
        schema: {
          ...common,
          summary: 'Mark many sessions as invalid, or say how many it would be',
          params: schema.PropertyParams,
          body: schema.NewMarking,
          response: { 200: schema.NewMarkingAnswer },
        },
      },
      async ({ params, body: { is_trial: isTrial = false, ...draft } }) => {
        const { id } = await getProperty(context, params.property)
        if (isTrial) return ok({ trial: await tryMarking(context, id, draft) })
        const marking = await beginMarking(context, id, draft)
        workOn()
        return ok({ marking: shownMarking(marking) })
      },
    )

    app.get(
      '/manage/properties/:property/session-marks/:marking',
      {
        schema: {
          ...common,
          summary: 'Get a marking: how far it is',
          params: schema.MarkingParams,
          response: { 200: schema.MarkingAnswer },
        },
      },
      async ({ params }) => {
        const { id } = await getProperty(context, params.property)
        return ok({ marking: shownMarking(await getMarking(context, id, params.marking)) })
      },
    )

    app.post(
      '/manage/properties/:property/session-marks/:marking/undo',
      {
        schema: {
          ...common,
          summary: 'Take a marking back',
          params: schema.MarkingParams,
          response: { 200: schema.MarkingAnswer },
        },
      },
      async ({ params }) => {
        const { id } = await getProperty(context, params.property)
        const marking = await undoMarking(context, id, params.marking)
        workOn()
        return ok({ marking: shownMarking(marking) })
      },
    )
  }
}

export function routes(context: Context): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.addHook('onRequest', requireRole(context, { read: 'viewer', write: 'admin' }))
    for (const part of [oneRoutes, aloneRoutes, manyRoutes]) await app.register(part(context))
  }
}
