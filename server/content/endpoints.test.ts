// Content blocks as their owner keeps them, through the front door, on SQLite and on PostgreSQL: what is
// kept, what is refused, which phase counts, and how an edit is undone.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import fc from 'fast-check'
import { rounds } from '../../test/support/long.ts'
import { startPostgres } from '../../test/support/postgres.ts'
import { ADMIN_TOKEN, type Footfall, type Reply, startFootfall } from '../../test/support/server.ts'
import { addForm } from '../../test/support/submissions.ts'
import { ADMIN_EDITOR } from '../kernel/edits.ts'
import { openRecords } from '../stores/records.ts'
import { anyCharacter } from '../../test/support/texts.ts'
import { createBlock } from './blocks.ts'
import { changeBlock, noContentDirectory } from './changes.ts'
import * as limits from './content-model.ts'
import { sanitiseHtml } from '../html/content-html.ts'
import { createVersion, updateVersion } from './versions.ts'

const NOW = Date.UTC(2026, 10, 18, 9, 30, 15, 250)
const postgres = await startPostgres({ after })

function ok(reply: Reply) {
  assert.equal(reply.status, 200, reply.text)
  return reply.json.data
}

function assertRefused(reply: Reply, field: string): void {
  assert.deepEqual([reply.status, reply.json.error_code], [422, 'validation_failed'], reply.text)
  assert.deepEqual(Object.keys(reply.json.errors), [field], reply.text)
}

function assertMissing(reply: Reply): void {
  assert.deepEqual([reply.status, reply.json.error_code], [404, 'not_found'], reply.text)
}

const hostileIds = ['%00', 'a%00b', '%F0%9F%98%80', '..%2f', "'", 'cb_%00', 've_x', 'x'.repeat(900)]
const a = { label: 'A', html: '<p>A</p>' }
const b = { label: 'B', html: '<p>B</p>', ctas: [{ key: 'go', url: '/x' }] }

/** Both databases answer alike. One server at a time in a process, so they follow each other. */
function promises(kind: string, databaseUrl: () => Promise<string | undefined>): void {
  describe(kind, () => {
    const closers: (() => Promise<void>)[] = []
    let footfall: Footfall
    let at: string

    /** Each test in a property of its own. */
    async function newProperty(): Promise<string> {
      footfall.clock.advance(60_000)
      const { id } = await footfall.addProperty()
      at = `/manage/properties/${id}/content`
      return id
    }
    const get = (path = '') => footfall.call('GET', at + path)
    const post = (path: string, body?: unknown) => footfall.call('POST', at + path, body === undefined ? {} : { body })
    const remove = (path: string) => footfall.call('DELETE', at + path)
    const create = async (body: object = {}) => ok(await post('', { name: 'Banner', ...body })).content
    const add = async (block: string, body: object) => ok(await post(`/${block}/versions`, body)).version
    const blockNow = async (block: string) => ok(await get(`/${block}`)).content
    const phases = async (block: string) => ok(await get(`/${block}/phases`)).data
    const edits = async (block: string) => ok(await get(`/${block}/edits`)).data
    const undo = (block: string, edit: string) => post(`/${block}/edits/${edit}/undo`)

    before(async () => {
      const url = await databaseUrl()
      footfall = await startFootfall(
        { after: (close) => closers.push(close) },
        { now: NOW, env: url === undefined ? {} : { DATABASE_URL: url } },
      )
    })

    after(async () => {
      for (const close of closers) await close()
    })

    test('what the policy would store of HTML is told before anything is written', async () => {
      await newProperty()
      const { html, removed } = ok(await post('/preview', { html: '<p onclick="x()">A</p><script>x()</script>' }))
      assert.deepEqual([html, removed], ['<p>A</p>', ['onclick of <p>', '<script>']])
      assertRefused(await post('/preview', { html: 'a'.repeat(limits.MAX_HTML + 1) }), 'html')
      assertRefused(await post('/preview', {}), 'html')
      assert.equal(ok(await get()).total, 0)
    })

    test('a block and its versions are created, listed, changed and deleted', async () => {
      await newProperty()
      const made = await create({ name: ' Banner ', key: `home-${kind}` })
      const now = Math.floor(footfall.clock.now() / 1000)
      assert.match(made.id, /^cb_[0-9A-Za-z]{20}$/)
      assert.deepEqual(made, {
        id: made.id,
        key: `home-${kind}`,
        name: 'Banner',
        goal: { type: 'click', value: null },
        is_archived: false,
        phase: 1,
        created_ts: now,
        updated_ts: now,
        versions: [],
      })
      const other = await create()
      assert.match(other.key, /^ck_[0-9A-Za-z]{20}$/)
      const version = await add(made.id, { ...b, html: '<p onclick=x>B</p>' })
      assert.match(version.id, /^ve_[0-9A-Za-z]{20}$/)
      assert.deepEqual(version, {
        id: version.id,
        label: 'B',
        html: '<p>B</p>',
        ctas: [{ key: 'go', label: 'go', url: '/x' }],
        weight: 100,
        is_active: true,
        created_ts: now,
        updated_ts: now,
      })
      assert.deepEqual((await blockNow(made.id)).versions, [version])
      assert.deepEqual(ok(await get(`/${made.id}/versions`)).data, [version])
      assert.deepEqual(ok(await get(`/${made.id}/versions/${version.id}`)).version, version)
      const listed = ok(await get())
      assert.deepEqual([listed.total, listed.data.map((one: { id: string }) => one.id)], [2, [other.id, made.id]])
      const { html: _html, ctas: _ctas, created_ts: _created, updated_ts: _updated, ...sketch } = version
      assert.deepEqual(listed.data[1], { ...(await blockNow(made.id)), versions: [sketch] })
      assert.ok(!JSON.stringify([made, listed]).includes('salt'))
      footfall.clock.advance(5_000)
      const changed = ok(await post(`/${made.id}`, { name: 'Top', goal: { type: 'event', value: 'signup' } })).content
      assert.deepEqual(changed, {
        ...made,
        name: 'Top',
        goal: { type: 'event', value: 'signup' },
        phase: 2,
        updated_ts: now + 5,
        versions: [version],
      })
      const saved = ok(await post(`/${made.id}/versions/${version.id}`, { html: '<p>C</p><script>x</script>' }))
      assert.deepEqual(saved, {
        version: { ...version, html: '<p>C</p>', updated_ts: now + 5 },
        removed: ['<script>'],
      })
      assert.deepEqual(ok(await remove(`/${made.id}/versions/${version.id}`)), { deleted: true })
      assertMissing(await get(`/${made.id}/versions/${version.id}`))
      assertMissing(await post(`/${made.id}/versions/${version.id}`, {}))
      assertMissing(await remove(`/${made.id}/versions/${version.id}`))
      assert.deepEqual(ok(await remove(`/${made.id}`)), { deleted: true })
      for (const reply of [await get(`/${made.id}`), await post(`/${made.id}`, {}), await remove(`/${made.id}`)])
        assertMissing(reply)
      assert.equal(ok(await get()).total, 1)
      for (const table of ['content_versions', 'content_phases', 'content_edits'] as const) {
        const rows: Promise<{ property_id: string }[]> = footfall.context.records
          .selectFrom(table)
          .select('property_id')
          .where('block_id', '=', made.id)
          .execute()
        assert.deepEqual(await rows, [], table)
      }
    })

    test('only the administrator, and only within the property and the block', async () => {
      await newProperty()
      const { id } = await create()
      const version = await add(id, a)
      const [edit] = await edits(id)
      const paths: readonly (readonly [string, string])[] = [
        ['GET', ''],
        ['POST', ''],
        ['GET', '/policy'],
        ...['GET', 'POST', 'DELETE'].map((method) => [method, `/${id}`] as const),
        ['GET', `/${id}/versions`],
        ['POST', `/${id}/versions`],
        ...['GET', 'POST', 'DELETE'].map((method) => [method, `/${id}/versions/${version.id}`] as const),
        ['GET', `/${id}/phases`],
        ['GET', `/${id}/edits`],
        ['POST', `/${id}/edits/${edit.id}/undo`],
      ]
      const send = async (method: string, path: string, token?: string | null) =>
        footfall.call(method, at + path, {
          ...(token !== undefined && { token }),
          ...(method === 'POST' && { body: path.endsWith('/versions') ? a : {} }),
        })
      for (const [method, path] of paths)
        for (const token of [null, footfall.token, `${ADMIN_TOKEN}x`])
          assert.equal((await send(method, path, token)).status, 401, `${method} ${path}`)
      const own = at
      const ownBlock = await blockNow(id)
      await newProperty()
      const mine = await create()
      for (const [method, path] of paths.filter(([, text]) => text.includes(id))) {
        assertMissing(await send(method, path))
        if (path !== `/${id}` && (path.includes(version.id) || path.includes(edit.id)))
          assertMissing(await send(method, path.replace(id, mine.id)))
      }
      at = own
      assert.deepEqual(await blockNow(id), ownBlock)
      for (const bad of hostileIds)
        for (const path of [`/${bad}`, `/${bad}/versions/${version.id}`, `/${id}/versions/${bad}`])
          assertMissing(await post(path, {}))
      for (const bad of hostileIds) {
        assertMissing(await undo(id, bad))
        for (const list of ['versions', 'phases', 'edits']) assertMissing(await get(`/${bad}/${list}`))
      }
    })

    test('blocks are searched by words of name and key, whatever their capitals', async () => {
      await newProperty()
      for (const name of ['Überschrift', 'Hero banner', 'Footer banner']) await create({ name })
      const found = async (query: string) => {
        const page = ok(await get(`?${query}`))
        return [page.total, page.data.map(({ name }: { name: string }) => name)]
      }
      assert.deepEqual(await found('search=BANNER'), [2, ['Footer banner', 'Hero banner']])
      assert.deepEqual(await found('search=ann&per_page=1&page=2'), [2, ['Hero banner']])
      assert.deepEqual(await found('search=ck_+%C3%9Cber'), [1, ['Überschrift']])
      assert.deepEqual(await found('search=nobody'), [0, []])
      assert.equal((await found('search='))[0], 3)
      assert.equal((await get(`?search=${'x'.repeat(256)}`)).status, 422)
    })

    test('a key is of one block on all properties, whoever comes first, and stays as it is', async () => {
      await newProperty()
      const key = `once-${kind}`
      const replies = await Promise.all([1, 2, 3, 4].map(() => post('', { name: 'Racer', key })))
      assert.deepEqual(
        replies.map(({ status }) => status).toSorted((one, two) => one - two),
        [200, 422, 422, 422],
      )
      await newProperty()
      assertRefused(await post('', { name: 'Other', key }), 'key')
      const { id } = await create({ key: null })
      assertRefused(await post(`/${id}`, { key }), 'key')
    })

    test('what breaks a rule is refused and named, and nothing of it is kept', async () => {
      const propertyId = await newProperty()
      const formId = await addForm(footfall.context.records, propertyId)
      const otherForm = await addForm(footfall.context.records, footfall.property.id)
      const { id } = await create()
      const version = await add(id, a)
      const before = JSON.stringify([await blockNow(id), await edits(id), await phases(id)])
      const goal = (type: unknown, value?: unknown, field = 'goal.value') => [{ goal: { type, value } }, field] as const
      const wrong: readonly (readonly [object, string])[] = [
        [{ name: '' }, 'name'],
        [{ name: ' ' }, 'name'],
        [{ name: 1 }, 'name'],
        [{ name: 'x'.repeat(limits.MAX_NAME + 1) }, 'name'],
        [{ name: 'a\nb' }, 'name'],
        [{ is_archived: 'no' }, 'is_archived'],
        [{ goal: null }, 'goal'],
        [{ goal: {} }, 'goal.type'],
        goal('view', null, 'goal.type'),
        goal('click', 'a b'),
        goal('click', ''),
        goal('event'),
        goal('event', ''),
        goal('event', 'x'.repeat(limits.MAX_GOAL_VALUE + 1)),
        goal('event', 1),
        goal('form', null),
        goal('form', otherForm),
        goal('conversion', 'cv_00000000000000000000'),
      ]
      for (const [part, field] of wrong) {
        assertRefused(await post('', { name: 'Right', ...part }), field)
        assertRefused(await post(`/${id}`, part), field)
      }
      for (const key of ['', 'a b', 'ü', 'a/b', 'x'.repeat(65), 1])
        assertRefused(await post('', { name: 'x', key }), 'key')
      assertRefused(await post('', {}), 'name')
      const cta = (part: object, field: string) => [{ ctas: [{ key: 'one' }, { key: 'two', ...part }] }, field] as const
      const wrongVersions: readonly (readonly [object, string])[] = [
        [{ label: '' }, 'label'],
        [{ label: 'x'.repeat(limits.MAX_LABEL + 1) }, 'label'],
        [{ label: 'a\u001bb' }, 'label'],
        [{ html: 1 }, 'html'],
        [{ html: 'x'.repeat(limits.MAX_HTML + 1) }, 'html'],
        [{ html: '&'.repeat(limits.MAX_HTML / 2) }, 'html'],
        [{ weight: -1 }, 'weight'],
        [{ weight: 1.5 }, 'weight'],
        [{ weight: limits.MAX_WEIGHT + 1 }, 'weight'],
        [{ weight: '1' }, 'weight'],
        [{ is_active: 1 }, 'is_active'],
        [{ ctas: {} }, 'ctas'],
        [{ ctas: Array.from({ length: limits.MAX_CTAS + 1 }, (_, key) => ({ key: `k${key}` })) }, 'ctas'],
        cta({ key: 'one' }, 'ctas.1.key'),
        cta({ key: '' }, 'ctas.1.key'),
        cta({ key: 'a b' }, 'ctas.1.key'),
        cta({ key: 1 }, 'ctas.1.key'),
        cta({ label: '' }, 'ctas.1.label'),
        cta({ label: 'x'.repeat(limits.MAX_CTA_LABEL + 1) }, 'ctas.1.label'),
        ...[
          'javascript:hit()',
          ' java\nscript:hit()',
          'data:text/html,x',
          '//evil.test/',
          '/\\evil.test/',
          '\\\\evil.test',
          'ftp://x.test/',
          'prices',
          'http:',
          'https://',
          `/${'x'.repeat(limits.MAX_URL)}`,
        ].map((url) => cta({ url }, 'ctas.1.url')),
      ]
      for (const [part, field] of wrongVersions) {
        assertRefused(await post(`/${id}/versions`, { ...a, ...part }), field)
        assertRefused(await post(`/${id}/versions/${version.id}`, part), field)
      }
      assertRefused(await post(`/${id}/versions`, { label: 'A' }), 'html')
      assertRefused(await post(`/${id}/versions`, { html: '' }), 'label')
      assertRefused(await post(`/${id}`, { weights: { ve_none: 1 } }), 'weights')
      assertRefused(await post(`/${id}`, { weights: [] }), 'weights')
      for (const weight of [-1, 1001, 1.5])
        assertRefused(await post(`/${id}`, { weights: { [version.id]: weight } }), `weights.${version.id}`)
      for (const body of ['{', '[]', '"x"', '7', 'null'])
        for (const path of ['', `/${id}`, `/${id}/versions`, `/${id}/versions/${version.id}`])
          assert.equal((await post(path, body)).status, 422, `${path} ${body}`)
      assert.equal(JSON.stringify([await blockNow(id), await edits(id), await phases(id)]), before)
      assert.equal(ok(await get()).total, 1)
      const good = [
        'https://x.test/?a=1#b',
        'http://x.test',
        'mailto:a@x.test',
        'tel:+491234',
        '/x',
        '?a=1',
        '#top',
        null,
      ]
      const ctas = good.map((url, index) => ({ key: `k.${index}`, label: 'L', url }))
      assert.deepEqual((await add(id, { label: 'C', html: '', ctas })).ctas, ctas)
      for (const value of [formId]) ok(await post(`/${id}`, { goal: { type: 'form', value } }))
      ok(await post(`/${id}`, { goal: { type: 'click', value: 'k.1' } }))
    })

    test('a property has so many blocks and a block so many versions, also when they are made at once', async () => {
      const propertyId = await newProperty()
      const { id } = await create()
      const replies = await Promise.all(
        Array.from({ length: limits.MAX_VERSIONS + 3 }, (_, at) =>
          post(`/${id}/versions`, { label: `V${at}`, html: '', is_active: false }),
        ),
      )
      assert.equal(replies.filter(({ status }) => status === 200).length, limits.MAX_VERSIONS)
      for (const reply of replies) if (reply.status !== 200) assertRefused(reply, 'label')
      const { records } = footfall.context
      const block = await records
        .selectFrom('content_blocks')
        .selectAll()
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
      const { seq: _seq, ...row } = block
      const rows = Array.from({ length: limits.MAX_BLOCKS - 1 }, (_, n) => ({
        ...row,
        id: `cb_${String(n).padStart(20, '0')}`,
        key: `${kind}-${n}`,
      }))
      await records.insertInto('content_blocks').values(rows).execute()
      assertRefused(await post('', { name: 'One more' }), 'name')
      await records.deleteFrom('content_blocks').where('property_id', '=', propertyId).execute()
    })

    test('versions ever made and phases kept are bounded as well', async () => {
      await newProperty()
      const { id } = await create()
      const made = await add(id, a)
      const { records } = footfall.context
      const { seq: _seq, ...row } = await records
        .selectFrom('content_versions')
        .selectAll()
        .where('id', '=', made.id)
        .executeTakeFirstOrThrow()
      const gone = Array.from({ length: limits.MAX_MADE_VERSIONS - 1 }, (_, n) => ({
        ...row,
        id: `ve_${kind.slice(0, 1)}${String(n).padStart(19, '0')}`,
        is_deleted: 1,
      }))
      await records.insertInto('content_versions').values(gone).execute()
      assertRefused(await post(`/${id}/versions`, b), 'label')
      await records.updateTable('content_blocks').set({ phase: limits.MAX_PHASES }).where('id', '=', id).execute()
      ok(await post(`/${id}/versions/${made.id}`, { weight: 1 }))
      const numbers = (await phases(id)).map(({ number }: { number: number }) => number)
      assert.deepEqual(numbers, [limits.MAX_PHASES + 1, 2], 'the first one went')
    })

    test('whatever changes what visitors can be shown opens one phase, and nothing else does', async () => {
      await newProperty()
      const { id } = await create()
      const phase = async () => (await blockNow(id)).phase
      assert.deepEqual(await phases(id), [{ number: 1, started_ms: footfall.clock.now(), ended_ms: null, setup: [] }])
      const one = await add(id, a)
      const two = await add(id, b)
      assert.equal(await phase(), 3)
      const three = await add(id, { label: 'C', html: 'c', is_active: false })
      const version = (of: { id: string }, body: object) => async () => ok(await post(`/${id}/versions/${of.id}`, body))
      const block = (body: object) => async () => ok(await post(`/${id}`, body))
      const nothing = [
        version(one, { label: 'A2' }),
        version(one, { html: a.html }),
        version(three, { html: 'd', weight: 7, ctas: [{ key: 'x' }] }),
        block({ name: 'Other', goal: { type: 'event', value: 'x' }, is_archived: true }),
        block({ is_archived: false, weights: { [one.id]: 100, [three.id]: 9 } }),
      ]
      for (const change of nothing) await change()
      assert.equal(await phase(), 3)
      assert.equal((await phases(id))[0].setup[0].label, 'A2', 'the phase goes by the names of now')
      const changes = [
        version(one, { html: 'x' }),
        version(one, { ctas: [{ key: 'x' }] }),
        version(one, { weight: 50 }),
        block({ weights: { [one.id]: 10, [two.id]: 20, [three.id]: 30 } }),
        version(three, { is_active: true }),
        version(three, { is_active: false, html: 'e' }),
        async () => ok(await remove(`/${id}/versions/${two.id}`)),
      ]
      for (const [index, change] of changes.entries()) {
        footfall.clock.advance(1_000)
        await change()
        assert.equal(await phase(), 4 + index, String(index))
      }
      const all = await phases(id)
      assert.deepEqual(
        all.map(({ number }: { number: number }) => number),
        [10, 9, 8, 7, 6, 5, 4, 3, 2, 1],
      )
      for (const [index, later] of all.slice(0, -1).entries()) assert.equal(all[index + 1].ended_ms, later.started_ms)
      assert.equal(all[0].ended_ms, null)
      assert.deepEqual(all[3].setup, [
        { version_id: one.id, label: 'A2', weight: 10 },
        { version_id: two.id, label: 'B', weight: 20 },
      ])
      assert.deepEqual(all[0].setup, [{ version_id: one.id, label: 'A2', weight: 10 }])
    })

    test('changes made at once on two nodes each count, and no phase is left out', async () => {
      const propertyId = await newProperty()
      const { id } = await create()
      const [one, two] = [await add(id, a), await add(id, b)]
      const records = await openRecords(footfall.context.config)
      const { now, randomBytes } = footfall.context
      const other = { records, now, randomBytes, content: noContentDirectory, editor: ADMIN_EDITOR }
      const owner = { id: propertyId, content_policy: 'standard' } as const
      try {
        await Promise.all(
          [1, 2, 3, 4, 5].flatMap((weight) => [
            post(`/${id}/versions/${one.id}`, { weight }).then(ok),
            updateVersion(other, owner, { blockId: id, versionId: two.id }, { html: `<p>${weight}</p>` }),
          ]),
        )
      } finally {
        await records.destroy()
      }
      assert.equal((await blockNow(id)).phase, 13)
      const all = await phases(id)
      assert.deepEqual(
        all.map(({ number }: { number: number }) => number),
        [13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1],
      )
      assert.equal(all.filter(({ ended_ms }: { ended_ms: number | null }) => ended_ms === null).length, 1)
      assert.equal((await edits(id)).length, 13)
    })

    test('a change that fails leaves nothing behind', async () => {
      const propertyId = await newProperty()
      const { id } = await create()
      await add(id, a)
      const before = [await blockNow(id), await phases(id), await edits(id)]
      const of = { propertyId, blockId: id }
      const broken = { ...footfall.context, editor: ADMIN_EDITOR, randomBytes: () => assert.fail('no randomness') }
      await assert.rejects(
        changeBlock(broken, of, { kind: 'update', versionId: null }, (block) => ({
          ...block,
          name: 'x',
          versions: [],
        })),
        /no randomness/,
      )
      assert.deepEqual([await blockNow(id), await phases(id), await edits(id)], before)
    })

    test('every change is an edit, and what it changed is put back by undoing it', async () => {
      await newProperty()
      const { id } = await create()
      const [one, two] = [await add(id, a), await add(id, b)]
      const steps: readonly (() => Promise<Reply>)[] = [
        () => post(`/${id}`, { name: 'New', goal: { type: 'event', value: 'x' }, is_archived: true }),
        () => post(`/${id}`, { weights: { [one.id]: 1, [two.id]: 2 } }),
        () => post(`/${id}/versions/${one.id}`, { label: 'AA', html: '<b>x</b>', ctas: [{ key: 'k' }], weight: 9 }),
        () => post(`/${id}/versions/${two.id}`, { is_active: false }),
        () => remove(`/${id}/versions/${one.id}`),
        () => post(`/${id}/versions`, { label: 'C', html: 'c' }),
      ]
      const withoutTimes = ({ phase: _phase, updated_ts: _at, versions, ...block }: Record<string, unknown>) => ({
        ...block,
        versions: (versions as Record<string, unknown>[]).map(({ updated_ts: _of, ...version }) => version),
      })
      for (const step of steps) {
        const before = await blockNow(id)
        const [last] = await edits(id)
        footfall.clock.advance(1_000)
        ok(await step())
        const after = await blockNow(id)
        const [edit, previous] = await edits(id)
        assert.equal(previous.id, last.id, 'one edit a change')
        assert.equal(edit.edited_ms, footfall.clock.now())
        assert.deepEqual(edit.edited_by, { kind: 'admin', id: null, name: null })
        assert.deepEqual(withoutTimes(ok(await undo(id, edit.id)).content), withoutTimes(before))
        const [undone] = await edits(id)
        assert.deepEqual(
          [undone.kind, undone.version_id, undone.before, undone.after],
          ['undo', edit.version_id, edit.after, edit.before],
        )
        assert.deepEqual(withoutTimes(ok(await undo(id, undone.id)).content), withoutTimes(after), 'undone itself')
      }
      const phaseNumbers = (await phases(id)).map(({ number }: { number: number }) => number)
      assert.deepEqual(
        phaseNumbers,
        Array.from({ length: phaseNumbers.length }, (_, index) => phaseNumbers.length - index),
      )
    })

    test('a version that comes back has its id, its place and its figures; what cannot be undone says why', async () => {
      await newProperty()
      const { id } = await create()
      const [one, two] = [await add(id, a), await add(id, b)]
      const all = await edits(id)
      const [, oneMade, blockMade] = all
      ok(await post(`/${id}/versions/${one.id}`, { label: 'AA' }))
      const [renamed] = await edits(id)
      ok(await remove(`/${id}/versions/${one.id}`))
      const [removal] = await edits(id)
      assert.equal(removal.after, null)
      for (const edit of [blockMade, oneMade, renamed]) assertRefused(await undo(id, edit.id), 'edit')
      const { content } = ok(await undo(id, removal.id))
      assert.deepEqual(
        content.versions.map((version: { id: string }) => version.id),
        [one.id, two.id],
      )
      assert.deepEqual({ ...content.versions[0], updated_ts: 0 }, { ...one, label: 'AA', updated_ts: 0 })
      assert.deepEqual(
        (await phases(id))[0].setup.map((share: { version_id: string }) => share.version_id),
        [one.id, two.id],
        'the first one is what the others are compared with, as before',
      )
      assertRefused(await undo(id, removal.id), 'edit')
      assert.equal((await edits(id)).length, 6, 'what was refused is no edit')
      ok(await post(`/${id}`, { weights: { [one.id]: 5 } }))
      const [weighing] = await edits(id)
      ok(await remove(`/${id}/versions/${one.id}`))
      assertRefused(await undo(id, weighing.id), 'weights')
      for (let made = 1; made < limits.MAX_VERSIONS; made++) await add(id, { ...a, is_active: false })
      const latest = (await edits(id)).find(({ kind: what }: { kind: string }) => what === 'delete')
      assertRefused(await undo(id, latest.id), 'label')
    })

    test('what is put back goes through the policy of now, and the answer says what was taken out', async () => {
      const propertyId = await newProperty()
      const property = `/manage/properties/${propertyId}`
      const policy = async (content_policy: string) =>
        ok(await footfall.call('POST', property, { body: { content_policy } }))
      const shown = ok(await get('/policy'))
      assert.equal(shown.content_policy, 'standard')
      assert.deepEqual([shown.policies.standard.styles, shown.policies.wide.tags.includes('iframe')], [[], true])
      assert.ok(!shown.policies.wide.tags.includes('script'))
      await policy('wide')
      assert.equal(ok(await get('/policy')).content_policy, 'wide')
      const { id } = await create()
      const html = '<p style="color: red">x</p>'
      const version = await add(id, { label: 'A', html })
      assert.equal(version.html, html)
      ok(await post(`/${id}/versions/${version.id}`, { html: 'plain' }))
      const [edit] = await edits(id)
      await policy('standard')
      const { content, removed } = ok(await undo(id, edit.id))
      assert.deepEqual([content.versions[0].html, removed], ['<p>x</p>', ['style color of <p>']])
    })

    test('whoever saves what was read changes nothing, opens no phase, and undo puts back what was there', async () => {
      const propertyId = await newProperty()
      ok(await footfall.call('POST', `/manage/properties/${propertyId}`, { body: { content_policy: 'wide' } }))
      const { id, key } = await create()
      const html =
        '<table><tr><td><iframe src="https://x.test/">a &amp; <b>b</b></iframe></table><p><x><p><textarea>&lt;</textarea>'
      const saved = ok(await post(`/${id}/versions`, { label: 'A', html }))
      assert.ok(saved.removed.includes('text in <iframe>'), saved.removed.join())
      const before = await blockNow(id)
      const path = `/${id}/versions/${saved.version.id}`
      const read = ok(await get(path)).version
      for (let times = 0; times < 2; times++) {
        assert.deepEqual(ok(await post(path, { html: read.html })), { version: read, removed: [] })
        assert.deepEqual(await blockNow(id), before)
      }
      assert.deepEqual([(await phases(id)).length, (await edits(id)).length], [2, 2])
      const block = (await footfall.context.content.byKey(key))!
      assert.equal(sanitiseHtml(block.versions[0]!.html, 'wide'), read.html, 'as it is served')
      ok(await post(path, { html: 'x' }))
      ok(await undo(id, (await edits(id))[0].id))
      assert.deepEqual(ok(await get(path)).version.html, read.html)
    })

    test('so many edits are kept of a block, the latest ones', async () => {
      const propertyId = await newProperty()
      const { id } = await create()
      const { records } = footfall.context
      const rows = Array.from({ length: limits.MAX_EDITS }, (_, n) => ({
        id: `ce_${kind.slice(0, 1)}${String(n).padStart(19, '0')}`,
        property_id: propertyId,
        block_id: id,
        version_id: null,
        edited_ms: n,
        kind: 'update' as const,
        before: '{"name":"x"}',
        after: '{"name":"y"}',
      }))
      await records.insertInto('content_edits').values(rows).execute()
      ok(await post(`/${id}`, { name: 'Newest' }))
      const listed = ok(await get(`/${id}/edits`))
      assert.equal(listed.total, limits.MAX_EDITS)
      assert.deepEqual(listed.data[0].after, { name: 'Newest' })
      const last = ok(await footfall.call('GET', `${at}/${id}/edits`, { query: { page: 500, per_page: 1 } })).data
      assert.equal(last[0].edited_ms, 1, 'the creation and the oldest one went')
    })

    test('a block goes with its property, and nothing finds it any more', async () => {
      const propertyId = await newProperty()
      const { id, key } = await create()
      await add(id, a)
      const { content, records } = footfall.context
      assert.equal((await content.byKey(key))?.versions.length, 1)
      assert.equal((await content.byId(id))?.key, key)
      ok(await footfall.call('DELETE', `/manage/properties/${propertyId}`))
      assert.deepEqual([await content.byKey(key), await content.byId(id)], [undefined, undefined])
      for (const table of ['content_blocks', 'content_versions', 'content_phases', 'content_edits'] as const) {
        const rows = records.selectFrom(table).select('property_id').where('property_id', '=', propertyId)
        assert.deepEqual(await rows.execute(), [], table)
      }
      const deps = { ...footfall.context, editor: ADMIN_EDITOR }
      await assert.rejects(createBlock(deps, propertyId, { name: 'Late' }), /Property not found/)
      const owner = { id: propertyId, content_policy: 'standard' } as const
      await assert.rejects(createVersion(deps, owner, id, a), /not in this property/)
    })

    test('a change is what the directory answers at once', async () => {
      await newProperty()
      const { id, key } = await create()
      const { content } = footfall.context
      assert.equal((await content.byKey(key))?.name, 'Banner')
      ok(await post(`/${id}`, { name: 'Next' }))
      assert.equal((await content.byKey(key))?.name, 'Next')
      assert.equal((await content.byId(id))?.name, 'Next')
      const version = await add(id, a)
      assert.deepEqual((await content.byKey(key))?.versions, [version])
      ok(await remove(`/${id}`))
      assert.deepEqual([await content.byKey(key), await content.byId(id)], [undefined, undefined])
    })

    test('whatever is sent, it is kept or refused', async () => {
      await newProperty()
      const { id } = await create()
      const version = await add(id, a)
      const names = ['name', 'key', 'goal', 'is_archived', 'weights', 'label', 'html', 'ctas', 'weight', 'is_active']
      const value = fc.oneof(
        fc.jsonValue(),
        fc.string({ unit: anyCharacter }),
        fc.constantFrom('__proto__', null, -1, 1e300),
      )
      const goal = fc.record({ type: fc.oneof(value, fc.constantFrom(...limits.goalTypes)), value })
      const ctas = fc.array(fc.record({ key: value, label: value, url: value }, { requiredKeys: [] }))
      const body = fc.dictionary(fc.constantFrom(...names), fc.oneof(value, goal, ctas))
      const paths = ['', `/${id}`, `/${id}/versions`, `/${id}/versions/${version.id}`]
      await fc.assert(
        fc.asyncProperty(fc.constantFrom(...paths), body, async (path, sent) => {
          const reply = await post(path, sent)
          assert.ok([200, 422].includes(reply.status), `${path} ${JSON.stringify(sent)} → ${reply.text}`)
        }),
        { numRuns: rounds(60, 3_000) },
      )
      ok(await get(`/${id}`))
    })
  })
}

promises('sqlite', async () => undefined)
if (postgres) promises('postgres', () => postgres.freshUrl())
