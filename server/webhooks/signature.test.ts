// What is signed here is accepted by the verifier that receivers copy, and nothing else is. The vectors are
// published for other languages.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { verify, type Verdict } from '../../docs/webhooks/verify.ts'
import { anyCharacter } from '../../test/support/texts.ts'
import { signatureOf } from './signature.ts'

interface Vector {
  readonly name: string
  readonly secret: string
  readonly header: string
  readonly body: string
  readonly now: number
  /** `valid`, or the reason. */
  readonly expected: string
  /** With which secrets, and when, this service would have made the header. */
  readonly signed_with?: readonly string[]
  readonly signed_at?: number
}

const vectors = JSON.parse(
  readFileSync(new URL('../../docs/webhooks/vectors.json', import.meta.url), 'utf8'),
) as readonly Vector[]

const told = (verdict: Verdict): string => (verdict.valid ? 'valid' : verdict.reason)

test('the verifier says of every published vector what is written there', () => {
  assert.ok(vectors.length > 30)
  for (const { name, secret, header, body, now, expected } of vectors) {
    assert.equal(told(verify({ secret, header, body, now })), expected, name)
    assert.equal(told(verify({ secret, header, body: Buffer.from(body), now })), expected, `${name}, as bytes`)
  }
  assert.equal(new Set(vectors.map(({ name }) => name)).size, vectors.length)
})

test('the signature of this service is the one in the vectors', () => {
  const signed = vectors.filter((vector) => vector.signed_with !== undefined)
  assert.ok(signed.length >= 10)
  for (const { name, header, body, signed_with: secrets = [], signed_at: ts = 0 } of signed)
    assert.equal(signatureOf(secrets, body, ts), header, name)
})

const secrets = fc
  .string({ unit: fc.constantFrom(...'abcXYZ019'), minLength: 40, maxLength: 40 })
  .map((text) => `whsec_${text}`)
const times = fc.integer({ min: 0, max: 4_000_000_000 })

test('what is signed is valid for the secret of the signature and for no other, body or time', () => {
  fc.assert(
    fc.property(secrets, secrets, fc.string({ unit: 'grapheme' }), times, (secret, other, body, ts) => {
      fc.pre(secret !== other)
      const header = signatureOf([secret], body, ts)
      assert.match(header, /^t=\d+,v1=[0-9a-f]{64}$/)
      assert.equal(told(verify({ secret, header, body, now: ts })), 'valid')
      assert.equal(told(verify({ secret: other, header, body, now: ts })), 'wrong signature')
      assert.equal(told(verify({ secret, header, body: `${body} `, now: ts })), 'wrong signature')
      assert.equal(told(verify({ secret, header: header.replace(/^t=/, 't=1'), body, now: ts })), 'wrong signature')
      const both = signatureOf([other, secret], body, ts)
      assert.match(both, /^t=\d+,v1=[0-9a-f]{64},v1=[0-9a-f]{64}$/)
      for (const known of [secret, other])
        assert.equal(told(verify({ secret: known, header: both, body, now: ts })), 'valid')
    }),
  )
})

test('a signature is good for the tolerance, either way', () => {
  fc.assert(
    fc.property(
      times,
      fc.integer({ min: -1000, max: 1000 }),
      fc.integer({ min: 0, max: 900 }),
      (ts, age, tolerance) => {
        const header = signatureOf(['whsec_x'], '{}', ts)
        const verdict = verify({ secret: 'whsec_x', header, body: '{}', now: ts + age, tolerance })
        assert.equal(told(verdict), age > tolerance ? 'too old' : age < -tolerance ? 'in the future' : 'valid')
      },
    ),
  )
  const header = signatureOf(['whsec_x'], '{}', Math.floor(Date.now() / 1000))
  assert.equal(told(verify({ secret: 'whsec_x', header, body: '{}' })), 'valid')
  assert.equal(verify({ secret: 'whsec_x', header, body: '{}', now: Number.NaN }).valid, false)
})

test('the verifier never throws and accepts nothing by chance', () => {
  const hex = fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: 64, maxLength: 64 })
  const near = fc.tuple(fc.string({ maxLength: 12 }), hex).map(([t, v1]) => `t=${t},v1=${v1}`)
  const headers = fc.oneof(
    fc.string({ unit: anyCharacter }),
    near,
    fc.constantFrom(null, undefined),
    fc.array(fc.string()),
  )
  fc.assert(
    fc.property(headers, fc.string(), fc.uint8Array(), times, (header, secret, body, now) => {
      const verdict = verify({ secret, header, body, now })
      assert.ok(!verdict.valid && verdict.reason.length > 0)
    }),
  )
  const endless = `${signatureOf(['whsec_x'], '{}', 5)},${'x'.repeat(2000)}`
  assert.equal(told(verify({ secret: 'whsec_x', header: endless, body: '{}', now: 5 })), 'malformed header')
  assert.equal(told(verify({ secret: '', header: signatureOf([''], '{}', 5), body: '{}', now: 5 })), 'wrong signature')
})
