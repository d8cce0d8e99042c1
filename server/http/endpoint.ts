// An endpoint as a value: its method, URL, access, what it takes and answers, and the function that answers. Nothing about it is declared elsewhere.
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Static, type TObject, type TProperties, type TSchema, Type } from 'typebox'
import type { Context } from '../context.ts'
import type { PageAddress } from '../kernel/page.ts'
import type { Access } from './access.ts'
import { ok } from './answer.ts'
import { answerOf, type JsonOf } from './shapes.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** What the access of the endpoint has found; null until then. */
    given: object | null
  }
}

type Method = 'GET' | 'POST' | 'DELETE'

/** The parameters of a URL by the names that stand in it. */
export type ParamsOf<Url extends string> = Url extends `${string}:${infer Name}/${infer Rest}`
  ? { readonly [Key in Name]: string } & ParamsOf<`/${Rest}`>
  : Url extends `${string}:${infer Name}`
    ? { readonly [Key in Name]: string }
    : unknown

/** What the handler answers with: the `data` of the envelope. */
export type AnswerOf<Answer extends TProperties> = JsonOf<TObject<Answer>>

interface CallOf<Url extends string, Query extends TSchema, Body extends TSchema> {
  readonly context: Context
  readonly params: ParamsOf<Url>
  readonly query: Static<Query>
  readonly body: Static<Body>
  /** For a list: where its pages are found. */
  readonly address: PageAddress
}

interface Shared {
  /** One line of the documentation. */
  readonly summary: string
  /** More than the usual megabyte, or less. */
  readonly bodyBytes?: number
}

interface Contract<Query extends TSchema, Body extends TSchema, Answer extends TProperties> extends Shared {
  readonly query?: Query
  readonly body?: Body
  /** The fields of `data`. */
  readonly answer: Answer
}

interface RawContract<Query extends TSchema, Body extends TSchema> extends Shared {
  readonly query?: Query
  readonly body?: Body
  /** Media types of the answer. */
  readonly produces: readonly string[]
}

/** For the program: types are the business of the functions below. */
export interface Endpoint {
  readonly method: Method
  readonly url: string
  readonly access: Access<object>
  readonly contract: Shared & {
    readonly query?: TSchema
    readonly body?: TSchema
    readonly answer?: TProperties
    readonly produces?: readonly string[]
  }
  readonly answer: (call: CallOf<string, TSchema, TSchema> & object, reply: FastifyReply) => Promise<unknown>
}

function builder(method: Method) {
  return <
    const Url extends string,
    Given extends object,
    Answer extends TProperties,
    Query extends TSchema = TSchema,
    Body extends TSchema = TSchema,
  >(
    url: Url,
    access: Access<Given>,
    contract: Contract<Query, Body, Answer>,
    handler: (call: CallOf<Url, Query, Body> & Given) => Promise<AnswerOf<Answer>>,
  ): Endpoint => ({
    method,
    url,
    access,
    contract,
    // The access gives what the handler takes: here alone the types have to be told so.
    answer: async (call) => ok(await handler(call as CallOf<Url, Query, Body> & Given)),
  })
}

export const get = builder('GET')
export const post = builder('POST')
export const remove = builder('DELETE')

/** One that writes its answer itself: a file, a picture, a stream. */
export const getRaw = <const Url extends string, Given extends object, Query extends TSchema = TSchema>(
  url: Url,
  access: Access<Given>,
  contract: RawContract<Query, TSchema>,
  handler: (call: CallOf<Url, Query, TSchema> & Given & { readonly reply: FastifyReply }) => Promise<FastifyReply>,
): Endpoint => ({
  method: 'GET',
  url,
  access,
  contract,
  answer: (call, reply) => handler({ ...(call as CallOf<Url, Query, TSchema> & Given), reply }),
})

/** `/links/:link` → `{ link: string }` */
function paramsSchema(url: string): TSchema | undefined {
  const names = [...url.matchAll(/:(\w+)/g)].map(([, name = '']) => name)
  return names.length === 0 ? undefined : Type.Object(Object.fromEntries(names.map((name) => [name, Type.String()])))
}

function schemaOf({ url, contract }: Endpoint, tag: string): object {
  const { summary, query, body, answer, produces } = contract
  const params = paramsSchema(url)
  return {
    tags: [url.startsWith('/manage/') ? 'Management' : tag],
    summary,
    ...(params && { params }),
    ...(query && { querystring: query }),
    ...(body && { body }),
    ...(answer && { response: { 200: answerOf(answer) } }),
    ...(produces && { produces }),
  }
}

/** The URL with its parameters filled in. */
const pathOf = (url: string, params: Readonly<Record<string, string>>): string =>
  url.replace(/:(\w+)/g, (_text, name: string) => encodeURIComponent(params[name] ?? ''))

function callOf(context: Context, url: string, request: FastifyRequest): CallOf<string, TSchema, TSchema> {
  const query = request.query as Readonly<Record<string, unknown>>
  return {
    ...request.given,
    context,
    params: request.params,
    query,
    body: request.body,
    address: {
      baseUrl: context.config.baseUrl,
      path: pathOf(url, request.params as Readonly<Record<string, string>>),
      query,
    },
  }
}

/** The endpoints of one noun. */
export interface Endpoints {
  /** The chapter of the documentation for those under /v2. */
  readonly tag: string
  readonly endpoints: readonly Endpoint[]
}

/** @param prefix only the endpoints below it: each group of http/groups.ts has its own. */
export function register(context: Context, nouns: readonly Endpoints[], prefix: string): FastifyPluginAsyncTypebox {
  return async (app) => {
    for (const { tag, endpoints } of nouns)
      for (const endpoint of endpoints.filter(({ url }) => url.startsWith(prefix)))
        app.route({
          method: endpoint.method,
          url: endpoint.url,
          ...(endpoint.contract.bodyBytes !== undefined && { bodyLimit: endpoint.contract.bodyBytes }),
          schema: schemaOf(endpoint, tag),
          onRequest: async (request, reply) => {
            request.given = await endpoint.access.allow(context, request, reply)
          },
          handler: (request, reply) => endpoint.answer(callOf(context, endpoint.url, request), reply),
        })
  }
}
