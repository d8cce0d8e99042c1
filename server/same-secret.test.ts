// One installation has one secret: whoever comes with another one is refused, and nothing stored tells of it.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { openHomes, openMigrated, openNode, testOnEach } from '../test/support/records.ts'
import { type Config, readConfig } from './config.ts'
import { openKeys } from './kernel/keys.ts'
import { keepSecret, refuseOtherSecret } from './same-secret.ts'
import { findFingerprint } from './secret-records.ts'

const { homes } = await openHomes()

const newSecret = (): string => randomBytes(32).toString('hex')
const refusal = { name: 'SettingError', message: /^SECRET is not the one of these records/ }

/** What a process with that secret has of it. */
function given(secret: string): readonly [Config, ReturnType<typeof openKeys>] {
  return [readConfig({ SECRET: secret }), openKeys(secret)]
}

testOnEach(homes, 'the first secret stays, also when two nodes come first', async (t, home) => {
  const { records, options } = await openMigrated(t, home)
  const other = await openNode(t, options)
  const [one, two] = [given(newSecret()), given(newSecret())]
  const outcomes = await Promise.allSettled([keepSecret(one[0], records, one[1]), keepSecret(two[0], other, two[1])])
  assert.deepEqual(outcomes.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected'])
  const [first, second] = outcomes[0].status === 'fulfilled' ? [one, two] : [two, one]
  await refuseOtherSecret(first[0], other, first[1])
  await assert.rejects(refuseOtherSecret(second[0], records, second[1]), refusal)
})

testOnEach(homes, 'nothing of the secret is in what is kept of it', async (t, home) => {
  const { records } = await openMigrated(t, home)
  const secret = newSecret()
  const [config, keys] = given(secret)
  await keepSecret(config, records, keys)
  const kept = await findFingerprint(records)
  assert.match(kept ?? '', /^[0-9a-f]{64}$/)
  assert.ok(!secret.includes(kept!) && kept !== keys('fingerprint').export().toString('hex'))
})

testOnEach(homes, 'records that are not migrated yet refuse nobody', async (t, home) => {
  const records = await openNode(t, await home.fresh(t))
  const [config, keys] = given(newSecret())
  await refuseOtherSecret(config, records, keys)
})
