// The endpoints that mark sessions as invalid, one by one or many together, and take it back.
import type { Context } from '../context.ts'
import { role } from '../http/access.ts'
import { chapter, get, post } from '../http/endpoint.ts'
import { getSession } from '../sessions/sessions.ts'
import {
  beginMarking,
  getMarking,
  listMarkedSessions,
  listMarkings,
  shownMarking,
  tryMarking,
  undoMarking,
} from './marks.ts'
import * as schema from './schema.ts'

const reading = role('viewer')
const writing = role('admin')

/** The caller does not wait for it; after a failure the job goes on with it. */
function workOn({ markings, log }: Context): void {
  markings.work().catch((error: unknown) => log.error({ err: error }, 'marking sessions failed'))
}

export const markEndpoints = chapter('Dashboard', [
  post(
    '/manage/properties/:property/sessions/:session/mark',
    writing,
    {
      summary: 'Mark a session as invalid, or as valid again',
      body: schema.MarkBody,
      answer: schema.markedFields,
    },
    async ({ context, property, params, body: { is_invalid } }) => {
      await context.markings.markOne(property.id, getSession(context.keys, property.id, params.session), is_invalid)
      return { session_id: params.session, is_invalid }
    },
  ),
  get(
    '/manage/properties/:property/marked-sessions',
    reading,
    {
      summary: 'List the sessions that were marked as invalid individually, latest first',
      answer: { data: schema.MarkedSessionList },
      says: 'The latest 200. Texts are empty where nothing is known.',
    },
    async ({ context, property }) => ({ data: await listMarkedSessions(context, property.id) }),
  ),
  get(
    '/manage/properties/:property/session-marks',
    reading,
    {
      summary: 'List the bulk markings of a property, newest first',
      answer: { data: schema.MarkingList },
      says: 'The latest 200.',
    },
    async ({ context, property }) => ({ data: (await listMarkings(context, property.id)).map(shownMarking) }),
  ),
  post(
    '/manage/properties/:property/session-marks',
    writing,
    {
      summary: 'Mark many sessions as invalid, or count how many it would be',
      body: schema.NewMarking,
      answer: schema.newMarkingFields,
      says: 'The marking, which goes on in the background; of a trial, how many sessions it would mark and where they come from.',
    },
    async ({ context, property, body: { is_trial: isTrial = false, ...draft } }) => {
      if (isTrial) return { trial: await tryMarking(context, property.id, draft) }
      const marking = await beginMarking(context, property.id, draft)
      workOn(context)
      return { marking: shownMarking(marking) }
    },
  ),
  get(
    '/manage/properties/:property/session-marks/:marking',
    reading,
    { summary: 'Get the progress of a bulk marking', answer: { marking: schema.MarkingShape } },
    async ({ context, property, params }) => ({
      marking: shownMarking(await getMarking(context, property.id, params.marking)),
    }),
  ),
  post(
    '/manage/properties/:property/session-marks/:marking/undo',
    writing,
    { summary: 'Undo a bulk marking', answer: { marking: schema.MarkingShape } },
    async ({ context, property, params }) => {
      const marking = await undoMarking(context, property.id, params.marking)
      workOn(context)
      return { marking: shownMarking(marking) }
    },
  ),
])
