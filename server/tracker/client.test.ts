// Who a request comes from: X-PROXY-* counts from trusted peers and with the property's proxy key, and from
// nobody else.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import type { FastifyRequest } from 'fastify'
import * as fc from 'fast-check'
import { anyCharacter } from '../../test/support/texts.ts'
import { openVisitorReader } from './client.ts'

const own = { 'user-agent': 'Own', 'accept-language': 'en' }
const forwarded = { ...own, 'x-proxy-ip': '198.51.100.9', 'x-proxy-user-agent': 'Theirs', 'x-proxy-lang': 'fr' }
const asked = (peer: string, headers: Record<string, string>, ip = '192.0.2.1') =>
  ({ headers, ip, socket: { remoteAddress: peer } }) as unknown as FastifyRequest

const theirs = { address: '198.51.100.9', agent: 'Theirs', language: 'fr' }
const ours = { address: '192.0.2.1', agent: 'Own', language: 'en' }
const keyHash = createHash('sha256').update('the key').digest('hex')
const keyless = { proxy_key_hash: null }
const keyed = { proxy_key_hash: keyHash }

test('a trusted peer speaks for the visitor, another one does not', () => {
  const read = openVisitorReader(['10.0.0.0/8', 'loopback', '2001:db8::/32'])
  for (const peer of ['10.1.2.3', '::ffff:10.1.2.3', '127.0.0.1', '::1', '2001:db8::5'])
    assert.deepEqual(read(asked(peer, forwarded), keyless), theirs, peer)
  for (const peer of ['11.1.2.3', '2001:db9::5', '::2', ''])
    assert.deepEqual(read(asked(peer, forwarded), keyless), ours, peer)
})

test('with the key of the property any peer does; with a wrong, empty or foreign one none', () => {
  const read = openVisitorReader([])
  assert.deepEqual(read(asked('203.0.113.1', { ...forwarded, 'x-proxy-key': 'the key' }), keyed), theirs)
  for (const key of ['', 'The key', 'the key ', keyHash])
    assert.deepEqual(read(asked('203.0.113.1', { ...forwarded, 'x-proxy-key': key }), keyed), ours, key)
  assert.deepEqual(read(asked('203.0.113.1', forwarded), keyed), ours)
  assert.deepEqual(read(asked('203.0.113.1', { ...forwarded, 'x-proxy-key': 'the key' }), keyless), ours)
})

test('without TRUST_PROXY a program on this machine speaks for its visitors, and nobody else does', () => {
  const read = openVisitorReader([])
  for (const peer of ['127.0.0.1', '127.8.8.8', '::1', '::ffff:127.0.0.1'])
    assert.deepEqual(read(asked(peer, forwarded), keyless), theirs, peer)
  for (const peer of ['10.0.0.1', '192.168.0.1', '172.17.0.1', '169.254.0.1', 'fd00::1', '203.0.113.1', '::2', ''])
    assert.deepEqual(read(asked(peer, forwarded), keyless), ours, peer)
})

test('a reverse proxy on this machine passes on what a stranger wrote: it speaks for nobody, whichever way it says so', () => {
  const read = openVisitorReader([])
  const signs = [
    { 'x-forwarded-for': '192.0.2.1' },
    { 'x-forwarded-for': '' },
    { 'x-real-ip': '192.0.2.1' },
    { forwarded: 'for=192.0.2.1' },
    { via: '1.1 cache' },
  ]
  for (const sign of signs)
    assert.deepEqual(read(asked('127.0.0.1', { ...forwarded, ...sign }), keyless), ours, JSON.stringify(sign))
})

test('TRUST_PROXY names all who speak for others: this machine alone when it is among them', () => {
  assert.deepEqual(openVisitorReader(['10.0.0.1'])(asked('127.0.0.1', forwarded), keyless), ours)
  assert.deepEqual(openVisitorReader(['10.0.0.1', 'loopback'])(asked('127.0.0.1', forwarded), keyless), theirs)
})

test('what a proxy leaves out, or writes wrong, is taken from the request', () => {
  const read = openVisitorReader(['10.0.0.1'])
  assert.deepEqual(read(asked('10.0.0.1', { ...own, 'x-proxy-ip': 'not an address', 'x-proxy-lang': 'fr' }), keyless), {
    ...ours,
    language: 'fr',
  })
  assert.deepEqual(read(asked('10.0.0.1', { ...own, 'x-proxy-user-agent': 'Theirs' }), keyless), {
    ...ours,
    agent: 'Theirs',
  })
})

test('a trusted peer that names a client in X-Forwarded-For passes on what a browser wrote: only the key counts then', () => {
  const read = openVisitorReader(['10.0.0.1'])
  const passedOn = { ...forwarded, 'x-forwarded-for': '192.0.2.1' }
  assert.deepEqual(read(asked('10.0.0.1', passedOn), keyed), ours)
  assert.deepEqual(read(asked('10.0.0.1', { ...passedOn, 'x-forwarded-for': '' }), keyed), ours)
  assert.deepEqual(read(asked('10.0.0.1', { ...passedOn, 'x-proxy-key': 'the key' }), keyed), theirs)
})

test('a visitor has one address, however the proxies write it', () => {
  const read = openVisitorReader(['10.0.0.1'])
  const address = (ip: string) => read(asked('::ffff:10.0.0.1', own, ip), keyless).address
  for (const ip of ['192.0.2.1', '192.0.2.1:41000', '::ffff:192.0.2.1', '[::ffff:c000:201]:9'])
    assert.equal(address(ip), '192.0.2.1')
  assert.equal(address('2001:DB8:0::1'), '2001:db8::1')
  assert.equal(address('unknown'), '10.0.0.1')
  const proxied = { ...forwarded, 'x-proxy-ip': '198.51.100.9:50000' }
  assert.equal(read(asked('10.0.0.1', proxied), keyless).address, '198.51.100.9')
})

test('whatever the headers hold, nobody untrusted changes the address, and texts stay bounded', () => {
  const read = openVisitorReader(['10.0.0.0/8'])
  const text = fc.string({ unit: anyCharacter, maxLength: 4000 })
  fc.assert(
    fc.property(text, text, text, text, (ip, agent, lang, key) => {
      const visitor = read(
        asked('203.0.113.1', { 'user-agent': agent, 'accept-language': lang, 'x-proxy-ip': ip, 'x-proxy-key': key }),
        keyed,
      )
      assert.equal(visitor.address, '192.0.2.1')
      assert.ok(
        [...visitor.agent].length <= 1024 && [...visitor.language].length <= 255 && visitor.agent.isWellFormed(),
      )
    }),
  )
})
