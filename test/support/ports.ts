// Ports for servers that have to be told theirs: they cannot take a free one and say which.
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { randomInt } from 'node:crypto'

/** Below those that the system gives to connections and to servers without a wish. */
const FIRST = 20_000
const LAST = 31_999

/**
 * The test files of a run share the folder, and a claim lasts as long: a server that was stopped gets its
 * port again.
 */
function isClaimed(port: number): boolean {
  try {
    closeSync(openSync(join(tmpdir(), `footfall-port-${port}`), 'wx'))
    return true
  } catch {
    return false // by another test
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer()
  try {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
    return true
  } catch {
    return false
  } finally {
    server.close()
  }
}

/** A free port that no other test of this run is given. */
export async function takePort(): Promise<number> {
  for (;;) {
    const port = randomInt(FIRST, LAST + 1)
    if (isClaimed(port) && (await isFree(port))) return port
  }
}
