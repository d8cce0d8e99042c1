// Counting requests: who is one client, when a minute is over, and what happens when Redis is away.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { pino } from 'pino'
import { startFakeRedis } from '../../test/support/redis.ts'
import { clientOf, countInProcess, openLimits, secondsLeft } from './limits.ts'

const silent = pino({ level: 'silent' })

test('an IPv6 client is its /64 network, however its address is written', () => {
  const cases: readonly (readonly [string, string])[] = [
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
    ['2001:db8:1:2::1', '2001:db8:1:2'],
    ['2001:0db8:0001:0002:ffff::', '2001:db8:1:2'],
    ['2001:db8::1', '2001:db8:0:0'],
    ['::1', '0:0:0:0'],
    ['::', '0:0:0:0'],
    ['fe80::1%eth0', 'fe80:0:0:0'],
    ['1::2.3.4.5', '1:0:0:0'],
    ['not an address', 'not an address'],
  ]
  for (const [address, client] of cases) assert.equal(clientOf(address), client, address)
})

test('two addresses of one /64 are one client, and addresses of two are two', () => {
  const group = fc.integer({ min: 0, max: 0xffff }).map((value) => value.toString(16))
  const groups = (count: number) => fc.array(group, { minLength: count, maxLength: count })
  fc.assert(
    fc.property(groups(4), groups(4), groups(4), (network, one, other) => {
      const client = clientOf([...network, ...one].join(':'))
      assert.equal(clientOf([...network, ...other].join(':')), client)
      assert.equal(client, network.join(':'))
    }),
  )
})

test('a counter begins anew with the minute, and never holds more clients than its bound', () => {
  const count = countInProcess(3)
  assert.deepEqual([count('a', 0), count('a', 59_999), count('b', 1)], [1, 2, 1])
  assert.equal(count('a', 60_000), 1)
  for (const key of ['b', 'c', 'd']) count(key, 60_001)
  assert.equal(count('d', 60_002), 2, 'the newest are kept')
  assert.equal(count('a', 60_003), 1, 'the oldest was forgotten')
})

test('who was counted often is forgotten last, whatever is counted once meanwhile', () => {
  const count = countInProcess(100)
  for (let n = 0; n < 20; n++) count('often', 0)
  for (let n = 0; n < 1_000; n++) count(`made up ${n}`, 1)
  assert.equal(count('often', 2), 21)
  for (let n = 0; n < 18; n++) count('often', 3, 60_000, -1)
  for (let n = 0; n < 1_000; n++) count(`made up ${n}`, 4)
  assert.equal(count('often', 5), 1, 'given back, it is one like the others')
})

test('windows of several lengths do not disturb each other, and what is given back was never counted', () => {
  const count = countInProcess()
  assert.deepEqual([count('a', 0), count('a', 0, 900_000), count('a', 59_999, 900_000)], [1, 1, 2])
  assert.deepEqual([count('a', 60_000), count('a', 60_000, 900_000)], [1, 3])
  assert.equal(count('a', 60_000, 900_000, -1), 2)
  assert.equal(count('a', 60_000, 900_000), 3)
  assert.equal(count('b', 60_000, 900_000, -1), 0, 'never below nothing')
  assert.equal(count('a', 900_000, 900_000), 1)
  assert.deepEqual([secondsLeft(0, 900_000), secondsLeft(899_999, 900_000)], [900, 1])
})

test('the time to wait is at least a second and at most the minute', () => {
  assert.equal(secondsLeft(0), 60)
  assert.equal(secondsLeft(59_999), 1)
  fc.assert(fc.property(fc.integer({ min: 0, max: 2 ** 43 }), (now) => secondsLeft(now) >= 1 && secondsLeft(now) <= 60))
})

/**
 * The first connection takes a moment; until then the node counts alone, which is not what is tested here.
 */
async function untilShared(count: () => Promise<unknown>, isShared: () => boolean): Promise<void> {
  for (let attempt = 0; attempt < 200 && !isShared(); attempt++) {
    await count()
    await new Promise((resolve) => {
      setTimeout(resolve, 10)
    })
  }
  assert.ok(isShared(), 'Redis was reached')
}

test('two nodes with one Redis count together', async (t) => {
  const redis = await startFakeRedis(t)
  const [one, other] = [await openLimits(redis.url, silent), await openLimits(redis.url, silent)]
  t.after(() => Promise.all([one.close(), other.close()]))
  for (const node of [one, other]) {
    const before = redis.counters.size
    const key = `warm-up-${before}`
    await untilShared(
      async () => node.count(key, 0),
      () => redis.counters.size > before,
    )
  }
  const made = [await one.count('visitor', 0), await other.count('visitor', 1), await one.count('visitor', 2)]
  assert.deepEqual(made, [1, 2, 3])
  assert.equal(await one.count('visitor', 60_000), 1, 'the next minute')
})

test('a node whose Redis is away counts alone, and neither refuses nor fails', async (t) => {
  const redis = await startFakeRedis(t)
  const limits = await openLimits(redis.url, silent)
  t.after(() => limits.close())
  await untilShared(
    async () => limits.count('warm-up', 0),
    () => redis.counters.size > 0,
  )
  await redis.stop()
  assert.deepEqual([await limits.count('visitor', 0), await limits.count('visitor', 1)], [1, 2])
})
