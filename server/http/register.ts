// Registers endpoints as routes of the server.
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest, RouteOptions } from 'fastify'
import { type TSchema, Type } from 'typebox'
import type { Context } from '../context.ts'
import type { PageAddress } from '../kernel/page.ts'
import { refuseInDemo } from './demo.ts'
import type { Endpoint } from './endpoint.ts'

type Params = Readonly<Record<string, string>>

/** `/links/:link` → `{ link: string }` */
function paramsSchema({ url, contract }: Endpoint): TSchema | undefined {
  const names = [...url.matchAll(/:(\w+)/g)].map(([, name = '']) => name)
  const said: Partial<Params> = contract.params ?? {}
  const schemas = names.map((name) => [name, Type.String(said[name] === undefined ? {} : { description: said[name] })])
  return names.length === 0 ? undefined : Type.Object(Object.fromEntries(schemas) as Record<string, TSchema>)
}

function schemaOf(endpoint: Endpoint): object {
  const { access, contract, response, tag } = endpoint
  const { summary, headers, query, body, produces } = contract
  const params = paramsSchema(endpoint)
  return {
    tags: [tag],
    security: access.security,
    summary,
    ...(params && { params }),
    ...(headers && { headers }),
    ...(query && { querystring: query }),
    ...(body && { body }),
    ...(response && { response: { 200: response } }),
    ...(produces && { produces }),
  }
}

/** The URL with its parameters filled in. */
const pathOf = (url: string, params: Params): string =>
  url.replace(/:(\w+)/g, (_text, name: string) => encodeURIComponent(params[name] ?? ''))

function addressOf({ config }: Context, { url }: Endpoint, request: FastifyRequest): PageAddress {
  const query = request.query as PageAddress['query']
  return { baseUrl: config.baseUrl, path: pathOf(url, request.params as Params), query }
}

/** Faults of the body, in the words of the endpoint. */
function refusing({ contract }: Endpoint): Pick<RouteOptions, 'errorHandler'> {
  const { refusal } = contract
  if (!refusal) return {}
  return {
    errorHandler: (error, request) => {
      throw refusal(error, request)
    },
  }
}

const isReading = ({ method, url, contract }: Endpoint): boolean =>
  url.startsWith('/manage/') && (method === 'GET' || contract.isQuestion === true)

function routeOf(context: Context, endpoint: Endpoint): RouteOptions {
  return {
    method: endpoint.method,
    url: endpoint.url,
    schema: schemaOf(endpoint),
    config: { isReading: isReading(endpoint) },
    ...refusing(endpoint),
    ...(endpoint.contract.bodyBytes !== undefined && { bodyLimit: endpoint.contract.bodyBytes }),
    onRequest: async (request, reply) => {
      refuseInDemo(context, endpoint)
      request.allowed = await endpoint.access.allow(context, request, reply)
    },
    ...(endpoint.contract.isBodyOptional === true && {
      preValidation: async (request: FastifyRequest) => {
        request.body ??= {}
      },
    }),
    handler: (request, reply) => {
      const { params, query, body, allowed } = request
      const address = addressOf(context, endpoint, request)
      return endpoint.answer({ ...allowed?.given, context, params, query, body, address, request, reply })
    },
  }
}

/** @param prefix limits it to the endpoints below: each group of http/groups.ts has its own. */
export function register(context: Context, endpoints: readonly Endpoint[], prefix: string): FastifyPluginAsyncTypebox {
  return async (app) => {
    for (const endpoint of endpoints.filter(({ url }) => url.startsWith(prefix))) app.route(routeOf(context, endpoint))
  }
}
