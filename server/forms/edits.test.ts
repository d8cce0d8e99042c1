// Two people at one form, and its history, through the front door, on SQLite and on PostgreSQL: nobody takes
// back what another did without knowing, and whatever was done can be read and put back.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { addPerson } from '../../test/support/accounts.ts'
import { assertRefused } from '../../test/support/contact-calls.ts'
import { startPostgres } from '../../test/support/postgres.ts'
import { type Footfall, type Reply, startFootfall } from '../../test/support/server.ts'
import { COMMAND_LINE_EDITOR } from '../kernel/edits.ts'
import { MAX_EDITS } from './form-model.ts'
import { createForm } from './forms.ts'

const NOW = Date.UTC(2026, 10, 18, 9, 30, 15)
const postgres = await startPostgres({ after })

function ok(reply: Reply) {
  assert.equal(reply.status, 200, reply.text)
  return reply.json.data
}

const signup = {
  name: 'Newsletter',
  kind: 'managed',
  fields: [{ name: 'email', type: 'email' }],
  validation: { email: { required: null } },
  button: { label: 'Join' },
}
const phone = { name: 'phone', type: 'tel' }

function promises(kind: string, databaseUrl: () => Promise<string | undefined>): void {
  describe(kind, () => {
    const closers: (() => Promise<void>)[] = []
    let footfall: Footfall
    const path = (id = '', rest = '') => `/manage/properties/${footfall.property.id}/forms${id && `/${id}${rest}`}`
    const change = (id: string, body: unknown) => footfall.call('POST', path(id), { body })
    const newForm = async (body: object = {}) =>
      ok(await footfall.call('POST', path(), { body: { ...signup, ...body } })).form
    const now = async (id: string) => ok(await footfall.call('GET', path(id))).form
    const edits = async (id: string) => ok(await footfall.call('GET', path(id, '/edits'))).data
    const undo = (id: string, edit: string) => footfall.call('POST', path(id, `/edits/${edit}/undo`))

    before(async () => {
      const url = await databaseUrl()
      footfall = await startFootfall(
        { after: (close) => closers.push(close) },
        { now: NOW, env: url ? { DATABASE_URL: url } : {} },
      )
    })

    after(async () => {
      for (const close of closers) await close()
    })

    test('a change of what somebody else changed meanwhile is refused, and stores nothing', async () => {
      const form = await newForm()
      assert.equal(form.revision, 1)
      const fields = [...form.fields, phone]
      assert.equal(ok(await change(form.id, { fields, if_revision: 1 })).form.revision, 2)
      const between = await now(form.id)
      // In the same second, which `updated_ts` could not tell apart.
      const late = await change(form.id, { button: { label: 'Late' }, if_revision: 1 })
      assert.equal(late.status, 409)
      assert.deepEqual([late.json.code, late.json.status, late.json.error_code], [409, 'Error', 'conflict'])
      assert.match(late.json.message, /^The form was changed meanwhile: it is at revision 2, not 1\./)
      assert.deepEqual(late.json.errors, { if_revision: [late.json.message] })
      assert.deepEqual(await now(form.id), between)
      const again = ok(await change(form.id, { button: { label: 'Late' }, if_revision: 2 })).form
      assert.deepEqual(again, { ...between, button: { ...between.button, label: 'Late' }, revision: 3 })
      for (const if_revision of [0, 1.5, '3', -1]) assertRefused(await change(form.id, { if_revision }), 'if_revision')
    })

    test('of ten changes of one revision at once one is made', async () => {
      const form = await newForm()
      const replies = await Promise.all(
        Array.from({ length: 10 }, (_, index) => change(form.id, { name: `Name ${index}`, if_revision: 1 })),
      )
      const statuses = Map.groupBy(replies, ({ status }) => status)
      assert.deepEqual([statuses.get(200)?.length, statuses.get(409)?.length], [1, 9])
      assert.equal((await now(form.id)).revision, 2)
    })

    test('a change without a revision is made, and one that changes nothing is none', async () => {
      const form = await newForm()
      footfall.clock.advance(5000)
      ok(await change(form.id, { name: 'Newsletter', fields: form.fields, is_published: false }))
      ok(await change(form.id, {}))
      assert.deepEqual(await now(form.id), form)
      assert.equal((await edits(form.id)).length, 1)
      assertRefused(await change(form.id, { name: '' }), 'name')
      assert.equal((await now(form.id)).updated_ts, form.updated_ts)
    })

    test('the history says who changed what and when, newest first', async () => {
      const roles = { [footfall.property.id]: 'admin' } as const
      const ann = await addPerson(footfall, { roles })
      const form = await newForm()
      footfall.clock.advance(5000)
      const body = { button: { label: 'Go' }, name: 'Letter' }
      ok(await ann.call('POST', path(form.id), { body }))
      const [update, create, ...rest] = await edits(form.id)
      assert.deepEqual(rest, [])
      const { name } = ok(await ann.call('GET', '/manage/session')).user
      assert.deepEqual(update, {
        id: update.id,
        edited_ms: footfall.clock.now(),
        edited_by: { kind: 'user', id: ann.id, name: name || ann.email },
        kind: 'update',
        before: { name: 'Newsletter', button: form.button },
        after: { name: 'Letter', button: { ...form.button, label: 'Go' } },
      })
      assert.match(update.id, /^fe_[0-9A-Za-z]{20}$/)
      assert.deepEqual([create.kind, create.before, create.after.fields], ['create', null, form.fields])
      assert.deepEqual(create.edited_by, { kind: 'admin', id: null, name: null })
      for (const member of ['id', 'key', 'kind', 'property_id', 'revision', 'created_ts', 'updated_ts', 'presentation'])
        assert.equal(member in create.after, false, member)

      await footfall.context.records.deleteFrom('users').where('id', '=', ann.id).execute()
      assert.deepEqual((await edits(form.id))[0].edited_by, { kind: 'user', id: null, name: null })
      const deps = { ...footfall.context, editor: COMMAND_LINE_EDITOR }
      const { id } = await createForm(deps, footfall.property.id, { ...signup })
      assert.deepEqual((await edits(id))[0].edited_by, { kind: 'command_line', id: null, name: null })
    })

    test('an edit is put back whatever came after it, and so is the undoing', async () => {
      const form = await newForm({ is_published: true })
      ok(await change(form.id, { fields: [...form.fields, phone] }))
      ok(await change(form.id, { validation: { email: {}, phone: { required: 'We call.' } }, name: 'Later' }))
      const full = await now(form.id)
      const [, added] = await edits(form.id)
      const undone = ok(await undo(form.id, added.id)).form
      assert.deepEqual(undone, { ...full, fields: form.fields, validation: form.validation, revision: 4 })
      const [undoing] = await edits(form.id)
      assert.equal(undoing.kind, 'undo')
      assert.deepEqual(ok(await undo(form.id, undoing.id)).form, { ...full, revision: 5 })

      ok(await change(form.id, { is_archived: true }))
      const [archived] = await edits(form.id)
      assert.deepEqual(archived.before, { is_published: true, is_archived: false })
      assert.deepEqual(ok(await undo(form.id, archived.id)).form, { ...full, revision: 7 })
    })

    test('what cannot be put back is refused with a sentence, and changes nothing', async () => {
      const form = await newForm()
      const [created] = await edits(form.id)
      assertRefused(await undo(form.id, created.id), 'edit')
      ok(await change(form.id, { is_published: true }))
      ok(await change(form.id, { is_published: false }))
      const [taken] = await edits(form.id)
      ok(await change(form.id, { is_archived: true }))
      assertRefused(await undo(form.id, taken.id), 'is_published')
      assert.equal((await now(form.id)).revision, 4)
      const other = await newForm()
      for (const id of [(await edits(other.id))[0].id, 'fe_00000000000000000000', 'x', 'fe_%00', 'constructor'])
        assert.equal((await undo(form.id, id)).status, 404, id)
      const { id: elsewhere } = await footfall.addProperty()
      const foreign = `/manage/properties/${elsewhere}/forms/${form.id}/edits`
      assert.equal((await footfall.call('GET', foreign)).status, 404)
      assert.equal((await footfall.call('POST', `${foreign}/${taken.id}/undo`)).status, 404)
    })

    test('so many edits are kept of a form, the latest ones, and they go with it', async () => {
      const form = await newForm()
      const { records } = footfall.context
      const rows = Array.from({ length: MAX_EDITS }, (_, n) => ({
        id: `fe_${kind.slice(0, 1)}${String(n).padStart(19, '0')}`,
        property_id: footfall.property.id,
        form_id: form.id,
        edited_ms: n,
        edited_by: null,
        kind: 'update' as const,
        before: '{"name":"x"}',
        after: '{"name":"y"}',
      }))
      await records.insertInto('form_edits').values(rows).execute()
      ok(await change(form.id, { name: 'Newest' }))
      const listed = ok(await footfall.call('GET', path(form.id, '/edits')))
      assert.equal(listed.total, MAX_EDITS)
      assert.deepEqual(listed.data[0].after, { name: 'Newest' })
      assert.deepEqual(listed.data[1].edited_by, { kind: 'unknown', id: null, name: null })
      const query = { page: MAX_EDITS, per_page: 1 }
      const last = ok(await footfall.call('GET', path(form.id, '/edits'), { query })).data
      assert.equal(last[0].edited_ms, 1, 'the creation and the oldest one went')

      ok(await footfall.call('DELETE', path(form.id)))
      const left = records.selectFrom('form_edits').select('id').where('form_id', '=', form.id)
      assert.deepEqual(await left.execute(), [])
    })
  })
}

promises('SQLite', async () => undefined)
if (postgres) promises('PostgreSQL', () => postgres.freshUrl())
