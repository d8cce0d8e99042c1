// What a contact has sent through forms: found by address and by session, newest first, and nothing of
// anybody else.
import assert from 'node:assert/strict'
import { after, test, type TestContext } from 'node:test'
import { openFormFlow } from '../../test/support/form-flow.ts'
import { startPostgres } from '../../test/support/postgres.ts'
import { startFootfall } from '../../test/support/server.ts'

const postgres = await startPostgres({ after })

const listsThem = async (t: TestContext, env: { DATABASE_URL?: string }): Promise<void> => {
  const footfall = await startFootfall(t, { env })
  const { property, track } = footfall
  const call: typeof footfall.call = (...asked) => footfall.call(...asked)
  const flow = openFormFlow(call, () => footfall.clock.now())
  const form = await flow.create(property.id, { name: 'Newsletter' })
  const [ada, other] = [{ address: '203.0.113.1' }, { address: '203.0.113.2' }]
  const { session_id } = (await track.load({ ...ada })).json
  const identify = (body: object) => call('POST', '/v2/property/contacts/identify', { body })
  const { contact } = (await identify({ email: 'Ada@X.example', session_id })).json.data
  const stranger = (await identify({ email: 'grace@x.example' })).json.data.contact

  const send = async (email: string, from: { address: string }) => {
    const answer = await flow.send(await flow.open(form, undefined, from), { name: 'N', email }, from)
    assert.equal(answer.status, 200, answer.text)
  }
  await send('work@x.example', ada) // from her session
  await send('ada@x.example', other) // with her address
  await send('grace@x.example', { address: '203.0.113.3' })

  const listed = async (id: string, of = property.id) => {
    const { status, json } = await call('GET', `/manage/properties/${of}/contacts/${id}/submissions`)
    assert.equal(status, 200)
    return json.data.submissions.map((one: { raw_fields: { name: string; value: string }[]; form: object }) => [
      one.raw_fields.find(({ name }) => name === 'email')?.value,
      one.form,
    ])
  }
  const named = { id: form.id, name: 'Newsletter' }
  assert.deepEqual(await listed(contact.id), [
    ['ada@x.example', named],
    ['work@x.example', named],
  ])
  assert.deepEqual(await listed(stranger.id), [['grace@x.example', named]])

  const names = async (of = property.id, ids = `${contact.id},${stranger.id},ct_none,`) =>
    (await call('GET', `/manage/properties/${of}/contacts/names`, { query: { ids } })).json.data?.names
  await call('POST', `/v2/property/contacts/${contact.id}`, { body: { first_name: 'Ada' } })
  assert.deepEqual(await names(), { [contact.id]: 'Ada', [stranger.id]: 'grace@x.example' })
  const elsewhere = await footfall.addProperty()
  assert.deepEqual(await names(elsewhere.id), {})
  assert.deepEqual(await names(property.id, ''), {})
  assert.equal(await names(property.id, Array.from({ length: 201 }, (_, n) => `ct_${n}`).join()), undefined)
  const namesake = await call('POST', '/v2/property/contacts/identify', {
    body: { email: 'ada@x.example' },
    token: elsewhere.token,
  })
  assert.deepEqual(await listed(namesake.json.data.contact.id, elsewhere.id), [])
  const foreign = await call('GET', `/manage/properties/${elsewhere.id}/contacts/${contact.id}/submissions`)
  assert.equal(foreign.status, 404)
  assert.equal((await call('GET', `/manage/properties/${property.id}/contacts/a%00b/submissions`)).status, 404)

  await call('DELETE', `/v2/property/contacts/${contact.id}`)
  assert.deepEqual(await listed(contact.id), [])
  assert.deepEqual(await names(), { [stranger.id]: 'grace@x.example' })
}

const name = 'submissions with the address of a contact or from a session of it are listed, those of others are not'

test(name, (t) => listsThem(t, {}))

test(`${name}, on PostgreSQL`, { skip: postgres ? false : 'there is no PostgreSQL for this machine' }, async (t) =>
  listsThem(t, { DATABASE_URL: (await postgres?.freshUrl()) ?? '' }),
)
