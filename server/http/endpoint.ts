// An endpoint as a value: its method, URL, access, what it takes and answers, and its handler. Nothing about
// it is declared elsewhere.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Static, TObject, TProperties, TSchema } from 'typebox'
import type { Context } from '../context.ts'
import type { PageAddress } from '../kernel/page.ts'
import type { Access, Allowed } from './access.ts'
import { ok } from './answer.ts'
import { answerOf, type JsonOf } from './shapes.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** What the access has found; null until then. */
    allowed: Allowed<object> | null
  }
  interface FastifyContextConfig {
    /** An endpoint below /manage that changes nothing: its answers hold no secret, and are compressed. */
    isReading?: boolean
  }
}

type Method = 'GET' | 'POST' | 'DELETE'

/** The parameters of a URL by name. */
export type ParamsOf<Url extends string> = Url extends `${string}:${infer Name}/${infer Rest}`
  ? { readonly [Key in Name]: string } & ParamsOf<`/${Rest}`>
  : Url extends `${string}:${infer Name}`
    ? { readonly [Key in Name]: string }
    : unknown

/** What the handler returns: the `data` of the envelope. */
export type AnswerOf<Answer extends TProperties> = JsonOf<TObject<Answer>>

interface Call {
  readonly context: Context
  /** For a list: the address of its pages. */
  readonly address: PageAddress
  /** For what no schema describes: headers, the cookie, the client's address. */
  readonly request: FastifyRequest
  /** For headers and the cookie; the answer itself is what the handler returns. */
  readonly reply: FastifyReply
}

interface CallOf<Url extends string, Query extends TSchema, Body extends TSchema> extends Call {
  readonly params: ParamsOf<Url>
  readonly query: Static<Query>
  readonly body: Static<Body>
}

/** What an endpoint takes, and its documentation. */
interface Taken<Url extends string, Query extends TSchema, Body extends TSchema> {
  /** One line of the documentation. */
  readonly summary: string
  /** Descriptions of parameters of the URL. */
  readonly params?: Readonly<Partial<Record<keyof ParamsOf<Url>, string>>>
  readonly query?: Query
  readonly headers?: TSchema
  readonly body?: Body
  /** Every field has a default: the body may be missing. */
  readonly isBodyOptional?: boolean
  /** Of its body, where it may be larger than those of its group. */
  readonly bodyBytes?: number
  /** It changes nothing, although it is no GET: what is asked needs a body. */
  readonly isQuestion?: boolean
  /**
   * When one fault has precedence over all others: the error that replaces those of an unreadable or invalid
   * body.
   */
  readonly refusal?: (error: Error, request: FastifyRequest) => Error
  /** A description of the answer as a whole. */
  readonly says?: string
}

interface Contract<
  Url extends string,
  Query extends TSchema,
  Body extends TSchema,
  Answer extends TProperties,
> extends Taken<Url, Query, Body> {
  /** The fields of `data`. */
  readonly answer: Answer
}

interface BareContract<
  Url extends string,
  Query extends TSchema,
  Body extends TSchema,
  Answer extends TSchema,
> extends Taken<Url, Query, Body> {
  /** The whole answer, which has no envelope. */
  readonly answer: Answer
}

/** What an endpoint that writes its answer itself may write. */
interface Files {
  /** Media types of the answer. */
  readonly produces?: readonly string[]
  /** A row of a CSV file by its columns, for each kind of file. Cells that say nothing are empty. */
  readonly rows?: readonly TObject[]
  /** A JSON file, which has no envelope. */
  readonly document?: TSchema
}

interface RawContract<Url extends string, Query extends TSchema, Body extends TSchema>
  extends Taken<Url, Query, Body>, Files {
  /** The fields of `data`, for an endpoint that also answers JSON. */
  readonly answer?: TProperties
}

/** For the implementation: the functions below do the typing. */
interface Untagged {
  readonly method: Method
  readonly url: string
  readonly access: Access<object>
  readonly contract: Taken<string, TSchema, TSchema> & Files
  readonly response?: TSchema
  readonly answer: (call: CallOf<string, TSchema, TSchema>) => Promise<unknown>
}

export interface Endpoint extends Untagged {
  /** The chapter of the documentation. */
  readonly tag: string
}

/** The endpoints of one noun, in a chapter of the documentation. */
export const chapter = (tag: string, endpoints: readonly Untagged[]): readonly Endpoint[] =>
  endpoints.map((endpoint) => ({ ...endpoint, tag }))

type Handler<Given extends object, Url extends string, Query extends TSchema, Body extends TSchema, Answer> = (
  call: CallOf<Url, Query, Body> & Given,
) => Promise<Answer>

// The access provides what the handler takes: only here must the types be cast.
const answering = (handler: unknown) => handler as Untagged['answer']

function enveloped(method: Method) {
  return <
    const Url extends string,
    Given extends object,
    Answer extends TProperties,
    Query extends TSchema = TSchema,
    Body extends TSchema = TSchema,
  >(
    url: Url,
    access: Access<Given>,
    contract: Contract<Url, Query, Body, Answer>,
    handler: Handler<Given, Url, Query, Body, AnswerOf<Answer>>,
  ): Untagged => {
    const response = answerOf(contract.answer, contract.says)
    const answer = answering(handler)
    return { method, url, access, contract, response, answer: async (call) => ok(await answer(call)) }
  }
}

export const get = enveloped('GET')
export const post = enveloped('POST')
export const remove = enveloped('DELETE')

/** Endpoints whose answers have no envelope. */
export const postBare = <
  const Url extends string,
  Given extends object,
  Answer extends TSchema,
  Query extends TSchema = TSchema,
  Body extends TSchema = TSchema,
>(
  url: Url,
  access: Access<Given>,
  contract: BareContract<Url, Query, Body, Answer>,
  handler: Handler<Given, Url, Query, Body, JsonOf<Answer>>,
): Untagged => ({ method: 'POST', url, access, contract, response: contract.answer, answer: answering(handler) })

function raw(method: Method) {
  return <
    const Url extends string,
    Given extends object,
    Query extends TSchema = TSchema,
    Body extends TSchema = TSchema,
  >(
    url: Url,
    access: Access<Given>,
    contract: RawContract<Url, Query, Body>,
    handler: Handler<Given, Url, Query, Body, FastifyReply>,
  ): Untagged => {
    const response = contract.answer && answerOf(contract.answer, contract.says)
    return { method, url, access, contract, ...(response && { response }), answer: answering(handler) }
  }
}

/** Endpoints that write their answer themselves: a file, an image, a stream. */
export const getRaw = raw('GET')
export const postRaw = raw('POST')
