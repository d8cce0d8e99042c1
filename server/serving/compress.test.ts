// Answers of /manage on their way: which are compressed, and which must not be.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import fc from 'fast-check'
import { request } from 'undici'
import { makeOwner } from '../../test/support/accounts.ts'
import { startFootfall } from '../../test/support/server.ts'

const footfall = await startFootfall({ after })
const owner = await makeOwner(footfall)
const overview = `/manage/properties/${footfall.property.id}/overview`
await footfall.track.load({})

interface Sent {
  readonly encoding: string | null
  readonly vary: string | null
  readonly bytes: Buffer
}

/** The bytes as they come: fetch would decode them. */
async function send(
  method: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  body?: object,
): Promise<Sent> {
  const reply = await request(footfall.url + path, {
    method: method as 'GET',
    headers: { cookie: owner.cookie, origin: footfall.url, 'content-type': 'application/json', ...headers },
    ...(body && { body: JSON.stringify(body) }),
  })
  const one = (name: string): string | null => [reply.headers[name]].flat()[0] ?? null
  return { encoding: one('content-encoding'), vary: one('vary'), bytes: Buffer.from(await reply.body.arrayBuffer()) }
}
const ask = (headers: Readonly<Record<string, string>>) => send('POST', overview, headers, { period: 'last_28' })

test('an answer is compressed as its reader accepts it, and is the same', async () => {
  const plain = await ask({ 'accept-encoding': 'identity' })
  const [br, gzip] = [await ask({ 'accept-encoding': 'gzip, br' }), await ask({ 'accept-encoding': 'gzip' })]
  assert.deepEqual([plain.encoding, br.encoding, gzip.encoding], [null, 'br', 'gzip'])
  assert.deepEqual([plain.vary, br.vary], ['Accept-Encoding', 'Accept-Encoding'])
  const { data } = JSON.parse(plain.bytes.toString())
  for (const bytes of [brotliDecompressSync(br.bytes), gunzipSync(gzip.bytes)])
    assert.deepEqual(Object.keys(JSON.parse(bytes.toString()).data), Object.keys(data))
  assert.ok(br.bytes.length < plain.bytes.length / 2, `${br.bytes.length} of ${plain.bytes.length}`)
})

test('a request that another site caused gets its answer as it is', async () => {
  for (const site of ['cross-site', 'same-site', 'none'])
    assert.equal((await ask({ 'accept-encoding': 'br', 'sec-fetch-site': site })).encoding, null, site)
  assert.equal((await ask({ 'accept-encoding': 'br', 'sec-fetch-site': 'same-origin' })).encoding, 'br')
})

test('what creates something, and with it a secret, is never compressed; nor is what is small', async () => {
  const headers = { 'accept-encoding': 'br' }
  const token = await send('POST', `/manage/properties/${footfall.property.id}/tokens`, headers, {
    name: 'x'.repeat(100),
    scopes: ['signals:read'],
  })
  assert.equal(token.encoding, null)
  assert.equal((await send('GET', `/manage/properties/${footfall.property.id}/annotations`, headers)).encoding, null)
})

test('whatever a caller says it accepts, it gets what it can read', async () => {
  const part = fc.tuple(fc.constantFrom('br', 'gzip', 'identity', '*', 'zstd', ''), fc.constantFrom('', ';q=0', ';q=1'))
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        part.map((words) => words.join('')),
        { maxLength: 4 },
      ),
      async (parts) => {
        const { encoding, bytes } = await ask({ 'accept-encoding': parts.join(', ') })
        const read = { br: brotliDecompressSync, gzip: gunzipSync }[encoding ?? ''] ?? ((given: Buffer) => given)
        assert.ok(JSON.parse(read(bytes).toString()).data)
        if (encoding !== null) assert.ok(parts.some((name) => /^(br|gzip|\*)/.test(name) && !name.endsWith('q=0')))
      },
    ),
    { numRuns: 25 },
  )
})
