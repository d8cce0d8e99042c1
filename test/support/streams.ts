// Every streamed answer of a test is held against what its endpoint declares, as it passes: rows of CSV files
// one by one, a JSON document when it is whole.
import { once } from 'node:events'
import { PassThrough, Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import type { Ajv } from 'ajv'
import { parse } from 'csv-parse'
import type { onSendAsyncHookHandler } from 'fastify'
import type { TObject } from 'typebox'
import { bareCell } from '../../server/csv/cells.ts'
import { endpoints } from '../../server/endpoints.ts'
import type { Endpoint } from '../../server/http/endpoint.ts'
import { openAjv } from './answers.ts'

const documents = openAjv()
/** A cell is a text: numbers are read from it, and null from an empty one. */
const cells = openAjv({ coerceTypes: true })

function assertFits(ajv: Ajv, schema: object, value: unknown, what: string): void {
  if (!ajv.validate(schema, value)) throw new Error(`${what} is not as its schema says: ${ajv.errorsText()}`)
}

/** Declared columns stand in their order, and others only where the shape allows them. */
function isHeaderOf(shape: TObject, columns: readonly string[]): boolean {
  const { properties, additionalProperties }: { properties: object; additionalProperties?: unknown } = shape
  const declared = Object.keys(properties)
  const known = columns.filter((column) => declared.includes(column))
  if (new Set(columns).size < columns.length || known.join() !== declared.join()) return false
  return additionalProperties !== false || known.length === columns.length
}

/** @throws Error for the first row that no declared shape allows. */
export async function checkRows(shapes: readonly TObject[], file: Readable): Promise<void> {
  let columns: string[] | undefined
  let shape: TObject | undefined
  let line = 0
  for await (const row of file.pipe(parse()) as AsyncIterable<string[]>) {
    const texts = row.map(bareCell)
    line++
    if (!columns) {
      columns = texts
      shape = shapes.find((each) => isHeaderOf(each, texts))
      if (!shape) throw new Error(`No file with these columns is declared: ${texts.join(', ')}`)
      continue
    }
    const named = Object.fromEntries(columns.map((column, at) => [column, texts[at]]))
    assertFits(cells, shape!, named, `Row ${line}`)
  }
}

async function checkDocument(schema: object, file: Readable): Promise<void> {
  assertFits(documents, schema, JSON.parse(await text(file)), 'The document')
}

/** What holds the answer of an endpoint; undefined for images, and for Parquet, which carries its schema. */
function checkOf({ contract, response }: Endpoint, type: string): ((file: Readable) => Promise<void>) | undefined {
  if (type.startsWith('text/csv')) return (file) => checkRows(contract.rows ?? [], file)
  if (!type.startsWith('application/json')) return undefined
  return (file) => checkDocument(contract.document ?? response ?? { not: {} }, file)
}

/**
 * The same bytes; the stream fails before the last of them when they were not allowed. A caller that was told
 * their number would miss a fault behind them.
 */
async function* held(source: Readable, check: (file: Readable) => Promise<void>): AsyncGenerator<Buffer> {
  const seen = new PassThrough()
  const checked = check(seen)
  // Awaited below; until then a fault is no unhandled rejection.
  checked.catch(() => seen.destroy())
  let last = Buffer.alloc(0)
  for await (const chunk of source) {
    if (!seen.destroyed && !seen.write(chunk)) await Promise.race([once(seen, 'drain'), once(seen, 'close')])
    yield last
    last = Buffer.from(chunk as string)
  }
  seen.end()
  await checked
  yield last
}

/** A hook that cuts an answer short, and says why, when it is not as its endpoint declares. */
export const checkStreams: onSendAsyncHookHandler = async (request, reply, payload) => {
  if (!(payload instanceof Readable) || reply.statusCode !== 200) return payload
  const { url, method } = request.routeOptions
  const endpoint = endpoints.find((each) => each.url === url && each.method === method)
  const check = endpoint && checkOf(endpoint, String(reply.getHeader('content-type')))
  if (!check) return payload
  const explained = (file: Readable) =>
    check(file).catch((error: unknown) => {
      console.error(`${String(method)} ${url}:`, error)
      throw error
    })
  return Readable.from(held(payload, explained), { objectMode: false })
}
