// Checked rows wait here until all of them are: in a file without a name, so that no personal data is left
// behind however the process ends.
import { constants } from 'node:fs'
import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface Spool<Row> {
  add(rows: readonly Row[]): Promise<void>
  /** In the order in which they came, as often as it is asked for. */
  batches(): AsyncGenerator<Row[]>
  close(): Promise<void>
}

/** Open for writing and reading, and already removed: the system takes it back when the process is gone. */
async function openNameless() {
  const folder = await mkdtemp(join(tmpdir(), 'footfall-import-'))
  try {
    return await open(join(folder, 'rows'), constants.O_RDWR | constants.O_CREAT | constants.O_EXCL, 0o600)
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** Rows must be what JSON can hold. */
export async function openSpool<Row>(): Promise<Spool<Row>> {
  const file = await openNameless()
  const lengths: number[] = []
  let end = 0
  return {
    async add(rows) {
      const bytes = Buffer.from(JSON.stringify(rows))
      const { bytesWritten } = await file.write(bytes, 0, bytes.length, end)
      if (bytesWritten < bytes.length) throw new Error('the folder for temporary files is full')
      lengths.push(bytes.length)
      end += bytes.length
    },
    async *batches() {
      let at = 0
      for (const length of lengths) {
        const bytes = Buffer.alloc(length)
        const { bytesRead } = await file.read(bytes, 0, length, at)
        if (bytesRead < length) throw new Error('a temporary file was cut off')
        at += length
        yield JSON.parse(bytes.toString('utf8')) as Row[]
      }
    },
    close: () => file.close(),
  }
}
