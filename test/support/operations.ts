// The operations that /openapi.json describes, as tests of the whole interface go through them: a new one is
// met without being listed.
import type { Reply } from './server.ts'

/** JSON Schema, as far as the description uses it. */
export interface Schema {
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Schema[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly minimum?: number
  readonly maximum?: number
  readonly maxLength?: number
}

interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly schema?: Schema
}

export interface Operation {
  readonly method: string
  /** With `{name}` where an id stands. */
  readonly pattern: string
  readonly parameters: readonly Parameter[]
  readonly body: Schema | undefined
  /** Nobody has to be signed in, and no token is needed: what is sent says who may. */
  readonly isOpen: boolean
}

interface Described {
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> }
  readonly security?: readonly object[]
}

/** @param description the answer of GET /openapi.json */
export function operationsOf({ json }: Reply): Operation[] {
  return Object.entries<Record<string, Described>>(json.paths).flatMap(([pattern, methods]) =>
    Object.entries(methods).map(([method, { parameters = [], requestBody, security = [] }]) => ({
      method: method.toUpperCase(),
      pattern,
      parameters,
      body: requestBody && Object.values(requestBody.content)[0]?.schema,
      isOpen: security.some((way) => Object.keys(way).length === 0),
    })),
  )
}

/** What kind of thing a name in a pattern stands for: some names are used for two. */
export function kindOf(pattern: string, name: string): string {
  if (name === 'token') return pattern.startsWith('/v2/form') ? 'formToken' : 'token'
  if (name === 'edit') return pattern.includes('/content/') ? 'blockEdit' : 'formEdit'
  return name === 'session' && pattern.startsWith('/manage/account') ? 'accountSession' : name
}

/** @param idOf what stands for each kind */
export const fillPattern = (pattern: string, idOf: (kind: string) => string): string =>
  pattern.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(idOf(kindOf(pattern, name))))
