// The HTTPS endpoint of the bench, in the bench's own process, which does nothing else meanwhile: it answers at once and notes when what came.
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

/** Whatever has not come by then, does not. */
const LAST_MS = 60_000

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
  /** The next ones that are wanted, from now on; to be asked before what they follow from is done. */
  readonly expect: (count: number, isWanted: IsWanted) => Promise<readonly Arrival[]>
  close(): void
}

interface Expected {
  readonly isWanted: IsWanted
  readonly count: number
  readonly arrivals: Arrival[]
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
        expected.arrivals.push(arrival)
        if (expected.arrivals.length >= expected.count) expected.done.resolve(expected.arrivals)
      }
    },
    async expect(count, isWanted) {
      const expected: Expected = { isWanted, count, arrivals: [], done: Promise.withResolvers() }
      const late = () => expected.done.reject(new Error(`${expected.arrivals.length} of ${count} deliveries have come`))
      const timer = setTimeout(late, LAST_MS)
      all.add(expected)
      try {
        return await expected.done.promise
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
    // A caller that goes away is nobody's loss.
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
