// Rows of the facts as a Parquet file on this machine, made by ClickHouse and streamed from it. Nobody holds
// more than a piece of it, and whoever waits no longer ends the work.
import { createWriteStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { basename } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { createClient } from '@clickhouse/client'
import { endsWithItsCaller, readSettings } from './engine.ts'

export interface SaveTask {
  /** One SELECT. */
  readonly sql: string
  readonly params: Readonly<Record<string, unknown>>
  /** A file that does not exist yet, of a name that no other file has. */
  readonly path: string
  /** How many rows it will be, or a little more: for the progress. */
  readonly rows: number
}

export interface SaveWatch {
  readonly signal: AbortSignal
  /** Told now and then how much is done, 0 to 1. */
  readonly progress: (share: number) => void
}

type Client = ReturnType<typeof createClient>

const WATCH_MS = 500
/** The default of a million rows would be gathered in memory before any of them is written. */
const ROWS_A_GROUP = 50_000
const ROWS_A_BLOCK = 8_192
const READABLE_BY_OWNER = 0o600
/** What a file of the format begins and ends with. */
const MAGIC = 'PAR1'

/** One thread, so that a long file leaves the others their turns, and no end but that of the rows. */
function saveSettings(memoryBytes: number): Readonly<Record<string, number>> {
  return {
    ...readSettings(1, memoryBytes),
    max_execution_time: 0,
    max_block_size: ROWS_A_BLOCK,
    output_format_parquet_row_group_size: ROWS_A_GROUP,
    output_format_parquet_parallel_encoding: 0,
  }
}

/**
 * Asks now and then until the returned function is called; an answer that does not come is asked for again.
 */
function watching(ask: () => Promise<number | undefined>, { progress }: SaveWatch): () => void {
  let isOver = false
  const timer = setInterval(() => {
    ask().then(
      (share) => {
        if (!isOver && share !== undefined && share > 0) progress(Math.min(1, share))
      },
      () => undefined,
    )
  }, WATCH_MS)
  return () => {
    isOver = true
    clearInterval(timer)
  }
}

/**
 * What went wrong after the first byte is told in the middle of the file, which then does not end as it
 * should.
 */
async function assertWhole(path: string): Promise<void> {
  const file = await open(path)
  try {
    const { size } = await file.stat()
    const { buffer } = await file.read(Buffer.alloc(MAGIC.length), 0, MAGIC.length, Math.max(0, size - MAGIC.length))
    if (buffer.toString() !== MAGIC) throw new Error('the facts store broke off in the middle of a file')
  } finally {
    await file.close()
  }
}

export async function saveFromServer(
  client: Client,
  { sql, params, path }: SaveTask,
  watch: SaveWatch,
  memoryBytes: number,
): Promise<void> {
  watch.signal.throwIfAborted()
  const query_id = basename(path)
  const read = async (): Promise<number | undefined> => {
    const query =
      'SELECT read_rows / greatest(total_rows_approx, 1) AS share FROM system.processes WHERE query_id = {id:String}'
    const result = await client.query({ query, query_params: { id: query_id }, format: 'JSONEachRow' })
    return (await result.json<{ share: number }>())[0]?.share
  }
  const end = watching(read, watch)
  try {
    const { stream } = await client.exec({
      query: `${sql} FORMAT Parquet`,
      query_params: { ...params },
      query_id,
      abort_signal: watch.signal,
      clickhouse_settings: { ...saveSettings(memoryBytes), ...endsWithItsCaller },
    })
    await pipeline(stream, createWriteStream(path, { mode: READABLE_BY_OWNER }), { signal: watch.signal })
    await assertWhole(path)
  } catch (error) {
    watch.signal.throwIfAborted()
    throw error
  } finally {
    end()
  }
}
