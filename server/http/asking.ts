// What a request asks of the facts, it asks in the name of its caller and of nobody once they have hung up.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { asAsker, nobodyWaits } from '../queues/asker.ts'

/** Aborted when the connection ends before the whole answer has gone out. */
function goneSignal({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController()
  raw.once('close', () => {
    if (!raw.writableFinished) gone.abort(nobodyWaits())
  })
  return gone.signal
}

/** A preHandler hook with a callback: what runs in it goes on to the handler. */
export function askAsCaller({ allowed }: FastifyRequest, reply: FastifyReply, done: () => void): void {
  if (allowed?.asker) asAsker({ ...allowed.asker, signal: goneSignal(reply) }, done)
  else done()
}
