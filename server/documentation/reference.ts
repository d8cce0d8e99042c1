// The API reference: every operation of /openapi.json as HTML, folded until somebody opens it, so that a page
// of two hundred endpoints is there at once.
import { escapeHtml } from './layout.ts'

interface Schema {
  readonly type?: string | readonly string[]
  readonly description?: string
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Schema[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
}

interface Parameter {
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly description?: string
  readonly schema?: Schema
}

type Content = Readonly<Record<string, { readonly schema?: Schema }>>

interface Operation {
  readonly tags?: readonly string[]
  readonly summary?: string
  readonly description?: string
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly content: Content }
  readonly responses?: Readonly<Record<string, { readonly description?: string; readonly content?: Content }>>
  readonly security?: readonly Readonly<Record<string, unknown>>[]
}

export interface Description {
  readonly paths?: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

interface Endpoint extends Operation {
  readonly method: string
  readonly path: string
  readonly tag: string
}

/** Texts of schemas mark what is written as it stands by backticks. */
const textHtml = (text: string): string => escapeHtml(text).replace(/`([^`]+)`/g, '<code>$1</code>')

const idOf = ({ method, path }: Endpoint): string => `${method}-${path.replace(/[^\w]+/g, '-').replace(/^-|-$/g, '')}`
const tagId = (tag: string): string => `tag-${tag.toLowerCase().replace(/\W+/g, '-')}`

/** What answers GET answers HEAD, too. */
const operationsIn = (methods: Readonly<Record<string, Operation>>) =>
  Object.entries(methods).filter(([method]) => method !== 'head')

export function endpointsOf({ paths = {} }: Description): Endpoint[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    operationsIn(methods as Readonly<Record<string, Operation>>).map(([method, operation]) => ({
      ...operation,
      method: method.toUpperCase(),
      path,
      tag: operation.tags?.[0] ?? 'Other',
    })),
  )
}

/** Deeper, an answer is read better in its own chapter. */
const MAX_DEPTH = 3
const shapeOf = (schema: Schema): Schema => schema.items ?? schema

function typeOf({ type, enum: values, items, anyOf }: Schema): string {
  if (values) return values.map((value) => JSON.stringify(value)).join(' | ')
  if (items) return `${typeOf(items)}[]`
  if (anyOf) return anyOf.map(typeOf).join(' | ')
  return [type ?? 'any'].flat().join(' | ')
}

function fieldRows(schema: Schema, prefix = '', depth = 0): string {
  const { properties = {}, required = [] } = shapeOf(schema)
  return Object.entries(properties)
    .map(([name, field]) => {
      const note = required.includes(name) && depth === 0 ? ' <em>required</em>' : ''
      const row = `<tr><td><code>${escapeHtml(prefix + name)}</code>${note}</td><td><code>${escapeHtml(typeOf(field))}</code></td><td>${textHtml(field.description ?? '')}</td></tr>`
      const isDeep = depth + 1 < MAX_DEPTH && shapeOf(field).properties !== undefined
      return row + (isDeep ? fieldRows(field, `${prefix}${name}${field.items ? '[]' : ''}.`, depth + 1) : '')
    })
    .join('')
}

const table = (caption: string, rows: string): string =>
  rows === ''
    ? ''
    : `<h3>${caption}</h3><div class="wide" tabindex="0"><table><thead><tr><th scope="col">Name</th><th scope="col">Type</th><th scope="col">Meaning</th></tr></thead><tbody>${rows}</tbody></table></div>`

function parameterRows(parameters: readonly Parameter[]): string {
  return parameters
    .map(({ name, in: place, required, description, schema }) => {
      const note = required ? ' <em>required</em>' : ''
      return `<tr><td><code>${escapeHtml(name)}</code>${note}</td><td>${place}, <code>${escapeHtml(typeOf(schema ?? {}))}</code></td><td>${textHtml(description ?? schema?.description ?? '')}</td></tr>`
    })
    .join('')
}

const schemaIn = (content: Content | undefined): Schema => Object.values(content ?? {})[0]?.schema ?? {}

const ways: Readonly<Record<string, string>> = {
  token: 'an access token of the property',
  admin: 'ADMIN_TOKEN',
  session: 'somebody who is signed in',
  property: 'the key of the property',
}

function accessOf({ security = [] }: Endpoint): string {
  const known = security.flatMap((way) => Object.keys(way)).map((name) => ways[name] ?? name)
  return known.length === 0 ? 'Anybody may call.' : `For ${known.join(', or ')}.`
}

/** As it would be typed; `{property}` is left to the reader. */
function curlOf({ method, path, requestBody, security = [] }: Endpoint): string {
  const isOpen = security.every((way) => Object.keys(way).length === 0)
  const parts = [
    `curl${method === 'GET' ? '' : ` -X ${method}`} "$BASE_URL${path}"`,
    ...(isOpen ? [] : [`-H "Authorization: Bearer $TOKEN"`]),
    ...(requestBody ? [`-H 'Content-Type: application/json'`, `-d '{}'`] : []),
  ]
  return parts.join(' \\\n  ')
}

function operationHtml(endpoint: Endpoint): string {
  const { method, path, summary = '', description, parameters = [], requestBody, responses = {} } = endpoint
  const answer = schemaIn(responses['200']?.content)
  const inner = answer.properties?.['data'] ?? answer
  return `<details class="operation" id="${idOf(endpoint)}"><summary><span class="method ${method.toLowerCase()}">${method}</span> <code>${escapeHtml(path)}</code> <span class="what">${textHtml(summary)}</span></summary>
<p>${accessOf(endpoint)}${description ? ` ${textHtml(description)}` : ''}</p>
${table('Parameters', parameterRows(parameters))}${table('Body', fieldRows(schemaIn(requestBody?.content)))}${table('Answer', fieldRows(inner))}
<pre tabindex="0"><code>${escapeHtml(curlOf(endpoint))}</code></pre></details>`
}

export function referenceHtml(description: Description): string {
  const byTag = Map.groupBy(endpointsOf(description), ({ tag }) => tag)
  const contents = [...byTag.keys()].map((tag) => `<li><a href="#${tagId(tag)}">${escapeHtml(tag)}</a></li>`)
  const chapters = [...byTag].map(
    ([tag, endpoints]) =>
      `<section><h2 id="${tagId(tag)}">${escapeHtml(tag)}</h2>${endpoints.map(operationHtml).join('\n')}</section>`,
  )
  return `<h1>API reference</h1>
<p>Every endpoint with what it takes and answers, from the schemas that check it. For programs: <a href="../openapi.json">/openapi.json</a>. Errors have <a href="errors">one shape</a>. Answers of authenticated endpoints carry these fields in <code>data</code>.</p>
<ul class="chapters">${contents.join('')}</ul>
${chapters.join('\n')}`
}

/** For the search: each operation by its address. */
export const referenceEntries = (description: Description) =>
  endpointsOf(description).map((endpoint) => ({
    id: idOf(endpoint),
    heading: `${endpoint.method} ${endpoint.path}`,
    text: endpoint.summary ?? '',
  }))
