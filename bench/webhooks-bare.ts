// The yardstick of webhooks: POSTs of undici with nothing around them, a fixed number at a time. Started by
// webhooks.ts. node bench/webhooks-bare.ts <url> <posts> <at a time>
import { readFileSync } from 'node:fs'
import { Pool } from 'undici'

const [url = '', posts = '0', atATime = '1'] = process.argv.slice(2)
const { origin, pathname: path } = new URL(url)
const ca = readFileSync(process.env['NODE_EXTRA_CA_CERTS'] ?? '', 'utf8')
const pool = new Pool(origin, { connections: Number(atATime), connect: { ca } })
/** As long as the envelope of an event. */
const body = JSON.stringify({ filler: 'x'.repeat(880) })

async function post(): Promise<number> {
  const began = performance.now()
  const answer = await pool.request({ method: 'POST', path, body, headers: { 'content-type': 'application/json' } })
  await answer.body.dump()
  return performance.now() - began
}

const times: number[] = []
let left = Number(posts)
async function loop(): Promise<void> {
  while (left-- > 0) times.push(await post())
}

await post() // the connection is made
const began = performance.now()
await Promise.all(Array.from({ length: Number(atATime) }, loop))
const perSecond = (times.length / (performance.now() - began)) * 1000
times.sort((a, b) => a - b)
const at = (part: number): number => times[Math.floor((times.length - 1) * part)] ?? 0
process.stdout.write(`${JSON.stringify({ perSecond, p50Ms: at(0.5), p95Ms: at(0.95), p99Ms: at(0.99) })}\n`)
await pool.close()
