// The visitor as a request shows them: address, agent and language of the browser, or those that a forwarding
// proxy passes on.
import type { FastifyRequest } from 'fastify'
import { clientAddress, headerOf, openForwarding, proxiedAddress } from '../http/client.ts'
import { cleanText } from '../kernel/text.ts'
import type { Visitor } from './visitors.ts'

/** Node's parser allows longer headers; browsers stay far below this. */
const MAX_AGENT = 1024
const MAX_LANGUAGE = 255

export type ReadVisitor = (request: FastifyRequest, property: { readonly proxy_key_hash: string | null }) => Visitor

/**
 * http/client.ts decides which peers are forwarding proxies. Headers that the proxy omits or writes wrong are
 * taken from the request.
 */
export function openVisitorReader(trustProxy: readonly string[]): ReadVisitor {
  const isForwarded = openForwarding(trustProxy)
  return (request, property) => {
    const { headers } = request
    const isProxied = isForwarded(request, property)
    const agent = (isProxied ? headerOf(headers, 'x-proxy-user-agent') : undefined) ?? headers['user-agent'] ?? ''
    const language = (isProxied ? headerOf(headers, 'x-proxy-lang') : undefined) ?? headers['accept-language'] ?? ''
    return {
      address: (isProxied ? proxiedAddress(request) : undefined) ?? clientAddress(request),
      agent: cleanText(agent, MAX_AGENT),
      language: cleanText(language, MAX_LANGUAGE),
    }
  }
}
