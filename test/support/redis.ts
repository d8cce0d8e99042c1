// A Redis of a few commands, enough to count in: the real protocol over a real socket, without a server to
// install.
import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import type { TestContext } from 'node:test'

export interface FakeRedis {
  readonly url: string
  /** Counters by key, as the server sees them. */
  readonly counters: Map<string, number>
  /** Lets go of all connections and of the port. */
  stop: () => Promise<void>
  /** At the same port. */
  start: () => Promise<void>
}

/**
 * Requests arrive as arrays of bulk texts; one may be cut anywhere, so what is incomplete is left for the
 * next piece.
 */
function readCommands(text: string): { commands: string[][]; rest: string } {
  const commands: string[][] = []
  let rest = text
  for (;;) {
    const lines = rest.split('\r\n')
    const count = Number(lines[0]?.slice(1))
    if (!rest.startsWith('*') || lines.length < 1 + count * 2 + 1) return { commands, rest }
    commands.push(Array.from({ length: count }, (_, at) => lines[2 + at * 2] ?? ''))
    rest = lines.slice(1 + count * 2).join('\r\n')
  }
}

function answerOf(counters: Map<string, number>, [name = '', key = '']: string[]): string {
  const step = { incr: 1, decr: -1 }[name.toLowerCase()]
  if (step !== undefined) {
    const made = (counters.get(key) ?? 0) + step
    counters.set(key, made)
    return `:${made}\r\n`
  }
  if (name.toLowerCase() === 'expire') return ':1\r\n'
  if (name.toLowerCase() === 'info') return '$16\r\nredis_version:7.\r\n'
  return '+OK\r\n'
}

function serve(counters: Map<string, number>, socket: Socket): void {
  let pending = ''
  let queued: string[][] | undefined
  const answer = (command: string[]): string => {
    const name = (command[0] ?? '').toLowerCase()
    if (name === 'multi') {
      queued = []
      return '+OK\r\n'
    }
    if (name === 'exec') {
      const answers = (queued ?? []).map((each) => answerOf(counters, each))
      queued = undefined
      return `*${answers.length}\r\n${answers.join('')}`
    }
    if (queued) {
      queued.push(command)
      return '+QUEUED\r\n'
    }
    return answerOf(counters, command)
  }
  socket.on('error', () => socket.destroy())
  socket.on('data', (bytes) => {
    const { commands, rest } = readCommands(pending + bytes.toString())
    pending = rest
    for (const command of commands) socket.write(answer(command))
  })
}

export async function startFakeRedis(t: Pick<TestContext, 'after'>): Promise<FakeRedis> {
  const counters = new Map<string, number>()
  const sockets = new Set<Socket>()
  const server: Server = createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    serve(counters, socket)
  })
  let port = 0
  const start = async (): Promise<void> => {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
    ;({ port } = server.address() as AddressInfo)
  }
  await start()
  const stop = async (): Promise<void> => {
    for (const socket of sockets) socket.destroy()
    await new Promise<void>((resolve) => {
      server.close(() => resolve())
    })
  }
  t.after(stop)
  return { url: `redis://127.0.0.1:${port}`, counters, stop, start }
}
