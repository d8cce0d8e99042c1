// The yardstick: what Fastify answers when a route does nothing but send a small object. Started by bench.ts.
import Fastify from 'fastify'

const app = Fastify()
const answer = { success: true, message: 'ok', session_id: 'a'.repeat(32), view_id: 'b'.repeat(40) }
app.get('/v2/signal/load', () => answer)
process.on('SIGTERM', () => void app.close())
process.stdout.write(`${await app.listen({ port: 0, host: '127.0.0.1' })}\n`)
