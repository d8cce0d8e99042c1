// Properties and tokens over real databases, as two nodes see them.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import type { TestContext } from 'node:test'
import { Problem } from '../kernel/problem.ts'
import { type Home, openHomes, openMigrated, openNode, testOnEach } from '../../test/support/records.ts'
import {
  countErasures,
  createProperty,
  noteErasure,
  openPropertyDirectory,
  removeProperty,
  renewProxyKey,
  swapSampleRun,
  updateProperty,
} from './properties.ts'
import { secretHash } from '../kernel/secrets.ts'
import { createToken, openTokenDirectory, revokeToken, scopes } from './tokens.ts'

const { homes } = await openHomes()
const onEach = (promise: string, check: (t: TestContext, home: Home) => Promise<void>) =>
  testOnEach(homes, promise, check)

const draft = { name: 'Site', domains: ['example.com'], default_period: null, plan: 'paid' } as const

/** Two nodes on one database with one settable clock, a property and a token of it. */
async function openTwoNodes(t: TestContext, home: Home) {
  const { records, options } = await openMigrated(t, home)
  const clock = { ms: Date.UTC(2026, 5, 1) }
  const nodeOn = (handle: typeof records) => {
    const deps = { records: handle, now: () => clock.ms, randomBytes }
    return { ...deps, properties: openPropertyDirectory(deps), tokens: openTokenDirectory(deps) }
  }
  const here = nodeOn(records)
  const there = nodeOn(await openNode(t, options))
  const property = await createProperty(here, { ...draft, domains: [...draft.domains] })
  const { token, accessToken } = await createToken(here, property.id, { name: 'all', scopes })
  return { clock, here, there, property, token, accessToken, records }
}

onEach('a property is found by its key and by its id, and then without the database', async (t, home) => {
  const { here, property } = await openTwoNodes(t, home)
  assert.deepEqual(await here.properties.byKey(property.key), property)
  assert.deepEqual(await here.properties.byId(property.id), property)
  assert.deepEqual(here.properties.byKey(property.key), property, 'at once, not a promise')
  assert.deepEqual(here.properties.byId(property.id), property)
  for (const text of [
    '',
    property.id,
    `${property.key}x`,
    property.key.toLowerCase(),
    property.key.slice(0, -1),
    'ff_' + '0'.repeat(20),
  ])
    assert.equal(await here.properties.byKey(text), undefined, text)
  const hostile = [[property.key], [property.id], { toString: 1 }, null, 5] as unknown as string[]
  for (const none of hostile) {
    assert.equal(here.properties.byKey(none), undefined)
    assert.equal(here.properties.byId(none), undefined)
  }
})

onEach('a token opens its own property with its own scopes, and nothing else does', async (t, home) => {
  const { here, property, token, accessToken, records } = await openTwoNodes(t, home)
  const access = { propertyId: property.id, tokenId: token.id, scopes: [...scopes] }
  assert.deepEqual(await here.tokens.find(accessToken), access)
  assert.deepEqual(here.tokens.find(accessToken), access, 'at once, not a promise')
  for (const text of [
    '',
    accessToken.toLowerCase(),
    accessToken.slice(0, -1),
    secretHash(accessToken),
    `fft_${'0'.repeat(40)}`,
    token.id,
  ])
    assert.equal(await here.tokens.find(text), undefined, text)
  const stored = JSON.stringify(await records.selectFrom('tokens').selectAll().execute())
  assert.ok(!stored.includes(accessToken.slice(4)), 'the token itself is stored')
})

onEach('a revoked token is refused at once where it was revoked and within two seconds elsewhere', async (t, home) => {
  const { clock, here, there, property, token, accessToken } = await openTwoNodes(t, home)
  assert.ok((await here.tokens.find(accessToken)) && (await there.tokens.find(accessToken)))
  await revokeToken(here, here.tokens, property.id, token.id)
  assert.equal(await here.tokens.find(accessToken), undefined)
  clock.ms += 2_001
  assert.equal(await there.tokens.find(accessToken), undefined)
  await assert.rejects(
    revokeToken(here, here.tokens, property.id, token.id),
    (error) => error instanceof Problem && error.kind === 'not_found',
  )
})

onEach(
  'a token in steady use elsewhere is refused two seconds after its revocation, without a gap in between',
  async (t, home) => {
    const { clock, here, there, property, token, accessToken } = await openTwoNodes(t, home)
    await there.tokens.find(accessToken)
    await revokeToken(here, here.tokens, property.id, token.id)
    for (let i = 0; i < 8; i++) {
      clock.ms += 250
      await there.tokens.find(accessToken)
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    assert.equal(await there.tokens.find(accessToken), undefined)
  },
)

onEach('a token of another property cannot be revoked', async (t, home) => {
  const { here, token, accessToken } = await openTwoNodes(t, home)
  const other = await createProperty(here, { ...draft, domains: [] })
  await assert.rejects(
    revokeToken(here, here.tokens, other.id, token.id),
    (error) => error instanceof Problem && error.kind === 'not_found',
  )
  assert.ok(await here.tokens.find(accessToken))
})

onEach('a changed property is seen at once here and within two seconds elsewhere', async (t, home) => {
  const { clock, here, there, property } = await openTwoNodes(t, home)
  for (const node of [here, there]) {
    await node.properties.byKey(property.key)
    await node.properties.byId(property.id)
  }
  const changed = await updateProperty(here, here.properties, property.id, { name: 'New', domains: ['b.com'] })
  assert.deepEqual(changed, { ...property, name: 'New', domains: ['b.com'] })
  assert.deepEqual(await here.properties.byKey(property.key), changed)
  assert.deepEqual(await here.properties.byId(property.id), changed)
  clock.ms += 2_001
  assert.deepEqual(await there.properties.byKey(property.key), changed)
})

onEach(
  'a removed property takes its tokens with it, at once here and within two seconds elsewhere',
  async (t, home) => {
    const { clock, here, there, property, accessToken } = await openTwoNodes(t, home)
    for (const node of [here, there]) {
      await node.properties.byKey(property.key)
      await node.tokens.find(accessToken)
    }
    await removeProperty({ ...here, emptyProperty: async () => undefined }, here, property.id)
    assert.equal(await here.properties.byKey(property.key), undefined)
    assert.equal(await here.tokens.find(accessToken), undefined)
    clock.ms += 2_001
    assert.equal(await there.properties.byKey(property.key), undefined)
    assert.equal(await there.tokens.find(accessToken), undefined)
    const late = createToken(here, property.id, { name: 'late', scopes })
    await assert.rejects(late, (error) => error instanceof Problem && error.kind === 'not_found')
  },
)

onEach(
  'nothing reaches a property from the first moment of its removal, and a removal that failed may be repeated',
  async (t, home) => {
    const { clock, here, there, property, accessToken } = await openTwoNodes(t, home)
    await there.properties.byKey(property.key)
    const failing = async (id: string) => {
      clock.ms += 2_001
      for (const node of [here, there]) {
        assert.equal(await node.properties.byKey(property.key), undefined)
        assert.equal(await node.tokens.find(accessToken), undefined)
      }
      assert.equal(id, property.id)
      throw new Error('interrupted')
    }
    await assert.rejects(removeProperty({ ...here, emptyProperty: failing }, here, property.id), /interrupted/)
    const emptied: string[] = []
    const empty = async (id: string) => void emptied.push(id)
    await removeProperty({ ...here, emptyProperty: empty }, here, property.id)
    assert.deepEqual(emptied, [property.id])
    assert.equal(await here.properties.byId(property.id), undefined)
    const again = removeProperty({ ...here, emptyProperty: empty }, here, property.id)
    await assert.rejects(again, (error) => error instanceof Problem && error.kind === 'not_found')
  },
)

onEach('a new proxy key replaces the one before it, and only its hash is kept', async (t, home) => {
  const { here, property, records } = await openTwoNodes(t, home)
  const first = await renewProxyKey(here, here.properties, property.id)
  const second = await renewProxyKey(here, here.properties, property.id)
  assert.notEqual(first.proxyKey, second.proxyKey)
  assert.equal((await here.properties.byId(property.id))?.proxy_key_hash, secretHash(second.proxyKey))
  assert.ok(
    !JSON.stringify(await records.selectFrom('properties').selectAll().execute()).includes(second.proxyKey.slice(4)),
  )
})

onEach('a property may have a thousand tokens and not one more', async (t, home) => {
  const { here, property, records } = await openTwoNodes(t, home)
  const row = (i: number) => ({
    id: `tk_${i}`,
    property_id: property.id,
    name: 'n',
    hash: `h${i}`,
    scopes: '[]',
    created_ts: 1,
  })
  await records
    .insertInto('tokens')
    .values(Array.from({ length: 999 }, (_, i) => row(i)))
    .execute()
  await assert.rejects(createToken(here, property.id, { name: 'one more', scopes }), /at most 1000 tokens/)
})

onEach('erasures are counted with their transactions, and other nodes see the count at once', async (t, home) => {
  const { here, there, property, records } = await openTwoNodes(t, home)
  const counted = async () => (await countErasures(there, [property.id, 'pr_unknown'])).get(property.id)
  await records.transaction().execute((tx) => noteErasure(tx, property.id))
  const broken = records.transaction().execute(async (tx) => {
    await noteErasure(tx, property.id)
    throw new Error('broken off')
  })
  await assert.rejects(broken, /broken off/)
  assert.equal(await counted(), 1)
  await Promise.all(
    [here, there].map((node) => node.records.transaction().execute((tx) => noteErasure(tx, property.id))),
  )
  assert.equal(await counted(), 3)
  assert.deepEqual(await countErasures(there, []), new Map())
})

onEach('of several nodes at once one writes the sample data', async (t, home) => {
  const { here, there, property } = await openTwoNodes(t, home)
  const won = await Promise.all([here, there].map((node, i) => swapSampleRun(node, property.id, '', `run ${i}`)))
  assert.equal(won.filter(Boolean).length, 1)
  assert.equal(await swapSampleRun(here, property.id, '', 'late'), false)
  assert.equal(await swapSampleRun(here, property.id, `run ${won.indexOf(true)}`, ''), true)
})
