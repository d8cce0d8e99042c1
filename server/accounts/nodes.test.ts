// Two nodes on the same records, SQLite or PostgreSQL: what can happen once happens once, and what ends on
// one node is over on the other.
import assert from 'node:assert/strict'
import { Secret, TOTP } from 'otpauth'
import { makeFirstOwner, openAccounts, setupToken, signInOn, visitor } from '../../test/support/account-nodes.ts'
import { PASSWORD } from '../../test/support/accounts.ts'
import { openHomes, testOnEach } from '../../test/support/records.ts'
import type { Context } from '../context.ts'
import { Problem } from '../kernel/problem.ts'
import { acceptLink } from './accept.ts'
import { beginTotp, changeAccount, confirmTotp } from './account.ts'
import { makeLink } from '../members/invitations.ts'
import { changeRole, invite, listMembers, removeMember } from '../members/members.ts'
import { removeOldAccountRows } from './retention.ts'
import { trimSignIns } from './retention-records.ts'
import { setUp } from './setup.ts'
import { createShare, openShare, revokeShare } from '../members/shares.ts'
import { insertSignIn, listSignInRows, wasHere } from './sign-in-records.ts'
import type { SignedIn } from './user-model.ts'
import { changeUser, createUser, listUsers, makeReset, removeUser } from './users.ts'

const { homes } = await openHomes()
const onEach = (promise: string, check: Parameters<typeof testOnEach>[2]) => testOnEach(homes, promise, check)

const DAY_MS = 86_400_000
const tokenOf = (url: string): string => url.split('#')[1] ?? ''

/** How many of them got through; all others were told why not. */
async function countDone(calls: readonly Promise<unknown>[]): Promise<number> {
  const results = await Promise.allSettled(calls)
  for (const result of results)
    if (result.status === 'rejected' && !(result.reason instanceof Problem)) throw result.reason
  return results.filter(({ status }) => status === 'fulfilled').length
}

async function addUser(node: Context, email: string, isOwner: boolean): Promise<string> {
  const { user, invitationUrl } = await createUser(node, { email, name: 'Somebody', is_owner: isOwner })
  await acceptLink(node, { token: tokenOf(invitationUrl), password: PASSWORD }, visitor(), undefined)
  return user.id
}

async function whoIs(node: Context, secret: string): Promise<SignedIn> {
  const signedIn = await node.accounts.bySecret(secret)
  assert.ok(signedIn)
  return signedIn
}

onEach('the first owner is made once, whichever node is asked', async (t, home) => {
  const { one, other } = await openAccounts(t, home)
  const token = await setupToken(one)
  assert.equal(await setupToken(other), token)
  const make = (node: Context, n: number) =>
    setUp(node, { token, email: `owner${n}@example.com`, name: 'Olive', password: PASSWORD }, visitor())
  assert.equal(await countDone([make(one, 1), make(other, 2), make(one, 3), make(other, 4)]), 1)
  assert.equal((await listUsers(one, { page: 1, perPage: 10 })).total, 1)
  assert.equal(await setupToken(other), '')
})

onEach('an invitation is used once', async (t, home) => {
  const { one, other, propertyId } = await openAccounts(t, home)
  const invited = await invite(one, propertyId, { email: 'nina@example.com', role: 'admin' })
  assert.ok('invitation' in invited)
  const token = tokenOf(invited.invitation.url)
  const accept = (node: Context) => acceptLink(node, { token, name: 'Nina', password: PASSWORD }, visitor(), undefined)
  assert.equal(await countDone([accept(one), accept(other), accept(one), accept(other)]), 1)
  assert.equal((await listUsers(one, { page: 1, perPage: 10 })).total, 1)
})

onEach('of owners who remove each other one stays, of the installation as of a property', async (t, home) => {
  const { one, other, propertyId } = await openAccounts(t, home)
  const ids = [await addUser(one, 'a@example.com', true), await addUser(one, 'b@example.com', true)]
  const [first = '', second = ''] = ids
  for (let round = 0; round < 5; round++) {
    assert.equal(
      await countDone([
        changeUser(one, first, { is_owner: false }),
        round % 2 === 0 ? removeRights(other, second) : changeUser(other, second, { is_active: false }),
      ]),
      1,
      `round ${round}`,
    )
    for (const id of ids) await changeUser(one, id, { is_owner: true, is_active: true })
  }
  assert.equal(await countDone([removeUser(one, first), removeUser(other, second)]), 1)
  const members = [await addUser(one, 'c@example.com', false), await addUser(one, 'd@example.com', false)]
  const [third = '', fourth = ''] = members
  for (const email of ['c@example.com', 'd@example.com']) await invite(one, propertyId, { email, role: 'owner' })
  for (let round = 0; round < 5; round++) {
    const role = 'viewer'
    assert.equal(
      await countDone([changeRole(one, propertyId, third, role), changeRole(other, propertyId, fourth, role)]),
      1,
    )
    for (const id of members) await changeRole(one, propertyId, id, 'owner')
  }
  assert.equal(await countDone([removeMember(one, propertyId, third), removeMember(other, propertyId, fourth)]), 1)
})

const removeRights = (node: Context, id: string) => changeUser(node, id, { is_owner: false })

onEach('a code of the authenticator is used once, and so is a recovery code', async (t, home) => {
  const { one, other, clock } = await openAccounts(t, home)
  const { secret, user } = await makeFirstOwner(one)
  const { secret: shared } = await beginTotp(one, await whoIs(one, secret), PASSWORD)
  const totp = new TOTP({ secret: Secret.fromBase32(shared) })
  const codes = await confirmTotp(other, await whoIs(other, secret), totp.generate({ timestamp: clock.ms }))
  clock.ms += 30_000
  for (const code of [totp.generate({ timestamp: clock.ms }), codes[0] ?? '']) {
    const calls = [one, other, one, other].map((node) => signInOn(node, user.email, PASSWORD, code))
    assert.equal(await countDone(calls), 1)
  }
})

onEach('what ends or changes on one node does so on the other within two seconds', async (t, home) => {
  const { one, other, clock, propertyId } = await openAccounts(t, home)
  await makeFirstOwner(one)
  const id = await addUser(one, 'viewer@example.com', false)
  await invite(one, propertyId, { email: 'viewer@example.com', role: 'viewer' })
  const { secret } = await signInOn(one, 'viewer@example.com')
  const roleOn = async (node: Context) => (await node.accounts.bySecret(secret))?.roles.get(propertyId)
  assert.deepEqual([await roleOn(one), await roleOn(other)], ['viewer', 'viewer'])
  await changeRole(one, propertyId, id, 'admin')
  assert.equal(await roleOn(one), 'admin', 'at once where it was changed')
  clock.ms += 2_001
  assert.equal(await roleOn(other), 'admin')
  await changeUser(one, id, { is_active: false })
  assert.equal(await one.accounts.bySecret(secret), undefined)
  clock.ms += 2_001
  assert.equal(await other.accounts.bySecret(secret), undefined)

  const { share, url } = await createShare(one, propertyId, { name: 'Board' })
  await openShare(other, { token: url.split('/').at(-1) ?? '' }, '198.51.100.1')
  assert.ok(await other.accounts.shareById(share.id))
  await revokeShare(one, propertyId, share.id)
  clock.ms += 2_001
  assert.equal(await other.accounts.shareById(share.id), undefined)
})

onEach('wrong passwords are counted by all nodes together', async (t, home) => {
  const { one, other } = await openAccounts(t, home)
  const { user } = await makeFirstOwner(one)
  await untilShared(one, other)
  const kinds: string[] = []
  for (let n = 0; n < 12; n++)
    await signInOn(n % 2 === 0 ? one : other, user.email, 'not the right one').catch((error: unknown) => {
      assert.ok(error instanceof Problem)
      kinds.push(error.kind)
    })
  assert.equal(kinds.filter((kind) => kind === 'unauthenticated').length, 10)
  assert.equal(kinds.filter((kind) => kind === 'rate_limited').length, 2)
  const log = await one.records.selectFrom('sign_ins').select('outcome').where('user_id', '=', user.id).execute()
  assert.equal(log.filter(({ outcome }) => outcome === 'locked').length, 1, 'noted once')
})

/** A node on which something else happens while a new password is being computed. */
function meanwhile(node: Context, happen: () => Promise<unknown>): { node: Context; done: () => Promise<unknown> } {
  let happening: Promise<unknown> | undefined
  const randomBytes = (size: number) => {
    happening ??= happen()
    return node.randomBytes(size)
  }
  return { node: { ...node, randomBytes }, done: async () => happening }
}

onEach(
  'of a new password and one that was chosen meanwhile, the old one proves nothing for the first',
  async (t, home) => {
    const { one, other } = await openAccounts(t, home)
    const { user, secret } = await makeFirstOwner(one)
    const signedIn = await whoIs(one, secret)
    const stolen = { password: 'a password of somebody else', current_password: PASSWORD }
    const replace = () =>
      other.records.updateTable('users').set({ password_hash: 'chosen meanwhile' }).where('id', '=', user.id).execute()
    const { node, done } = meanwhile(one, replace)
    await changeAccount(node, signedIn, stolen).catch((error: unknown) => assert.ok(error instanceof Problem))
    await done()
    const row = await one.records.selectFrom('users').select('password_hash').executeTakeFirstOrThrow()
    assert.equal(row.password_hash, 'chosen meanwhile')
  },
)

onEach('whoever is shut out while they choose a new password is not signed in', async (t, home) => {
  const { one, other } = await openAccounts(t, home)
  await makeFirstOwner(one)
  const id = await addUser(one, 'pat@example.com', false)
  const { resetUrl } = await makeReset(one, id, { dropsTotp: false })
  const { node, done } = meanwhile(one, () => changeUser(other, id, { is_active: false }))
  const chosen = { token: tokenOf(resetUrl), password: 'another stone by the river' }
  await acceptLink(node, chosen, visitor(), undefined).catch((error: unknown) => assert.ok(error instanceof Problem))
  await done()
  const sessions = await one.records.selectFrom('user_sessions').select('id').where('user_id', '=', id).execute()
  assert.deepEqual(sessions, [])
})

/** A node on which something else happens after it has looked, and before it writes. */
function beforeWriting(node: Context, happen: () => Promise<unknown>): Context {
  const transaction = () => ({
    execute: async (work: Parameters<ReturnType<Context['records']['transaction']>['execute']>[0]) => {
      await happen()
      return node.records.transaction().execute(work)
    },
  })
  const records = new Proxy(node.records, {
    get: (target, name) => {
      if (name === 'transaction') return transaction
      const value: unknown = Reflect.get(target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
  return { ...node, records }
}

const rowOf = (node: Context, id: string) =>
  node.records.selectFrom('users').select(['name', 'email', 'email_key']).where('id', '=', id).executeTakeFirstOrThrow()

onEach('whoever changes one thing about themselves takes nothing else back', async (t, home) => {
  const { one, other } = await openAccounts(t, home)
  await makeFirstOwner(one)
  const id = await addUser(one, 'old@example.com', false)
  const signedIn = await whoIs(one, (await signInOn(one, 'old@example.com')).secret)
  const given = { name: 'Given', email: 'new@example.com' }
  const move = beforeWriting(one, () => changeUser(other, id, given))
  const answered = await changeAccount(move, signedIn, { name: 'Chosen' })
  assert.deepEqual([answered.name, answered.email], ['Chosen', 'new@example.com'])
  assert.deepEqual(await rowOf(one, id), { name: 'Chosen', email: 'new@example.com', email_key: 'new@example.com' })
  await changeUser(one, id, { name: 'Given', email: 'old@example.com' })
  const secret = { password: 'another stone by the river', current_password: PASSWORD }
  await changeAccount(move, signedIn, secret)
  assert.deepEqual(await rowOf(one, id), { name: 'Given', email: 'new@example.com', email_key: 'new@example.com' })
})

onEach('an address that was given meanwhile is not taken back by the one that was there', async (t, home) => {
  const { one, other } = await openAccounts(t, home)
  const { user, secret } = await makeFirstOwner(one)
  await addUser(one, 'second@example.com', true)
  const id = await addUser(one, 'plain@example.com', false)
  const plain = await whoIs(one, (await signInOn(one, 'plain@example.com')).secret)
  const spelling = { email: 'Plain@example.com', current_password: PASSWORD }
  const moved = beforeWriting(one, () => changeUser(other, id, { email: 'given@example.com' }))
  await assert.rejects(changeAccount(moved, plain, spelling), { kind: 'insufficient_scope' })
  assert.equal((await rowOf(one, id)).email, 'given@example.com')
  const unchanged = { name: 'Olive', email: user.email }
  const movedOwner = beforeWriting(one, () => changeUser(other, user.id, { email: 'elsewhere@example.com' }))
  await assert.rejects(changeAccount(movedOwner, await whoIs(one, secret), unchanged), { kind: 'validation_failed' })
  const demoted = beforeWriting(one, () => changeUser(other, user.id, { is_owner: false }))
  const taken = { email: 'boss@example.com', current_password: PASSWORD }
  await assert.rejects(changeAccount(demoted, await whoIs(one, secret), taken), { kind: 'insufficient_scope' })
  assert.equal((await rowOf(one, user.id)).email, 'elsewhere@example.com')
})

onEach('a new password by a link keeps the name that was given meanwhile', async (t, home) => {
  const { one, other } = await openAccounts(t, home)
  await makeFirstOwner(one)
  const id = await addUser(one, 'pat@example.com', false)
  const { resetUrl } = await makeReset(one, id, { dropsTotp: false })
  const node = beforeWriting(one, () => changeUser(other, id, { name: 'Married' }))
  await acceptLink(node, { token: tokenOf(resetUrl), password: 'another stone by the river' }, visitor(), undefined)
  assert.equal((await rowOf(one, id)).name, 'Married')
})

onEach('an invitation that is used while its person is removed leaves nobody behind', async (t, home) => {
  const { one, other, propertyId } = await openAccounts(t, home)
  await makeFirstOwner(one)
  const id = await addUser(one, 'sam@example.com', false)
  const signedIn = await whoIs(one, (await signInOn(one, 'sam@example.com')).secret)
  for (let round = 0; round < 5; round++) {
    const link = { kind: 'member', property_id: propertyId, role: 'owner', email } as const
    const { url } = await one.records.transaction().execute((tx) => makeLink(one, tx, link))
    await one.records
      .insertInto('members')
      .values({ property_id: propertyId, user_id: id, role: 'viewer', created_ts: 1 })
      .execute()
    const accept = () => acceptLink(one, { token: tokenOf(url) }, visitor(), signedIn)
    const remove = () => removeMember(other, propertyId, id)
    await countDone(round % 2 === 0 ? [accept(), remove()] : [remove(), accept()])
    const left = await one.records.selectFrom('members').select('role').where('user_id', '=', id).execute()
    assert.deepEqual(left, [], `round ${round}`)
  }
})

const email = { text: 'sam@example.com', key: 'sam@example.com' }

onEach('a property keeps an owner who can sign in, whichever way its owners go at once', async (t, home) => {
  const { one, other, propertyId } = await openAccounts(t, home)
  const { user } = await makeFirstOwner(one)
  const ids = [await addUser(one, 'c@example.com', false), await addUser(one, 'd@example.com', false)]
  const [third = '', fourth = ''] = ids
  const owners = async () =>
    (await listMembers(one, propertyId, { page: 1, perPage: 10 })).rows.filter(
      ({ role, is_active: isActive }) => role === 'owner' && isActive,
    )
  const ends = [
    [() => changeUser(one, third, { is_active: false }), () => changeUser(other, fourth, { is_active: false })],
    [() => changeUser(one, third, { is_active: false }), () => removeMember(other, propertyId, fourth)],
    [() => changeRole(one, propertyId, third, 'viewer'), () => changeUser(other, fourth, { is_active: false })],
    [() => removeUser(one, third), () => removeUser(other, fourth)],
  ] as const
  for (const [round, [end, otherEnd]] of ends.entries()) {
    for (const id of ids) {
      await changeUser(one, id, { is_active: true })
      const member = { property_id: propertyId, user_id: id, role: 'owner', created_ts: 1 } as const
      await one.records.deleteFrom('members').where('user_id', 'in', [id, user.id]).execute()
      await one.records.insertInto('members').values(member).execute()
    }
    assert.ok((await countDone([end(), otherEnd()])) > 0)
    assert.equal((await owners()).length, 1, `round ${round}`)
  }
  assert.deepEqual(
    (await owners()).map(({ id }) => id),
    [user.id],
  )
})

onEach('a reset ends the one before, also when the address was another one then', async (t, home) => {
  const { one } = await openAccounts(t, home)
  const { user } = await makeFirstOwner(one)
  await makeReset(one, user.id, { dropsTotp: false })
  const moved = { email: 'elsewhere@example.com', email_key: 'elsewhere@example.com' }
  await one.records.updateTable('users').set(moved).where('id', '=', user.id).execute()
  await makeReset(one, user.id, { dropsTotp: false })
  const left = await one.records.selectFrom('invitations').select('email').execute()
  assert.deepEqual(left, [{ email: 'elsewhere@example.com' }])
})

onEach('however many wrong tries there are, where somebody signed in stays known', async (t, home) => {
  const { one } = await openAccounts(t, home)
  const { user } = await makeFirstOwner(one)
  const place = { browser: '', os: '', country: '', address: '', client: '198.51.100.9' }
  const note = (outcome: 'ok' | 'wrong_password', ts: number, client = place.client) =>
    insertSignIn(one.records, { ...place, client, user_id: user.id, ts, outcome })
  await note('ok', 1)
  for (let n = 0; n < 5; n++) await note('wrong_password', 2 + n, `203.0.113.${n}`)
  await insertSignIn(one.records, { ...place, user_id: null, ts: 7, outcome: 'wrong_password' })
  await trimSignIns(one.records, 3)
  assert.ok(await wasHere(one.records, user.id, place.client, 0))
  const { rows } = await listSignInRows(one.records, user.id, { page: 1, perPage: 10 })
  assert.deepEqual(
    rows.filter(({ outcome }) => outcome !== 'ok').map(({ ts }) => ts),
    [6, 5, 4],
  )
  for (let n = 0; n < 3; n++) await note('ok', 10 + n, '203.0.113.50')
  await trimSignIns(one.records, 3)
  assert.ok(!(await wasHere(one.records, user.id, place.client, 0)), 'those that were right have an end as well')
})

onEach('what is over is removed, also of people who do not come any more', async (t, home) => {
  const { one, clock, propertyId } = await openAccounts(t, home)
  await makeFirstOwner(one)
  await invite(one, propertyId, { email: 'never@example.com', role: 'viewer' })
  const count = async () => {
    await removeOldAccountRows(one)
    const tables = ['sign_ins', 'user_sessions', 'invitations'] as const
    return Promise.all(
      tables.map(async (table) => (await one.records.selectFrom(table).select('seq').execute()).length),
    )
  }
  assert.deepEqual(await count(), [1, 1, 1])
  clock.ms += 15 * DAY_MS
  assert.deepEqual(await count(), [1, 0, 0])
  clock.ms += 76 * DAY_MS
  assert.deepEqual(await count(), [0, 0, 0])
})

/**
 * The first connection takes a moment; until then a node counts alone, and would not see what the other one
 * has counted.
 */
async function untilShared(one: Context, other: Context): Promise<void> {
  for (let tries = 0; tries < 400; tries++) {
    const before = await other.limits.count('warm-up', 0)
    if (
      (await one.limits.count('warm-up', 0)) === before + 1 &&
      (await other.limits.count('warm-up', 0)) === before + 2
    )
      return
    await new Promise((resolve) => {
      setTimeout(resolve, 10)
    })
  }
  throw new Error('the nodes do not count together')
}
