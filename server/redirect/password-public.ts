// Links with a password: nobody learns where one leads before the password was right. Works without scripts;
// whoever gave it is not asked again for a quarter of an hour, by a cookie for this link alone.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { attemptLink, isPassword, judge } from '../accounts/accounts.ts'
import type { Context } from '../context.ts'
import type { VisitorPage } from '../html/visitor-page.ts'
import { cookieOf } from '../http/cookies.ts'
import { clientOf } from '../http/limits.ts'
import type { SentPair } from '../http/plain-bodies.ts'
import { MAX_LINK_PASSWORD } from '../links/rules-model.ts'
import type { Visitor } from '../tracker/tracker.ts'
import { passwordPage, PASSWORD_FIELD, tooOftenPage } from './pages.ts'
import { isPass, type Locked, PASS_SECONDS, signPass } from './pass.ts'

const COOKIE = 'footfall-pass'

export interface AtDoor {
  readonly link: Locked
  readonly visitor: Visitor
  /** As visitors know it. */
  readonly shortUrl: string
}

function sendVisitorPage(reply: FastifyReply, status: number, { html, headers }: VisitorPage): false {
  void reply.code(status).headers(headers).send(html)
  return false
}

/** '' for a body without one, and for one that is too long for any link. */
function passwordIn({ body }: FastifyRequest): string {
  const pairs = Array.isArray(body) ? (body as readonly SentPair[]) : []
  const [, typed = ''] = pairs.find(([name]) => name === PASSWORD_FIELD) ?? []
  return [...typed].length > MAX_LINK_PASSWORD ? '' : typed
}

function setPass({ keys, now }: Context, reply: FastifyReply, { link, shortUrl }: AtDoor): void {
  const { protocol, pathname } = new URL(shortUrl)
  const flags = `Path=${pathname}; Max-Age=${PASS_SECONDS}; HttpOnly; SameSite=Lax`
  const secure = protocol === 'https:' ? '; Secure' : ''
  reply.header('set-cookie', `${COOKIE}=${signPass(keys, link, now())}; ${flags}${secure}`)
}

/** Whether the visitor may go on; else the page that says why not has been sent. */
export async function admitToLocked(
  context: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  atDoor: AtDoor,
): Promise<boolean> {
  const { link, visitor } = atDoor
  const accepted = request.headers['accept-language']
  if (isPass(context.keys, link, cookieOf(request, COOKIE), context.now())) return true
  if (request.method !== 'POST') return sendVisitorPage(reply, 200, passwordPage(accepted, false))
  const attempt = await attemptLink(context, link.linkId, clientOf(visitor.address))
  if (attempt.isRefused)
    return sendVisitorPage(reply.header('retry-after', attempt.retryAfterSeconds), 429, tooOftenPage(accepted))
  if (!(await judge(attempt, () => isPassword(context, passwordIn(request), link.password))))
    return sendVisitorPage(reply, 403, passwordPage(accepted, true))
  setPass(context, reply, atDoor)
  return true
}
