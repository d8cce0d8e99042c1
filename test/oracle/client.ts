// Plain HTTP to the service, with connections kept. The oracle knows the service by its requests and answers
// alone.
import { once } from 'node:events'
import { Agent, request, type IncomingMessage } from 'node:http'
import { isRecord } from './compare.ts'

export interface Answer {
  readonly status: number
  readonly body: Readonly<Record<string, unknown>>
}

export type Send = (
  method: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  body?: unknown,
) => Promise<Answer>

function parse(text: string): Readonly<Record<string, unknown>> {
  const value: unknown = JSON.parse(text)
  if (!isRecord(value)) throw new Error('not an object')
  return value
}

async function read(response: IncomingMessage): Promise<Answer> {
  const chunks: Buffer[] = []
  for await (const chunk of response) chunks.push(chunk as Buffer)
  const text = Buffer.concat(chunks).toString()
  if (response.statusCode === 302) return { status: 302, body: { location: response.headers.location } }
  try {
    return { status: response.statusCode ?? 0, body: parse(text) }
  } catch (error) {
    throw new Error(`${response.statusCode} ${text.slice(0, 300)}`, { cause: error })
  }
}

/** @param baseUrl without a slash at its end. */
export function openClient(baseUrl: string): { send: Send; close: () => void } {
  const agent = new Agent({ keepAlive: true, maxSockets: 16 })
  const send: Send = async (method, path, headers, body) => {
    const text = body === undefined ? undefined : JSON.stringify(body)
    const typed = text === undefined ? headers : { ...headers, 'content-type': 'application/json' }
    const sent = request(baseUrl + path, { method, agent, headers: typed })
    sent.end(text)
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    return read(response)
  }
  return { send, close: () => agent.destroy() }
}
