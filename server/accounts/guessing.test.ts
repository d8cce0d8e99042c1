// What strangers can cause by guessing: they learn nothing by the time of a refusal, push no counter out by
// making up names, and guess a share link's password no more often for coming from many addresses.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { addPerson, makeOwner, signIn } from '../../test/support/accounts.ts'
import { startFootfall } from '../../test/support/server.ts'
import { countInProcess, type Limits } from '../http/limits.ts'
import { openKeys } from '../kernel/keys.ts'
import { attemptSignIn, limitsOfAttempts } from './attempts.ts'
import { MOST_SIGN_INS, removeOldAccountRows } from './retention.ts'

const footfall = await startFootfall({ after }, { now: Date.UTC(2026, 10, 18, 6) })
const { records } = footfall.context
const owner = await makeOwner(footfall)

const from = (address: string) => ({ headers: { 'x-forwarded-for': address } })
const place = { browser: '', os: '', country: '', address: '', client: '' }

async function countOfNobody(): Promise<number> {
  const rows = await records.selectFrom('sign_ins').select('seq').where('user_id', 'is', null).execute()
  return rows.length
}

test('a refused sign-in only notes a line, however many there are; a job takes the oldest away', async () => {
  const ts = Math.floor(footfall.clock.now() / 1000)
  const line = { ...place, user_id: null, ts, outcome: 'wrong_password' } as const
  for (let n = 0; n < 3; n++)
    await records
      .insertInto('sign_ins')
      .values(Array.from({ length: 500 }, () => line))
      .execute()
  const refused = await signIn(footfall, 'nobody@example.com', { password: 'a wrong one', ...from('198.51.100.1') })
  assert.equal(refused.status, 401)
  assert.equal(await countOfNobody(), 1_501)
  await removeOldAccountRows(footfall.context)
  assert.equal(await countOfNobody(), MOST_SIGN_INS)
})

test('where somebody signed in is found by an index, also among thousands of wrong tries', async () => {
  const plan = await sql<{ detail: string }>`explain query plan select seq from sign_ins
    where user_id = ${owner.id} and client = ${'198.51.100.1'} and outcome = ${'ok'} and ts >= 0 limit 1`.execute(
    records,
  )
  assert.match(
    plan.rows.map(({ detail }) => detail).join(),
    /sign_ins_by_client \(user_id=\? AND client=\? AND outcome=\?/,
  )
})

test('the password of a share link is guessed no more often from many addresses than from everywhere together', async () => {
  const path = `/manage/properties/${footfall.property.id}/shares`
  const body = { name: 'Board', password: 'a shared secret word' }
  const { url } = (await owner.call('POST', path, { body })).json.data
  const open = (address: string, password: string) =>
    footfall.call('POST', '/manage/share', {
      token: null,
      body: { token: url.split('/').at(-1), password },
      ...from(address),
    })
  const inside = await open('203.0.113.250', body.password)
  const answers = await Promise.all(
    Array.from({ length: limitsOfAttempts.share + 20 }, (_, n) => open(`203.0.113.${n}`, 'something else')),
  )
  const looked = answers.filter(({ status }) => status === 401).length
  assert.equal(looked, limitsOfAttempts.share)
  assert.ok(
    answers.filter(({ status }) => status === 429).every(({ headers }) => Number(headers.get('retry-after')) > 0),
  )
  assert.equal((await open('203.0.113.251', body.password)).status, 429, 'until the next window')
  const renewed = await footfall.call('POST', '/manage/share/renew', { token: inside.json.data.access_token })
  assert.equal(renewed.status, 200, 'whoever is in stays in')
  footfall.clock.advance(15 * 60_000)
  assert.equal((await open('203.0.113.251', body.password)).status, 200)
})

/** Limits that also tell how many names were counted. */
function openCounted(most: number): Limits & { readonly names: Set<string> } {
  const count = countInProcess(most)
  const names = new Set<string>()
  return {
    names,
    count: (key, nowMs, windowMs) => {
      names.add(key)
      return count(key, nowMs, windowMs)
    },
    giveBack: (key, nowMs, windowMs) => void count(key, nowMs, windowMs, -1),
    close: async () => undefined,
  }
}

test('names that were made up push out no counter of a victim, and cost who is refused already nothing to remember', async () => {
  const limits = openCounted(500)
  const deps = { limits, keys: openKeys('a secret of a test, long enough for keys'), now: () => 0 }
  const attempt = (emailKey: string, client: string) => attemptSignIn(deps, { emailKey, client, isFamiliar: false })
  for (let n = 0; n < limitsOfAttempts.account; n++) await attempt('victim@example.com', `203.0.113.${n}`)
  for (let n = 0; n < 5_000; n++) await attempt(`made-up-${n}@example.com`, `client-${n % 100}`)
  assert.equal((await attempt('victim@example.com', 'one-more')).isRefused, true)
  const { size } = limits.names
  for (let n = 0; n < 1_000; n++) assert.equal((await attempt(`another-${n}@example.com`, 'client-0')).isRefused, n > 9)
  assert.ok(limits.names.size - size < 50, `${limits.names.size - size} new names of a client that is refused`)
})

test('of somebody who is removed the answer lists the tokens and share links that they created', async () => {
  const { id } = footfall.property
  const person = await addPerson(footfall, { roles: { [id]: 'admin' } })
  const made = async (kind: 'tokens' | 'shares', body: object, by = person) =>
    (await by.call('POST', `/manage/properties/${id}/${kind}`, { body })).json.data
  const { token, access_token } = await made('tokens', { name: 'Theirs', scopes: ['signals:read'] })
  const { share } = await made('shares', { name: 'Theirs' })
  await made('tokens', { name: 'Of the owner', scopes: ['signals:read'] }, owner)
  assert.equal(token.created_by, person.id)
  const { json } = await owner.call('DELETE', `/manage/properties/${id}/members/${person.id}`)
  assert.deepEqual(json.data, { deleted: true, tokens: [token], shares: [share] })
  const ask = () =>
    footfall.call('POST', '/v2/property/signals/analytics/metrics', { token: access_token, body: { period: 'today' } })
  assert.equal((await ask()).status, 200, 'it belongs to the property until somebody revokes it')
  const gone = await owner.call('DELETE', `/manage/users/${person.id}`)
  assert.deepEqual(gone.json.data, { deleted: true, tokens: [token], shares: [share] })
  await owner.call('DELETE', `/manage/properties/${id}/tokens/${token.id}`)
  assert.equal((await ask()).status, 401)
})
