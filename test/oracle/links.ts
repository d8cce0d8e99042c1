// The short links of the property under test, made through the front door before the traffic begins.
import type { Send } from './client.ts'
import { isRecord } from './compare.ts'
import { bearer, type Access } from './sender.ts'
import { HOST, linkNames } from './traffic.ts'
import type { Link } from './world.ts'

async function make(send: Send, access: Access, path: string, body: unknown, key: string) {
  const answer = await send('POST', path, bearer(access), body)
  const data = answer.body['data']
  const made = isRecord(data) ? data[key] : undefined
  if (!isRecord(made)) throw new Error(`not made: ${JSON.stringify(answer)}`)
  return made
}

/** By name; two in each group, and those of a group on both short domains. */
export async function makeLinks(send: Send, access: Access): Promise<ReadonlyMap<string, Link>> {
  const links = new Map<string, Link>()
  for (let index = 0; index < linkNames.length; index += 2) {
    const group = await make(send, access, '/v2/property/link-groups', { name: `Group ${index}` }, 'group')
    for (const [place, name] of linkNames.slice(index, index + 2).entries()) {
      const body = {
        group_id: group['id'],
        destination_url: `https://${HOST}/`,
        domain: place === 0 ? 'link-a' : 'link-b',
      }
      const { id, short_url } = await make(send, access, '/v2/property/links', body, 'link')
      links.set(name, { id: String(id), group: String(group['id']), path: new URL(String(short_url)).pathname })
    }
  }
  return links
}
