// Calls of a service over HTTP: whatever somebody asks, and what the pages of a website send of a visitor.

export const ADMIN_TOKEN = 'an-administrator-token-for-tests-only'

/** An everyday browser, so that nothing is taken for a bot. */
export const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36'

export interface CallOptions {
  readonly headers?: Readonly<Record<string, string>>
  /**
   * Sent as JSON; a string is sent as it is (with `content-type` from headers, application/json when none).
   */
  readonly body?: unknown
  readonly query?: Readonly<Record<string, string | number>>
  /**
   * A bearer token; null for none. Of the property with all scopes when left out, the administrator's under
   * /manage, none on public paths.
   */
  readonly token?: string | null
}

export interface Reply {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The parsed body; undefined when it is no JSON. */
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into answers of every shape
  readonly json: any
}

/** Who visits: what identity is made of. */
export interface Visitor {
  readonly address?: string
  readonly agent?: string
  readonly language?: string
}

interface LoadOptions extends Visitor {
  /** Full URL; https://example.com/ when left out. */
  readonly page?: string
  readonly title?: string
  readonly referrer?: string
  readonly status?: number
  readonly viewport?: string
  /** Of the page: the load is then sent in a body. */
  readonly props?: Readonly<Record<string, unknown>>
  readonly library?: string
  /** Property key; of the test's property when left out. */
  readonly key?: string
  readonly headers?: Readonly<Record<string, string>>
}

interface PingOptions extends Visitor {
  readonly event?: string
  readonly tos?: number
  readonly max?: number
  readonly key?: string
}

interface EventOptions extends Visitor {
  readonly value?: unknown
  readonly meta?: Readonly<Record<string, unknown>>
  readonly key?: string
}

/** Real HTTP over loopback. */
export type Call = (method: string, path: string, options?: CallOptions) => Promise<Reply>

/** What pages call. */
export interface Track {
  load(options?: LoadOptions): Promise<Reply>
  ping(viewId: string, options?: PingOptions): Promise<Reply>
  event(sessionId: string, event: string, options?: EventOptions): Promise<Reply>
  vitals(sessionId: string, body: object, visitor?: Visitor & { readonly key?: string }): Promise<Reply>
  acquisition(
    sessionId: string,
    body: Readonly<Record<string, unknown>>,
    visitor?: Visitor & { key?: string },
  ): Promise<Reply>
  resolve(visitor?: Visitor & { key?: string }): Promise<Reply>
}

function visitorHeaders(visitor: Visitor, key: string): Record<string, string> {
  return {
    'x-svc-id': key,
    'x-forwarded-for': visitor.address ?? '203.0.113.7',
    'user-agent': visitor.agent ?? CHROME,
    'accept-language': visitor.language ?? 'en-GB,en;q=0.9',
  }
}

/** @param key of whose property calls are that name no other. */
export function trackOf(call: Call, { key: own }: { readonly key: string }): Track {
  const post = (path: string, visitor: Visitor & { key?: string }, body?: unknown): Promise<Reply> =>
    call('POST', path, { headers: visitorHeaders(visitor, visitor.key ?? own), body })
  return {
    load: ({
      page = 'https://example.com/',
      library = '1.1.0',
      title,
      referrer,
      status,
      viewport,
      props,
      key,
      headers,
      ...visitor
    } = {}) => {
      if (props) {
        const sent = { page, lib: library, title, src: referrer, status, dim: viewport, props }
        return post('/v2/signal/load', { ...visitor, key: key ?? own }, sent)
      }
      return call('GET', '/v2/signal/load', {
        headers: {
          ...visitorHeaders(visitor, key ?? own),
          'x-svc-lib': library,
          'x-svc-page': encodeURIComponent(page),
          ...(title === undefined ? {} : { 'x-svc-title': encodeURIComponent(title) }),
          ...(referrer === undefined ? {} : { 'x-svc-src': encodeURIComponent(referrer) }),
          ...(status === undefined ? {} : { 'x-svc-status': String(status) }),
          ...(viewport === undefined ? {} : { 'x-svc-dim': viewport }),
          ...headers,
        },
      })
    },
    ping: (viewId, { event = 'ping', tos = 0, max = -1, ...visitor } = {}) =>
      post(`/v2/signal/${viewId}/ping`, visitor, { event, tos, max }),
    event: (sessionId, event, { value = null, meta = {}, ...visitor } = {}) =>
      post(`/v2/signal/${sessionId}/event`, visitor, { event, value, meta }),
    vitals: (sessionId, body, visitor = {}) => post(`/v2/signal/${sessionId}/vitals`, visitor, body),
    acquisition: (sessionId, body, visitor = {}) => post(`/v2/signal/${sessionId}/acquisition`, visitor, body),
    resolve: (visitor = {}) => post('/v2/signal/resolve', visitor),
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** @param token of the property, for its paths. */
export function openCall(url: string, token: string): Call {
  const tokenOf = (path: string): string | null =>
    path.startsWith('/v2/property/') ? token : path.startsWith('/manage') ? ADMIN_TOKEN : null
  return async (method, path, { headers, body, query, token: given = tokenOf(path) } = {}) => {
    const search = query
      ? `?${new URLSearchParams(Object.entries(query).map(([name, value]): [string, string] => [name, String(value)])).toString()}`
      : ''
    const sent: Record<string, string> = { ...(given === null ? {} : { authorization: `Bearer ${given}` }), ...headers }
    if (body !== undefined && sent['content-type'] === undefined) sent['content-type'] = 'application/json'
    const answer = await fetch(url + path + search, {
      method,
      headers: sent,
      redirect: 'manual',
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const text = await answer.text()
    return { status: answer.status, headers: answer.headers, text, json: parse(text) }
  }
}
