// Following short links as a browser's first request does: any Host header, nothing followed further, headers
// as they came.
import { once } from 'node:events'
import { type IncomingMessage, request as httpRequest } from 'node:http'
import { text } from 'node:stream/consumers'
import { CHROME, type Footfall } from './server.ts'

export interface VisitOptions {
  readonly method?: string
  /** The Host header; that of the address when left out. */
  readonly host?: string
  readonly address?: string
  readonly agent?: string
  readonly headers?: Readonly<Record<string, string>>
  /** Of a form. */
  readonly fields?: Readonly<Record<string, string>>
}

export interface Seen {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  readonly location: string | undefined
  readonly text: string
}

/** @param target is sent as it is: a path, or anything else that a stranger may write there. */
export async function visit(url: string, target: string, options: VisitOptions = {}): Promise<Seen> {
  const { hostname, port } = new URL(url)
  const { host = `${hostname}:${port}`, address = '203.0.113.7', agent = CHROME, headers, fields } = options
  const { method = fields ? 'POST' : 'GET' } = options
  const body = fields && new URLSearchParams(fields).toString()
  const ofForm = body !== undefined && {
    'content-type': 'application/x-www-form-urlencoded',
    'content-length': body.length,
  }
  const sent = httpRequest({
    hostname,
    port,
    method,
    path: target,
    headers: {
      host,
      'x-forwarded-for': address,
      'user-agent': agent,
      'accept-language': 'en-GB,en;q=0.9',
      ...ofForm,
      ...headers,
    },
  })
  sent.end(body)
  const [answer] = (await once(sent, 'response')) as [IncomingMessage]
  const shown = await text(answer)
  return { status: answer.statusCode!, headers: answer.headers, location: answer.headers.location, text: shown }
}

export interface TestLink {
  readonly id: string
  readonly group_id: string
  readonly code: string
  readonly domain: 'link-a' | 'link-b'
  readonly short_url: string
}

/** A group of the test's property. @returns its id. */
export async function addGroup(footfall: Footfall, body: Readonly<Record<string, unknown>> = {}): Promise<string> {
  const { json } = await footfall.call('POST', '/v2/property/link-groups', { body: { name: 'Group', ...body } })
  return json.data.group.id
}

export async function addLink(footfall: Footfall, body: Readonly<Record<string, unknown>>): Promise<TestLink> {
  const { status, json, text } = await footfall.call('POST', '/v2/property/links', {
    body: { domain: 'link-a', destination_url: 'https://example.com/', ...body },
  })
  if (status !== 200) throw new Error(text)
  return json.data.link
}

/** The stored rows of a link, oldest first. */
export async function clicksOf(footfall: Footfall, link: string): Promise<Record<string, unknown>[]> {
  return footfall.context.facts.query(
    'test.clicks',
    'SELECT * FROM clicks FINAL WHERE link = {link:String} ORDER BY at',
    {
      link,
    },
  )
}

/** footfall_clicks_total by result. */
export async function countedClicks(footfall: Footfall): Promise<Record<string, number>> {
  const { text } = await footfall.call('GET', '/metrics')
  const rows = [...text.matchAll(/^footfall_clicks_total\{result="(\w+)"\} (\d+)$/gm)]
  return Object.fromEntries(rows.map(([, result = '', count]) => [result, Number(count)]))
}
