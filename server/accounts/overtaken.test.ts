// Links that something later has overtaken: whatever was decided of a person last is what counts, and no
// older link brings anything back.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { addPerson, PASSWORD, type Person, SAME_ORIGIN, signIn } from '../../test/support/accounts.ts'
import { type Footfall, type Reply, startFootfall } from '../../test/support/server.ts'

const closers: (() => Promise<void>)[] = []
let footfall: Footfall
let owner: Person

before(async () => {
  footfall = await startFootfall({ after: (close) => closers.push(close) }, { now: Date.UTC(2026, 10, 18, 6) + 123 })
  owner = await addPerson(footfall, { isOwner: true })
})

after(async () => {
  for (const close of closers) await close()
})

const NEW_PASSWORD = 'another stone by the river'
const tokenOf = (url: string): string => url.split('#')[1] ?? ''

async function done(method: string, path: string, body?: object): Promise<Reply> {
  const reply = await owner.call(method, path, body && { body })
  assert.equal(reply.status, 200, reply.text)
  return reply
}

const membersAt = (propertyId: string): string => `/manage/properties/${propertyId}/members`
const add = async (propertyId: string, email: string, role: string) =>
  (await done('POST', membersAt(propertyId), { email, role })).json.data

async function invite(propertyId: string, email: string, role: string): Promise<string> {
  const { invitation } = await add(propertyId, email, role)
  assert.ok(invitation, 'nobody has the address yet')
  return tokenOf(invitation.url)
}

const acceptAsNew = (token: string, name = 'Somebody Else'): Promise<Reply> =>
  footfall.call('POST', '/manage/invitation/accept', {
    token: null,
    body: { token, name, password: NEW_PASSWORD },
    headers: SAME_ORIGIN,
  })

const acceptAs = ({ call }: Person, token: string): Promise<Reply> =>
  call('POST', '/manage/invitation/accept', { body: { token } })

async function roleIn(propertyId: string, userId: string): Promise<string | undefined> {
  const { json } = await done('GET', membersAt(propertyId))
  return json.data.data.find(({ id }: { id: string }) => id === userId)?.role
}

async function countWaiting(propertyId: string): Promise<number> {
  return (await done('GET', `/manage/properties/${propertyId}/invitations`)).json.data.data.length
}

describe('an invitation into a property', () => {
  test('is over once the person belongs to it in another way, and brings nobody back who was removed', async () => {
    const { id: at } = await footfall.addProperty()
    const token = await invite(at, 'Sam@example.com', 'owner')
    const sam = await addPerson(footfall, { email: 'sam@example.com' })
    await add(at, sam.email, 'viewer')
    assert.equal(await countWaiting(at), 0)
    await done('DELETE', `${membersAt(at)}/${sam.id}`)
    assert.equal((await acceptAs(sam, token)).status, 404)
    assert.equal(await roleIn(at, sam.id), undefined)
  })

  test('of an older day, beside a membership, is over with a new role and with the removal', async () => {
    for (const decide of [
      (path: string) => done('POST', path, { role: 'viewer' }),
      (path: string) => done('DELETE', path),
    ]) {
      const { id: at } = await footfall.addProperty()
      const email = `kim.${at.toLowerCase()}@example.com`
      const token = await invite(at, email, 'owner')
      const kim = await addPerson(footfall, { email, roles: { [at]: 'admin' } })
      assert.equal(await countWaiting(at), 1, 'as services before this one left it')
      await decide(`${membersAt(at)}/${kim.id}`)
      assert.equal((await acceptAs(kim, token)).status, 404)
      assert.notEqual(await roleIn(at, kim.id), 'owner')
    }
  })

  test('is for one property: those into others stay good', async () => {
    const [{ id: here }, { id: there }] = [await footfall.addProperty(), await footfall.addProperty()]
    await invite(here, 'lou@example.com', 'owner')
    const token = await invite(there, 'lou@example.com', 'admin')
    const lou = await addPerson(footfall, { email: 'lou@example.com' })
    await add(here, lou.email, 'viewer')
    await done('DELETE', `${membersAt(here)}/${lou.id}`)
    assert.equal((await acceptAs(lou, token)).status, 200)
    assert.equal(await roleIn(there, lou.id), 'admin')
  })

  test('goes with the address of the person: whoever has the link makes no second account of it', async () => {
    const { id: at } = await footfall.addProperty()
    const token = await invite(at, 'old@example.com', 'owner')
    const person = await addPerson(footfall, { email: 'old@example.com' })
    await done('POST', `/manage/users/${person.id}`, { email: 'fresh@example.com' })
    assert.equal((await acceptAsNew(token)).status, 404)
    const own = await invite(at, 'boss@example.com', 'owner')
    const boss = await addPerson(footfall, { email: 'boss@example.com', isOwner: true })
    const moved = { email: 'chief@example.com', current_password: PASSWORD }
    assert.equal((await boss.call('POST', '/manage/account', { body: moved })).status, 200)
    assert.equal((await acceptAsNew(own)).status, 404)
  })
})

describe('links of somebody who was shut out', () => {
  test('stay over when they are let in again', async () => {
    const { id: at } = await footfall.addProperty()
    const into = await invite(at, 'out@example.com', 'owner')
    const person = await addPerson(footfall, { email: 'out@example.com' })
    const reset = (await done('POST', `/manage/users/${person.id}/reset`, {})).json.data.reset_url
    await done('POST', `/manage/users/${person.id}`, { is_active: false })
    await done('POST', `/manage/users/${person.id}`, { is_active: true })
    assert.equal((await acceptAsNew(tokenOf(reset))).status, 404)
    assert.equal((await signIn(footfall, person.email, { password: NEW_PASSWORD })).status, 401)
    const again = await addPerson(footfall)
    assert.equal((await acceptAs(again, into)).status, 404)
    assert.equal(await countWaiting(at), 0)
  })
})

describe('a link to choose a password with', () => {
  test('ends with a newer one, a reset for somebody who was invited among them', async () => {
    const { user, invitation_url: url } = (
      await done('POST', '/manage/users', { email: 'ivy@example.com', name: 'Ivy Invited' })
    ).json.data
    const reset = (await done('POST', `/manage/users/${user.id}/reset`, {})).json.data.reset_url
    assert.equal((await acceptAsNew(tokenOf(url))).status, 404)
    assert.equal((await acceptAsNew(tokenOf(reset), 'Ivy Invited')).status, 200)
    assert.equal((await signIn(footfall, 'ivy@example.com', { password: NEW_PASSWORD })).status, 200)
  })
})

describe('the last owner of a property', () => {
  const shutOut = (by: Person, id: string): Promise<Reply> =>
    by.call('POST', `/manage/users/${id}`, { body: { is_active: false } })
  const remove = (by: Person, id: string): Promise<Reply> => by.call('DELETE', `/manage/users/${id}`)

  test('who is shut out or removed leaves it to the owner of the installation who does so', async () => {
    for (const end of [shutOut, remove]) {
      const { id: at } = await footfall.addProperty()
      const last = await addPerson(footfall, { roles: { [at]: 'owner' } })
      const boss = await addPerson(footfall, { isOwner: true, roles: { [at]: 'viewer' } })
      assert.equal((await end(boss, last.id)).status, 200)
      assert.equal(await roleIn(at, boss.id), 'owner')
      assert.equal(await roleIn(at, owner.id), undefined, 'nobody else')
    }
  })

  test('leaves it to an owner of the installation whoever asks, and nothing where somebody else owns it', async () => {
    const [{ id: alone }, { id: shared }] = [await footfall.addProperty(), await footfall.addProperty()]
    const last = await addPerson(footfall, { roles: { [alone]: 'owner', [shared]: 'owner' } })
    const other = await addPerson(footfall, { roles: { [shared]: 'owner' } })
    const path = `/manage/users/${last.id}`
    assert.equal((await footfall.call('DELETE', path, { token: footfall.admin })).status, 200)
    const rolesAt = async (at: string) =>
      (await done('GET', membersAt(at))).json.data.data.map(({ role, id }: { role: string; id: string }) => [id, role])
    const [[heir, role] = [], ...more] = await rolesAt(alone)
    assert.deepEqual([role, more], ['owner', []])
    const { json } = await done('GET', '/manage/users')
    assert.equal(json.data.data.find(({ id }: { id: string }) => id === heir).is_owner, true)
    assert.deepEqual(await rolesAt(shared), [[other.id, 'owner']])
  })

  test('is not one who was invited and has no password yet', async () => {
    const { id: at } = await footfall.addProperty()
    const last = await addPerson(footfall, { roles: { [at]: 'owner' } })
    const invited = { email: 'not.yet@example.com', name: 'Not Yet' }
    await done('POST', '/manage/users', invited)
    await add(at, invited.email, 'owner')
    assert.equal((await owner.call('DELETE', `${membersAt(at)}/${last.id}`)).status, 422)
    assert.equal(await roleIn(at, last.id), 'owner')
  })

  test('stays, with a sentence, where there is no owner of the installation to take over', async () => {
    const { records } = footfall.context
    const { id: at } = await footfall.addProperty({ name: 'Lonely' })
    const last = await addPerson(footfall, { roles: { [at]: 'owner' } })
    await records.updateTable('users').set({ is_owner: 0 }).execute()
    const asAdmin = { token: footfall.admin }
    for (const reply of [
      await footfall.call('DELETE', `/manage/users/${last.id}`, asAdmin),
      await footfall.call('POST', `/manage/users/${last.id}`, { ...asAdmin, body: { is_active: false } }),
    ]) {
      assert.equal(reply.status, 422)
      assert.match(
        reply.json.errors.is_active[0],
        /the last owner of “Lonely”: make somebody else an owner of it first\./,
      )
    }
    assert.equal((await signIn(footfall, last.email)).status, 200)
    await records.updateTable('users').set({ is_owner: 1 }).where('id', '=', owner.id).execute()
  })
})
