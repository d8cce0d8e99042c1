// A share link of a property, opened: what its bearer calls with.
import type { CallOptions, Footfall, Reply } from './server.ts'

/** Options of calls as the bearer of a new share link. */
export async function openShare(
  footfall: Pick<Footfall, 'call'>,
  propertyId: string,
): Promise<Pick<CallOptions, 'token' | 'headers'>> {
  const { json } = await footfall.call('POST', `/manage/properties/${propertyId}/shares`, {
    body: { name: 'For everybody' },
  })
  const body = { token: json.data.url.split('/').at(-1) }
  const opened = await footfall.call('POST', '/manage/share', { token: null, body })
  return { token: opened.json.data.access_token, headers: { 'x-footfall-property': propertyId } }
}

/** A machine that is busier than this for a question of little data is a fault. */
const MOST_TRIES = 20

/** A question that a share link asks has five seconds, which a busy machine may not have: it is put again, as its answer says. */
export async function askPatiently(
  { call }: Pick<Footfall, 'call'>,
  path: string,
  options: CallOptions,
): Promise<Reply> {
  for (let tries = 1; ; tries++) {
    const reply = await call('POST', path, options)
    if (reply.status !== 503 || tries === MOST_TRIES) return reply
  }
}
