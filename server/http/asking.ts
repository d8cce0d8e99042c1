// A request queries the facts in the name of its caller, and its queries are cancelled when the caller hangs
// up.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { asAsker, nobodyWaits } from '../queues/asker.ts'

/** Aborted when the connection ends before the whole answer has been sent. */
function goneSignal({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController()
  raw.once('close', () => {
    if (!raw.writableFinished) gone.abort(nobodyWaits())
  })
  return gone.signal
}

/** A preHandler hook with a callback: the asynchronous context it sets continues in the handler. */
export function askAsCaller({ allowed }: FastifyRequest, reply: FastifyReply, done: () => void): void {
  if (allowed?.asker) asAsker({ ...allowed.asker, signal: goneSignal(reply) }, done)
  else done()
}
