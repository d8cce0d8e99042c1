// The contact endpoints (SPEC.md 4.3). A contact of another property is as if it did not exist.
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import { ok } from '../http/answer.ts'
import { propertyOf, requireScope } from '../http/hooks.ts'
import { paginateLinked, readInteger, readPageAsk, readPerPage, unlessEmpty } from '../kernel/page.ts'
import { invalid } from '../kernel/problem.ts'
import { cleanText } from '../kernel/text.ts'
import { getSession, givenSessionId, type NamesSession } from '../sessions/given.ts'
import { SessionHeaders } from '../sessions/schema.ts'
import {
  type ContactOrder,
  type ContactSort,
  type ContactState,
  MAX_LIFECYCLE_STAGE,
  MAX_SEARCH,
  shownContact,
} from './contact.ts'
import { type ContactFilter, contactNotFound, getContact, listContacts, updateContact } from './contacts.ts'
import { eraseContact } from './erase.ts'
import { identifyContact } from './identify.ts'
import * as schema from './schema.ts'
import { type CursorAsk, listContactSessions, MAX_CURSOR } from './session-list.ts'

const tags = ['Contacts']

function readCursor(query: { cursor?: string; per_page?: string }): CursorAsk {
  const perPage = readPerPage(query.per_page)
  const cursor = unlessEmpty(query.cursor)
  if (cursor === undefined) return { perPage }
  return { perPage, cursor: readInteger('cursor', cursor, { min: 0, max: MAX_CURSOR, default: 0 }) }
}

/** No stored text has a NUL: left out, it would make a filter wider than it was meant, or none at all. */
function readText(field: string, text = '', max: number): string {
  if (text.includes('\0')) throw invalid(field, `${field} may not contain a NUL character.`)
  return cleanText(text, max).trim()
}

/** A text of blanks filters nothing. */
function readFilter(query: { search?: string; state?: ContactState | ''; lifecycle_stage?: string }): ContactFilter {
  const search = readText('search', query.search, MAX_SEARCH)
  const stage = readText('lifecycle_stage', query.lifecycle_stage, MAX_LIFECYCLE_STAGE)
  return {
    ...(search && { search }),
    ...(stage && { lifecycle_stage: stage }),
    ...(query.state && { state: query.state }),
  }
}

/** Figures and times begin with the largest, names with A. A direction alone would be taken for one that was followed. */
function readOrder({
  sort,
  direction,
}: {
  sort?: ContactSort | ''
  direction?: 'asc' | 'desc' | ''
}): ContactOrder | undefined {
  if (sort) return { sort, isDescending: direction ? direction === 'desc' : sort !== 'name' }
  if (direction) throw invalid('direction', 'direction is that of a sort: say which.')
  return undefined
}

/** PostgreSQL takes no NUL in a text, not even to look for it. */
function contactIdOf({ contact }: { readonly contact: string }): string {
  if (contact.includes('\0')) throw contactNotFound()
  return contact
}

/** A contact may be known before any session of it is: none is no fault here. */
function findSession(context: Context, request: FastifyRequest, body: NamesSession) {
  const id = givenSessionId(request.headers, body)
  return id === undefined ? undefined : { id, session: getSession(context.keys, propertyOf(request).id, id) }
}

function identifyRoutes(context: Context): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.route({
      method: 'POST',
      url: '/v2/property/contacts/identify',
      onRequest: requireScope(context, 'contacts:write'),
      schema: {
        tags,
        summary: 'Say who a person is, and which session is theirs',
        headers: SessionHeaders,
        body: schema.IdentifyBody,
        response: { 200: schema.IdentifyAnswer },
      },
      handler: async (request) => {
        const { id: propertyId } = propertyOf(request)
        const { external_id, email, traits } = request.body
        const given = findSession(context, request, request.body)
        const identification = { external_id, email, traits }
        const found = await identifyContact(context, propertyId, given?.session, identification, 'token')
        return ok({
          contact: shownContact(found.contact),
          session_id: given?.id ?? null,
          linked_to_session: found.isLinked,
        })
      },
    })
  }
}

function readRoutes(context: Context): FastifyPluginAsyncTypebox {
  const onRequest = requireScope(context, 'contacts:read')
  return async (app) => {
    app.route({
      method: 'GET',
      url: '/v2/property/contacts',
      onRequest,
      schema: {
        tags,
        summary: 'List, search and sort contacts; newest first when nothing is said',
        querystring: schema.ListQuery,
        response: { 200: schema.ContactPage },
      },
      handler: async (request) => {
        const page = readPageAsk(request.query)
        const ask = { ...page, order: readOrder(request.query) }
        const { rows, total } = await listContacts(context, propertyOf(request).id, readFilter(request.query), ask)
        const address = { baseUrl: context.config.baseUrl, path: '/v2/property/contacts', query: { ...request.query } }
        return ok(paginateLinked(rows.map(shownContact), page, total, address))
      },
    })

    app.route({
      method: 'GET',
      url: '/v2/property/contacts/:contact',
      onRequest,
      schema: { tags, summary: 'Get a contact', params: schema.ContactParams, response: { 200: schema.ContactAnswer } },
      handler: async (request) =>
        ok({ contact: shownContact(await getContact(context, propertyOf(request).id, contactIdOf(request.params))) }),
    })

    app.route({
      method: 'GET',
      url: '/v2/property/contacts/:contact/sessions',
      onRequest,
      schema: {
        tags,
        summary: 'The sessions of a contact, newest first',
        params: schema.ContactParams,
        querystring: schema.SessionsQuery,
        response: { 200: schema.SessionsAnswer },
      },
      handler: async (request) => {
        const ask = readCursor(request.query)
        return ok(await listContactSessions(context, propertyOf(request).id, contactIdOf(request.params), ask))
      },
    })
  }
}

function changeRoutes(context: Context): FastifyPluginAsyncTypebox {
  const onRequest = requireScope(context, 'contacts:write')
  return async (app) => {
    app.route({
      method: 'POST',
      url: '/v2/property/contacts/:contact',
      onRequest,
      schema: {
        tags,
        summary: 'Update a contact',
        params: schema.ContactParams,
        body: schema.UpdateBody,
        response: { 200: schema.ContactAnswer },
      },
      handler: async (request) => {
        const updated = await updateContact(context, propertyOf(request).id, contactIdOf(request.params), request.body)
        return ok({ contact: shownContact(updated) })
      },
    })

    app.route({
      method: 'DELETE',
      url: '/v2/property/contacts/:contact',
      onRequest,
      schema: {
        tags,
        summary: 'Delete a contact: its personal fields are emptied for good',
        params: schema.ContactParams,
        response: { 200: schema.DeletedAnswer },
      },
      handler: async (request) => {
        await eraseContact(context, propertyOf(request).id, contactIdOf(request.params))
        return ok({ deleted: true })
      },
    })
  }
}

export function routes(context: Context): FastifyPluginAsyncTypebox {
  return async (app) => {
    for (const part of [identifyRoutes, readRoutes, changeRoutes]) await app.register(part(context))
  }
}
