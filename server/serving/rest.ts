// The heap after a start: to load and compile everything has left it more than twice as large as what it
// holds. V8 would give that back within minutes; here it does as soon as nobody is there to wait for it.
import type { Server } from 'node:http'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** A look takes next to nothing; the first one comes when the start is over. */
const LOOK_MS = 2_000

type Collect = (options: { readonly type: 'major'; readonly execution: 'sync'; readonly flavor: 'last-resort' }) => void

/** The only one that also makes the heap smaller. A fifth of a second. */
function collectAll(): void {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as Collect
  setFlagsFromString('--no-expose-gc')
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' })
}

/** Once, as soon as nobody is connected. */
export function restWhenQuiet(server: Pick<Server, 'getConnections'>, rest = collectAll, lookMs = LOOK_MS): void {
  let isOver = false
  const look = (error: Error | null, connections: number): void => {
    if (error || connections > 0 || isOver) return
    isOver = true
    clearInterval(timer)
    rest()
  }
  const timer = setInterval(() => server.getConnections(look), lookMs).unref()
}
