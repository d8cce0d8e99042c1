// How passwords are kept: in a text that says how it was made, and never more of them computed at once than the process can do without.
import assert from 'node:assert/strict'
import { argon2Sync, randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { Problem } from '../kernel/problem.ts'
import { hashPassword, isPassword } from './passwords.ts'

const plain = (bytes: Buffer): string => bytes.toString('base64').replaceAll('=', '')

/** As a service with other costs would have kept it. */
function keep(password: string, memory: number, passes: number): string {
  const nonce = randomBytes(16)
  const message = Buffer.from(password)
  const hash = argon2Sync('argon2id', { message, nonce, memory, passes, parallelism: 1, tagLength: 32 })
  return `$argon2id$v=19$m=${memory},t=${passes},p=1$${plain(nonce)}$${plain(hash)}`
}

test('a password is kept as argon2id with its costs and a salt of its own', async () => {
  const kept = await hashPassword(randomBytes, 'a quiet stone by the river')
  assert.match(kept, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/)
  assert.notEqual(await hashPassword(randomBytes, 'a quiet stone by the river'), kept)
  assert.equal(await isPassword('a quiet stone by the river', kept), true)
  assert.equal(await isPassword('a quiet stone by the River', kept), false)
})

test('one that was kept at other costs is still right', async () => {
  const kept = keep('a quiet stone by the river', 256, 1)
  assert.deepEqual([await isPassword('a quiet stone by the river', kept), await isPassword('x', kept)], [true, false])
})

test('the same letters typed on another keyboard are the same password', async () => {
  const kept = await hashPassword(randomBytes, 'Gr\u00f6\u00dfe der B\u00e4ume'.normalize('NFC'))
  assert.equal(await isPassword('Gr\u00f6\u00dfe der B\u00e4ume'.normalize('NFD'), kept), true)
})

test('nobody has a password that is right', async () => {
  for (const password of ['', '\0', 'anything at all']) assert.equal(await isPassword(password, null), false)
})

test('a flood is answered in part, and told to come back for the rest', async () => {
  const kept = keep('right', 8, 1)
  const results = await Promise.allSettled(Array.from({ length: 300 }, () => isPassword('right', kept)))
  const answered = results.filter((result) => result.status === 'fulfilled' && result.value)
  const refused = results.filter(
    (result) =>
      result.status === 'rejected' && result.reason instanceof Problem && result.reason.kind === 'unavailable',
  )
  assert.deepEqual([answered.length, refused.length], [202, 98])
  assert.equal(await isPassword('right', kept), true, 'afterwards all is as before')
})
