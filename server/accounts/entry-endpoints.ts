// Endpoints that need no signed-in person: signing in and out, the first owner (/manage/session,
// /manage/setup), and links that let their bearer in (/manage/invitation, /manage/share).
import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { Context } from '../context.ts'
import { anyone, shareLink } from '../http/access.ts'
import { type Caller, findCaller } from '../http/auth.ts'
import { clientAddress } from '../http/client.ts'
import { clearCookie, readCookie, refuseForeignPages, refuseForeignSignIns, setCookie } from '../http/cookies.ts'
import { get, post, remove } from '../http/endpoint.ts'
import { clientOf } from '../http/limits.ts'
import { MAX_PER_PAGE } from '../kernel/page.ts'
import { codeOf, getProperty, listProperties } from '../properties/properties.ts'
import { VERSION } from '../version.ts'
import { isMailOn } from '../mail/mail.ts'
import { acceptLink } from './accept.ts'
import { describeLink } from '../members/invitations.ts'
import { askForReset } from './forgotten.ts'
import * as schema from './schema.ts'
import { isSetupOpen, setUp } from './setup.ts'
import { closeSession } from './sessions.ts'
import { openShare, renewShare } from '../members/shares.ts'
import { type Opened, signIn, type Visitor } from './sign-in.ts'
import { roleOf, type SignedIn } from './user-model.ts'

/** Lists no more than this; the others are found with GET /manage/properties?search=. */
const LISTED_PROPERTIES = MAX_PER_PAGE

/**
 * Warns once: behind an unknown proxy all visitors seem to have its address, so that wrong tries of one
 * person count for everybody.
 */
const warnedOfProxy = new WeakSet<object>()

export function warnOfProxy({ config, log }: Pick<Context, 'config' | 'log'>, headers: IncomingHttpHeaders): void {
  if (headers['x-forwarded-for'] === undefined || config.trustProxy.length > 0 || warnedOfProxy.has(config)) return
  warnedOfProxy.add(config)
  log.warn(
    'requests carry X-Forwarded-For, and TRUST_PROXY is not set: whoever comes through a proxy counts as one client',
  )
}

function visitorOf(context: Context, request: FastifyRequest): Visitor {
  const address = clientAddress(request)
  warnOfProxy(context, request.headers)
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

/** Answers with the person, and sets the session's cookie. */
function answerSignedIn({ config }: Context, reply: FastifyReply, { user, secret }: Opened) {
  setCookie(config, reply, secret)
  return { user }
}

async function propertiesOf(context: Context, signedIn: SignedIn) {
  const ids = signedIn.user.is_owner ? undefined : [...signedIn.roles.keys()]
  const { rows } = await listProperties(context, { page: 1, perPage: LISTED_PROPERTIES }, { ids })
  return rows.map((property) => {
    const { id, key, name, timezone, week_start, is_sample } = property
    const role = roleOf(signedIn, id) ?? 'viewer'
    return { id, key, name, timezone, week_start, currency: codeOf(property), role, is_sample }
  })
}

async function shareOf(context: Context, caller: Caller | undefined) {
  if (caller?.kind !== 'share') return null
  const property = await getProperty(context, caller.propertyId)
  const { id, name, timezone, week_start } = property
  return { id: caller.shareId, property: { id, name, timezone, week_start, currency: codeOf(property) } }
}

const signedInFields = { user: schema.UserShape }
const inCookie = 'Signed in: the session is in the cookie.'

const session = [
  get(
    '/manage/session',
    anyone,
    { summary: 'Who is calling', answer: schema.sessionFields, says: 'Who is calling; nobody is not an error.' },
    async ({ context, request }) => {
      const caller = await findCaller(context, request)
      const signedIn = caller?.kind === 'user' ? caller : undefined
      return {
        user: signedIn?.user ?? null,
        properties: signedIn ? await propertiesOf(context, signedIn) : [],
        is_setup_open: !context.config.isDemo && (await isSetupOpen(context)),
        is_demo: context.config.isDemo,
        version: signedIn || caller?.kind === 'admin' ? VERSION : null,
        share: await shareOf(context, caller),
        is_mail_on: isMailOn(context.config),
      }
    },
  ),
  post(
    '/manage/session',
    anyone,
    { summary: 'Sign in', body: schema.Credentials, answer: signedInFields, says: inCookie },
    async ({ context, request, reply, body }) => {
      refuseForeignSignIns(context.config, request)
      return answerSignedIn(context, reply, await signIn(context, body, visitorOf(context, request)))
    },
  ),
  remove(
    '/manage/session',
    anyone,
    { summary: 'Sign out', answer: { signed_out: Type.Boolean() }, says: 'The session is over.' },
    async ({ context, request, reply }) => {
      const secret = readCookie(context.config, request)
      if (secret !== undefined) {
        refuseForeignPages(context.config, request)
        await closeSession(context, secret)
      }
      clearCookie(context.config, reply)
      return { signed_out: true }
    },
  ),
  post(
    '/manage/session/forgotten',
    anyone,
    {
      summary: 'Request a password reset by email',
      body: schema.Forgotten,
      answer: { asked: Type.Boolean() },
      says: 'The same whether or not there is an account. The link works once and expires in an hour.',
    },
    async ({ context, request, body }) => {
      refuseForeignSignIns(context.config, request)
      await askForReset(context, body.email, clientOf(clientAddress(request)))
      return { asked: true }
    },
  ),
  post(
    '/manage/setup',
    anyone,
    {
      summary: 'Create the first owner with the one-time link printed at the start',
      body: schema.FirstOwner,
      answer: signedInFields,
      says: inCookie,
    },
    async ({ context, request, reply, body }) => {
      refuseForeignSignIns(context.config, request)
      return answerSignedIn(context, reply, await setUp(context, body, visitorOf(context, request)))
    },
  ),
]

/** The token of the link is the authorisation. */
const links = [
  post(
    '/manage/invitation',
    anyone,
    {
      summary: 'Get what an invitation or a reset link is for',
      body: schema.LinkToken,
      answer: schema.linkFields,
      says: 'What the link is for.',
    },
    async ({ context, body }) => describeLink(context, body.token),
  ),
  post(
    '/manage/invitation/accept',
    anyone,
    { summary: 'Use an invitation or a reset', body: schema.AcceptanceBody, answer: signedInFields, says: inCookie },
    async ({ context, request, reply, body }) => {
      refuseForeignSignIns(context.config, request)
      const caller = await findCaller(context, request)
      const signedIn = caller?.kind === 'user' ? caller : undefined
      const { user, secret } = await acceptLink(context, body, visitorOf(context, request), signedIn)
      if (secret !== undefined) setCookie(context.config, reply, secret)
      return { user }
    },
  ),
  post(
    '/manage/share',
    anyone,
    {
      summary: 'Open a share link',
      body: schema.OpenedShare,
      answer: schema.bearerFields,
      says: 'What the link lets see.',
    },
    async ({ context, request, body }) => openShare(context, body, clientOf(clientAddress(request))),
  ),
  post(
    '/manage/share/renew',
    shareLink,
    {
      summary: 'Renew the bearer token of an open share link',
      answer: schema.bearerFields,
      says: 'What the link lets see.',
    },
    async ({ context, share }) => renewShare(context, share),
  ),
]

export const entry = [...session, ...links]
