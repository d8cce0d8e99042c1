// The one way to the service: JSON on the dashboard's own origin, with the sign-in cookie or a share link's
// token. Answers come without their envelope; whatever goes wrong is an ApiError with words that can be
// shown.
import { noteAnswer, noteNoAnswer } from './connection.ts'
import { dropEarly, takeEarly } from './early.ts'
import { sentenceOf } from './field-sentences.ts'
import { apiPath } from './place.ts'
import { saveFile } from './save.ts'
import { endShare, type Share, shareFor } from './share.ts'
import { knownUser, signedInAgain, signInTurn } from './sign-in-again.ts'
import { common as text } from './texts/index.ts'
import { waitedFor } from './waiting.ts'

export type FieldErrors = Readonly<Record<string, readonly string[]>>

export class ApiError extends Error {
  /** 0 when no answer came. */
  readonly status: number
  readonly code: string
  readonly errors: FieldErrors
  readonly retryAfterSeconds: number | undefined

  constructor(
    status: number,
    code: string,
    message: string,
    more: { errors?: FieldErrors; retryAfterSeconds?: number | undefined } = {},
  ) {
    super(message)
    this.name = 'ApiError'
    this.status = status
    this.code = code
    this.errors = more.errors ?? {}
    this.retryAfterSeconds = more.retryAfterSeconds
  }
}

export interface CallOptions {
  /** Sent as JSON. */
  readonly body?: unknown
  readonly query?: Readonly<Record<string, string | number | boolean | null | undefined>> | undefined
  /** Whose data a /v2/property path is about; also decides whether a share link speaks. */
  readonly property?: string | undefined
  /** Of a question, which may be given up; what is done has none. */
  readonly signal?: AbortSignal | undefined
  /** Nobody waits for the answer yet: whatever else is asked goes first. */
  readonly isAhead?: boolean | undefined
}

type Method = 'GET' | 'POST' | 'DELETE'

const signedOutListeners = new Set<() => void>()

/** Told when a call finds that nobody is signed in any more. @returns how to stop listening. */
export function onSignedOut(listener: () => void): () => void {
  signedOutListeners.add(listener)
  return () => signedOutListeners.delete(listener)
}

const callListeners = new Set<() => void>()

/** Told of each call that somebody waits for, as it begins. @returns how to stop listening. */
export function onCall(listener: () => void): () => void {
  callListeners.add(listener)
  return () => callListeners.delete(listener)
}

function addressOf(path: string, query: CallOptions['query']): string {
  const given = Object.entries(query ?? {}).filter(([, value]) => value !== undefined && value !== null && value !== '')
  const search = new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)])).toString()
  return apiPath + path + (search === '' ? '' : `?${search}`)
}

/** The property that a managed path names. */
const namedIn = (path: string): string | undefined => /^\/manage\/properties\/([^/?]+)/.exec(path)?.[1]

function requestOf(
  method: Method,
  path: string,
  { body, property, signal, isAhead }: CallOptions,
  share: Share | undefined,
): RequestInit {
  const headers: Record<string, string> = { accept: 'application/json' }
  if (body !== undefined) headers['content-type'] = 'application/json'
  if (property !== undefined && path.startsWith('/v2/property/')) headers['x-footfall-property'] = property
  if (share) headers['authorization'] = `Bearer ${share.access_token}`
  return {
    method,
    headers,
    credentials: share ? 'omit' : 'same-origin',
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(signal && { signal }),
    ...(isAhead && { priority: 'low' }),
  }
}

interface ErrorBody {
  readonly error_code?: string
  readonly message?: string
  readonly errors?: FieldErrors
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null

async function problemOf(answer: Response): Promise<ApiError> {
  const read: unknown = await answer.json().catch(() => undefined)
  const { error_code: code = 'unknown', message, errors = {} }: ErrorBody = isObject(read) ? read : {}
  const seconds = Number(answer.headers.get('retry-after') ?? Number.NaN)
  const retryAfterSeconds = Number.isFinite(seconds) ? seconds : undefined
  const words = message === undefined ? text.errors.unknown : sentenceOf(message, Object.keys(errors))
  return new ApiError(answer.status, code, words, { errors, retryAfterSeconds })
}

async function checked(answer: Response, share: Share | undefined): Promise<Response> {
  if (answer.ok) return answer
  const problem = await problemOf(answer)
  if (share && problem.status === 401) endShare(share)
  throw problem
}

/** Reading again costs nothing. An action may have happened already, and files take long to create. */
const QUESTION_MS = 20_000
const ACTION_MS = 120_000

interface Limit {
  readonly signal: AbortSignal
  readonly end: () => void
}

/** Given up when its caller says so, or after a time. */
function limitOf(asked: AbortSignal | undefined): Limit {
  const late = new AbortController()
  const words = asked ? text.errors.late(QUESTION_MS / 1000) : text.errors.lateAction
  const timer = setTimeout(() => late.abort(new ApiError(0, 'timeout', words)), asked ? QUESTION_MS : ACTION_MS)
  return {
    signal: asked ? AbortSignal.any([asked, late.signal]) : late.signal,
    end: () => clearTimeout(timer),
  }
}

/** Of a proxy before a service that is away. */
const gateway = new Set([502, 503, 504])

function problemIn(error: unknown): unknown {
  if (error instanceof ApiError) {
    if (error.code === 'timeout' || gateway.has(error.status)) noteNoAnswer()
    return error
  }
  if (error instanceof DOMException && error.name === 'AbortError') return error
  if (error instanceof SyntaxError) return new ApiError(200, 'unreadable', text.errors.unknown)
  noteNoAnswer()
  return new ApiError(0, 'network', text.errors.network)
}

type Read<Answer> = (answer: Response, limit: Limit) => Promise<Answer>

interface Question<Answer> {
  readonly method: Method
  readonly path: string
  readonly options: CallOptions
  readonly read: Read<Answer>
}

async function attempt<Answer>({ method, path, options, read }: Question<Answer>): Promise<Answer> {
  const share = shareFor(options.property ?? namedIn(path))
  const limit = limitOf(options.signal)
  const request = requestOf(method, path, { ...options, signal: limit.signal }, share)
  try {
    const url = addressOf(path, options.query)
    const answer = (await takeEarly(url, request)) ?? (await fetch(url, request))
    noteAnswer()
    return await read(await checked(answer, share), limit)
  } catch (error) {
    throw problemIn(error)
  } finally {
    limit.end()
  }
}

/** Where 401 says something else than that a session has ended. */
const isEntry = (path: string): boolean => /^\/manage\/(?:session|setup|invitation|share)(?:\/|$)/.test(path)

/** When the session has ended, it is signed in again over the page, and the call repeated. */
async function send<Answer>(question: Question<Answer>): Promise<Answer> {
  const { path, options } = question
  const isAction = options.signal === undefined
  if (isAction) dropEarly()
  const turn = signInTurn()
  const tried = (): Promise<Answer> => (isAction ? waitedFor(attempt(question)) : attempt(question))
  if (!options.isAhead) for (const listener of callListeners) listener()
  try {
    return await tried()
  } catch (error) {
    const isEnded = error instanceof ApiError && error.code === 'unauthenticated' && !isEntry(path)
    if (!isEnded || shareFor(options.property ?? namedIn(path))) throw error
    if (await signedInAgain(turn, isAction)) return tried()
    if (knownUser()) throw new ApiError(error.status, error.code, text.errors.ended)
    for (const listener of signedOutListeners) listener()
    throw error
  }
}

/** Analytics answer bare; everything else in `{code, status, data}`. */
function withoutEnvelope(body: unknown): unknown {
  return isObject(body) && 'code' in body && 'status' in body && 'data' in body ? body['data'] : body
}

/**
 * One call. The type is the caller's word for what the endpoint answers.
 * @throws ApiError
 */
export const call = <Answer>(method: Method, path: string, options: CallOptions = {}): Promise<Answer> =>
  send({ method, path, options, read: async (answer) => withoutEnvelope(await answer.json()) as Answer })

export const get = <Answer>(path: string, options?: Omit<CallOptions, 'body'>): Promise<Answer> =>
  call<Answer>('GET', path, options)
export const post = <Answer>(path: string, body: unknown = {}, options?: Omit<CallOptions, 'body'>): Promise<Answer> =>
  call<Answer>('POST', path, { ...options, body })
export const remove = <Answer>(path: string, options?: CallOptions): Promise<Answer> =>
  call<Answer>('DELETE', path, options)

/** Saves a file that the service makes. @throws ApiError */
export async function download(
  path: string,
  fileName: string,
  { method = 'GET', ...options }: CallOptions & { method?: Method } = {},
): Promise<void> {
  const file = await send({
    method,
    path,
    options,
    read: (answer, limit) => {
      limit.end() // from here on it comes as fast as the line is
      return answer.blob()
    },
  })
  saveFile(fileName, file)
}

/** The order of a list, where the service has several. */
export interface OrderAsk {
  readonly sort?: string | undefined
  readonly order?: 'asc' | 'desc' | undefined
}

/** A page of a list, as every list of the service answers it. */
/** Which page of a list, from 1. */
export interface PageQuery {
  readonly page: number
  readonly per_page: number
}

export interface Page<Row> {
  readonly data: readonly Row[]
  readonly current_page: number
  readonly last_page: number
  readonly per_page: number
  readonly total: number
}
