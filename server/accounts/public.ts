// Signing in and out, and the first owner (/manage/session, /manage/setup): what nobody has to be signed in for.
import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import { ok } from '../http/answer.ts'
import { type Caller, findCaller } from '../http/auth.ts'
import { clientAddress } from '../http/client.ts'
import { clearCookie, readCookie, refuseForeignPages, refuseForeignSignIns, setCookie } from '../http/cookies.ts'
import { clientOf } from '../http/limits.ts'
import { MAX_PER_PAGE } from '../kernel/page.ts'
import { getProperty, listProperties } from '../properties/properties.ts'
import { VERSION } from '../version.ts'
import { Credentials, FirstOwner, SessionAnswer, SignedInAnswer, SignedOutAnswer } from './schema.ts'
import { isSetupOpen, setUp } from './setup.ts'
import { closeSession } from './sessions.ts'
import { type Opened, signIn, type Visitor } from './sign-in.ts'
import { roleOf, type SignedIn } from './user.ts'

/** No more are told at once; who has more finds the others with GET /manage/properties?search=. */
const LISTED_PROPERTIES = MAX_PER_PAGE

/** Told once: otherwise everybody has the address of the proxy, and the wrong tries of one are counted for all. */
const toldOfProxy = new WeakSet<object>()

export function tellOfProxy({ config, log }: Pick<Context, 'config' | 'log'>, headers: IncomingHttpHeaders): void {
  if (headers['x-forwarded-for'] === undefined || config.trustProxy.length > 0 || toldOfProxy.has(config)) return
  toldOfProxy.add(config)
  log.warn(
    'requests carry X-Forwarded-For, and TRUST_PROXY is not set: whoever comes through a proxy counts as one client',
  )
}

export function visitorOf(context: Context, request: FastifyRequest): Visitor {
  const address = clientAddress(request)
  tellOfProxy(context, request.headers)
  const { browser, os } = context.enrich.agent(request.headers['user-agent'] ?? '')
  return {
    browser,
    os,
    country: context.enrich.place(address).country,
    address,
    client: clientOf(address),
    cookie: readCookie(context.config, request),
  }
}

/** Answers with the person, and the session in the cookie. */
export function answerSignedIn(context: Context, reply: FastifyReply, { user, secret }: Opened) {
  setCookie(context.config, reply, secret)
  return ok({ user })
}

async function propertiesOf(context: Context, signedIn: SignedIn) {
  const ids = signedIn.user.is_owner ? undefined : [...signedIn.roles.keys()]
  const { rows } = await listProperties(context, { page: 1, perPage: LISTED_PROPERTIES }, { ids })
  return rows.map(({ id, key, name, is_sample }) => ({ id, key, name, role: roleOf(signedIn, id), is_sample }))
}

async function shareOf(context: Context, caller: Caller | undefined) {
  if (caller?.kind !== 'share') return null
  const { id, name } = await getProperty(context, caller.propertyId)
  return { id: caller.shareId, property: { id, name } }
}

const common = { tags: ['Accounts'], security: [{}] }

function sessionRoutes(context: Context): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get('/manage/session', {
      schema: { ...common, summary: 'Who is calling', response: { 200: SessionAnswer } },
      handler: async (request) => {
        const caller = await findCaller(context, request)
        const signedIn = caller?.kind === 'user' ? caller : undefined
        return ok({
          user: signedIn?.user ?? null,
          properties: signedIn ? await propertiesOf(context, signedIn) : [],
          is_setup_open: await isSetupOpen(context),
          version: signedIn || caller?.kind === 'admin' ? VERSION : null,
          share: await shareOf(context, caller),
        })
      },
    })

    app.post('/manage/session', {
      schema: { ...common, summary: 'Sign in', body: Credentials, response: { 200: SignedInAnswer } },
      handler: async (request, reply) => {
        refuseForeignSignIns(context.config, request)
        return answerSignedIn(context, reply, await signIn(context, request.body, visitorOf(context, request)))
      },
    })

    app.delete('/manage/session', {
      schema: { ...common, summary: 'Sign out', response: { 200: SignedOutAnswer } },
      handler: async (request, reply) => {
        const secret = readCookie(context.config, request)
        if (secret !== undefined) {
          refuseForeignPages(context.config, request)
          await closeSession(context, secret)
        }
        clearCookie(context.config, reply)
        return ok({ signed_out: true })
      },
    })
  }
}

function setupRoutes(context: Context): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.post('/manage/setup', {
      schema: {
        ...common,
        summary: 'Make the first owner, once, with the one-time link that the start printed',
        body: FirstOwner,
        response: { 200: SignedInAnswer },
      },
      handler: async (request, reply) => {
        refuseForeignSignIns(context.config, request)
        return answerSignedIn(context, reply, await setUp(context, request.body, visitorOf(context, request)))
      },
    })
  }
}

export function routes(context: Context): FastifyPluginAsyncTypebox {
  return async (app) => {
    for (const part of [sessionRoutes, setupRoutes]) await app.register(part(context))
  }
}
