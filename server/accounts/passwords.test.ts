// How passwords are kept: in a text that says how it was made, and never more of them computed at once than
// the process can do without.
import assert from 'node:assert/strict'
import { argon2Sync, randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { setupToken, visitor } from '../../test/support/account-nodes.ts'
import { copyFacts, copyRecords } from '../../test/support/models.ts'
import { newDataDir } from '../../test/support/records.ts'
import { cheapPasswords } from '../../test/support/server.ts'
import { readConfig } from '../config.ts'
import { openContext } from '../context.ts'
import { Problem } from '../kernel/problem.ts'
import { hashPassword, isPassword, usualPasswordCost } from './passwords.ts'
import { setUp } from './setup.ts'

const usual = { randomBytes, passwordCost: usualPasswordCost }
const cheap = { randomBytes, passwordCost: cheapPasswords }

const plain = (bytes: Buffer): string => bytes.toString('base64').replaceAll('=', '')

/** As a service with other costs would have kept it. */
function keep(password: string, memory: number, passes: number): string {
  const nonce = randomBytes(16)
  const message = Buffer.from(password)
  const hash = argon2Sync('argon2id', { message, nonce, memory, passes, parallelism: 1, tagLength: 32 })
  return `$argon2id$v=19$m=${memory},t=${passes},p=1$${plain(nonce)}$${plain(hash)}`
}

/** Less memory than argon2id can do with: whatever is computed at this cost fails. */
const impossible: typeof usual = { randomBytes, passwordCost: { memory: 1, passes: 1, parallelism: 1 } }

test('a password is kept as argon2id with its costs and a salt of its own', async () => {
  const kept = await hashPassword(usual, 'a quiet stone by the river')
  assert.match(kept, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/)
  assert.notEqual(await hashPassword(usual, 'a quiet stone by the river'), kept)
  assert.equal(await isPassword(usual, 'a quiet stone by the river', kept), true)
  assert.equal(await isPassword(usual, 'a quiet stone by the River', kept), false)
})

test('a service that nobody has told otherwise keeps passwords at the real cost', async (t) => {
  const secret = 'a secret of a test, long enough for keys'
  const config = readConfig({ DATA_DIR: newDataDir(t), SECRET: secret, FSYNC: 'off', LOG_LEVEL: 'error' })
  await copyRecords(config.dataDir)
  await copyFacts(config.dataDir, config)
  const context = await openContext(config)
  t.after(() => context.close())
  const owner = { email: 'owner@example.com', name: 'Olive', password: 'a quiet stone by the river' }
  await setUp(context, { token: await setupToken(context), ...owner }, visitor())
  const { password_hash: kept } = await context.records
    .selectFrom('users')
    .select('password_hash')
    .executeTakeFirstOrThrow()
  assert.match(kept ?? '', /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
})

test('one that was kept at other costs is still right, and is looked at for no more than they were', async () => {
  for (const kept of [
    keep('a quiet stone by the river', 256, 1),
    await hashPassword(usual, 'a quiet stone by the river'),
  ])
    assert.deepEqual(
      [await isPassword(impossible, 'a quiet stone by the river', kept), await isPassword(impossible, 'x', kept)],
      [true, false],
    )
})

test('the same letters typed on another keyboard are the same password', async () => {
  const kept = await hashPassword(cheap, 'Gr\u00f6\u00dfe der B\u00e4ume'.normalize('NFC'))
  assert.equal(await isPassword(cheap, 'Gr\u00f6\u00dfe der B\u00e4ume'.normalize('NFD'), kept), true)
})

test('nobody has a password that is right', async () => {
  for (const password of ['', '\0', 'anything at all']) assert.equal(await isPassword(cheap, password, null), false)
})

test('whoever has no account is refused at the cost at which passwords are kept, so that no time tells', async () => {
  await assert.rejects(hashPassword(impossible, 'anything at all'), /memory/)
  await assert.rejects(isPassword(impossible, 'anything at all', null), /memory/)
})

test('a flood is answered in part, and told to come back for the rest', async () => {
  const kept = keep('right', 8, 1)
  const results = await Promise.allSettled(Array.from({ length: 300 }, () => isPassword(cheap, 'right', kept)))
  const answered = results.filter((result) => result.status === 'fulfilled' && result.value)
  const refused = results.filter(
    (result) =>
      result.status === 'rejected' && result.reason instanceof Problem && result.reason.kind === 'unavailable',
  )
  assert.deepEqual([answered.length, refused.length], [202, 98])
  assert.equal(await isPassword(cheap, 'right', kept), true, 'afterwards all is as before')
})
