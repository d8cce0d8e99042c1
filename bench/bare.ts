// The yardstick: Fastify with routes that only send a small object, a block of content, or a redirect.
// Started by bench.ts.
import Fastify from 'fastify'

const app = Fastify()
const answer = { success: true, message: 'ok', session_id: 'a'.repeat(32), view_id: 'b'.repeat(40) }
app.get('/v2/signal/load', () => answer)
const content = {
  success: true,
  request_id: 'a'.repeat(56),
  content_id: 'b'.repeat(23),
  content_key: 'c'.repeat(23),
  version_id: 'd'.repeat(23),
  version_label: 'A',
  html: process.env['BARE_HTML'],
  ctas: ['buy', 'later'].map((key) => ({ key, label: key, url: `https://bench.example/${key}` })),
}
app.get('/v2/content/:key/render', () => content)
app.get('/a/:code', (_request, reply) =>
  reply
    .code(302)
    .headers({
      location: 'https://bench.example/articles/1?utm_source=letter&utm_medium=email',
      'cache-control': 'private, no-store',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    })
    .send(),
)
process.on('SIGTERM', () => void app.close())
process.stdout.write(`${await app.listen({ port: 0, host: '127.0.0.1' })}\n`)
