// The HTTPS endpoint of the bench, in the bench's own process, which does nothing else meanwhile: it answers
// at once and records when each call arrived.
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

/** When nothing has arrived for so long, nothing will. */
const SILENCE_MS = 60_000

export interface Arrival {
  readonly path: string
  /** By performance.now. */
  readonly atMs: number
  readonly body: string
}

type IsWanted = (arrival: Arrival) => boolean

export interface Endpoint {
  readonly url: string
  /** A path that is never answered. */
  dead: string | undefined
  /** Waits for the next calls, from now on; must be called before their trigger. */
  readonly expect: (count: number, isWanted: IsWanted) => Promise<readonly Arrival[]>
  close(): void
}

interface Expected {
  readonly isWanted: IsWanted
  readonly count: number
  readonly arrivals: Arrival[]
  readonly timer: NodeJS.Timeout
  readonly done: PromiseWithResolvers<readonly Arrival[]>
}

interface Expectations extends Pick<Endpoint, 'expect'> {
  readonly note: (arrival: Arrival) => void
}

function openExpectations(): Expectations {
  const all = new Set<Expected>()
  return {
    note(arrival) {
      for (const expected of all) {
        if (!expected.isWanted(arrival)) continue
        expected.timer.refresh()
        expected.arrivals.push(arrival)
        if (expected.arrivals.length >= expected.count) expected.done.resolve(expected.arrivals)
      }
    },
    async expect(count, isWanted) {
      const arrivals: Arrival[] = []
      const done = Promise.withResolvers<readonly Arrival[]>()
      const late = () => done.reject(new Error(`${arrivals.length} of ${count} deliveries have come`))
      const timer = setTimeout(late, SILENCE_MS)
      const expected: Expected = { isWanted, count, arrivals, timer, done }
      all.add(expected)
      try {
        return await done.promise
      } finally {
        clearTimeout(timer)
        all.delete(expected)
      }
    },
  }
}

export async function openEndpoint(certificate: { readonly key: string; readonly cert: string }): Promise<Endpoint> {
  const { note, expect } = openExpectations()
  const server = createServer(certificate, (request, response) => {
    const atMs = performance.now()
    const path = request.url ?? ''
    const answer = (body: string): void => {
      note({ path, atMs, body })
      if (path !== endpoint.dead) response.end('ok')
    }
    // Hang-ups of callers are ignored.
    text(request).then(answer, () => {})
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const endpoint: Endpoint = {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    dead: undefined,
    expect,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
  return endpoint
}
