// A share link of a property, opened: what its bearer calls with.
import type { CallOptions, Footfall } from './server.ts'

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
