// IP addresses of senders: stored only where the owner says so, for as long as the owner says, and gone from
// the files afterwards. Through the front door, on both databases.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { parse } from 'csv-parse/sync'
import { flowOf, type Form } from '../../test/support/form-flow.ts'
import { startPostgres } from '../../test/support/postgres.ts'
import { type Footfall, startFootfall } from '../../test/support/server.ts'
import { DAY_MS } from '../kernel/days.ts'
import { bareCell } from '../csv/cells.ts'
import { removeIps } from './ip-retention.ts'

const NOON = Date.UTC(2026, 10, 18, 12)
const GEO_DIR = join(import.meta.dirname, '../../test/fixtures/geo')
/** In the geo files of the tests. */
const LONDON = '81.2.69.160'
const postgres = await startPostgres({ after })

const answers = { name: 'Ada', email: 'ada@example.com' }

function promises(on: string, freshUrl: () => Promise<string>): void {
  describe(on, () => {
    const closers: (() => Promise<void>)[] = []
    after(async () => {
      for (const close of closers) await close()
    })
    let opened: Promise<Footfall> | undefined
    const open = (): Promise<Footfall> =>
      (opened ??= freshUrl().then((url) =>
        startFootfall({ after: (close) => closers.push(close) }, { now: NOON, env: { DATABASE_URL: url, GEO_DIR } }),
      ))

    const pathOf = ({ property }: Footfall, form: Form) => `/manage/properties/${property.id}/forms/${form.id}`

    async function sendFrom(footfall: Footfall, form: Form, address: string) {
      const flow = flowOf(footfall)
      const session = await flow.open(form, undefined, { address })
      footfall.clock.advance(30_000)
      const { json, text } = await flow.send(session, answers, { address })
      assert.equal(json.validated, true, text)
    }

    /** Newest first. */
    async function shownOf(footfall: Footfall, form: Form) {
      const { json } = await footfall.call('GET', `${pathOf(footfall, form)}/submissions?show=all&per_page=100`)
      return json.data.data as { ip: string | null; network: string | null; country: string | null; geo: object }[]
    }
    const ipsOf = async (footfall: Footfall, form: Form) => (await shownOf(footfall, form)).map(({ ip }) => ip)

    const change = async (footfall: Footfall, form: Form, body: object) => {
      const { status, json, text } = await footfall.call('POST', pathOf(footfall, form), { body })
      assert.equal(status, 200, text)
      return json.data.form
    }

    /** As a version that did not ask has left it. */
    const addOld = async ({ context, property }: Footfall, form: Form, ip: string, submitted_ms: number) => {
      const { seq: _seq, ...row } = await context.records
        .selectFrom('submissions')
        .selectAll()
        .where('form_id', '=', form.id)
        .limit(1)
        .executeTakeFirstOrThrow()
      await context.records
        .insertInto('submissions')
        .values({ ...row, id: `sb_old${ip}`, property_id: property.id, ip, network: '', submitted_ms })
        .execute()
    }

    test('nothing says to store an address: it stands in no row, place and network do', async () => {
      const footfall = await open()
      const form = await flowOf(footfall).create(footfall.property.id)
      await sendFrom(footfall, form, LONDON)
      const [shown] = await shownOf(footfall, form)
      assert.ok(shown?.network)
      assert.deepEqual([shown.ip, shown.country, shown.geo], [null, 'United Kingdom', { lat: 51.51, lon: -0.09 }])
      const { records } = footfall.context
      for (const table of ['submissions', 'form_sessions'] as const)
        assert.doesNotMatch(JSON.stringify(await records.selectFrom(table).selectAll().execute()), /81\.2\.69\.160/)
      const { text } = await footfall.call('GET', `${pathOf(footfall, form)}/submissions/export`)
      const [head, row]: string[][] = parse(text)
      assert.equal(row!.map(bareCell)[head!.indexOf('ip')], '')
    })

    test('a form that is told to stores it, shows and exports it, and stops at once when it is told to stop', async () => {
      const footfall = await open()
      const form = await flowOf(footfall).create(footfall.property.id, { is_ip_kept: true })
      const { json } = await footfall.call('GET', pathOf(footfall, form))
      assert.deepEqual([json.data.form.is_ip_kept, json.data.form.ip_retention_days], [true, 30])
      await sendFrom(footfall, form, '203.0.113.21')
      assert.deepEqual(await ipsOf(footfall, form), ['203.0.113.21'])
      const { text } = await footfall.call('GET', `${pathOf(footfall, form)}/submissions/export`)
      const [head, row]: string[][] = parse(text)
      assert.equal(row!.map(bareCell)[head!.indexOf('ip')], '203.0.113.21')

      const flow = flowOf(footfall)
      const under = await flow.open(form, undefined, { address: '203.0.113.22' })
      await change(footfall, form, { is_ip_kept: false })
      footfall.clock.advance(30_000)
      assert.equal((await flow.send(under, answers, { address: '203.0.113.22' })).json.validated, true)
      assert.deepEqual(await ipsOf(footfall, form), [null, '203.0.113.21'])
      assert.equal(await removeIps(footfall.context), 1)
      assert.deepEqual(await ipsOf(footfall, form), [null, null])
    })

    test('an address goes when its days are over, the submission stays, and the files know it no more', async () => {
      const footfall = await open()
      const form = await flowOf(footfall).create(footfall.property.id, { is_ip_kept: true, ip_retention_days: 3 })
      await sendFrom(footfall, form, '198.51.100.231')
      footfall.clock.advance(2 * DAY_MS)
      await sendFrom(footfall, form, '198.51.100.232')
      assert.equal(await removeIps(footfall.context), 0)
      footfall.clock.advance(DAY_MS)
      assert.equal(await removeIps(footfall.context), 1)
      assert.deepEqual(await ipsOf(footfall, form), ['198.51.100.232', null])
      assert.equal(await removeIps(footfall.context), 0)
      await change(footfall, form, { ip_retention_days: 1 })
      footfall.clock.advance(DAY_MS)
      assert.equal(await removeIps(footfall.context), 1)
      assert.deepEqual(await ipsOf(footfall, form), [null, null])
      const { dataDir } = footfall.context.config
      const files = readdirSync(dataDir).filter((file) => file.startsWith('records'))
      for (const address of ['198.51.100.231', '198.51.100.232'])
        assert.deepEqual(
          files.filter((file) => readFileSync(join(dataDir, file)).includes(address)),
          [],
        )
    })

    test('addresses from before stay until the notice is over, whatever else is changed, and leave their network behind', async () => {
      const footfall = await open()
      const { records } = footfall.context
      const form = await flowOf(footfall).create(footfall.property.id)
      await sendFrom(footfall, form, '203.0.113.31')
      await addOld(footfall, form, LONDON, footfall.clock.now() - 400 * DAY_MS)
      const until = Math.floor(footfall.clock.now() / 1000) + 86_400
      await records.updateTable('forms').set({ stored_ips_until_ts: until }).where('id', '=', form.id).execute()
      // What the settings of a form send with a change of its name.
      const changed = await change(footfall, form, { name: 'Other', is_ip_kept: false, ip_retention_days: 30 })
      assert.equal(changed.stored_ips_until_ts, until)
      assert.equal(await removeIps(footfall.context), 0)
      assert.deepEqual(await ipsOf(footfall, form), [LONDON, null])
      footfall.clock.advance(DAY_MS)
      assert.equal(await removeIps(footfall.context), 1)
      const [old] = await shownOf(footfall, form)
      assert.equal(old?.ip, null)
      assert.ok(old.network)
      const { json } = await footfall.call('GET', pathOf(footfall, form))
      assert.equal(json.data.form.stored_ips_until_ts, null)
    })

    test('who switches it on within the notice keeps addresses from before for the same days as all others', async () => {
      const footfall = await open()
      const { records } = footfall.context
      const form = await flowOf(footfall).create(footfall.property.id)
      await sendFrom(footfall, form, '203.0.113.41')
      await addOld(footfall, form, '203.0.113.42', footfall.clock.now() - 400 * DAY_MS)
      await addOld(footfall, form, '203.0.113.43', footfall.clock.now() - 300 * DAY_MS)
      const until = Math.floor(footfall.clock.now() / 1000) + 86_400
      await records.updateTable('forms').set({ stored_ips_until_ts: until }).where('id', '=', form.id).execute()
      const kept = await change(footfall, form, { is_ip_kept: true, ip_retention_days: 365 })
      assert.equal(kept.stored_ips_until_ts, null)
      footfall.clock.advance(2 * DAY_MS)
      assert.equal(await removeIps(footfall.context), 1)
      assert.deepEqual(await ipsOf(footfall, form), ['203.0.113.43', null, null])
    })

    test('more addresses than one transaction takes all go', async () => {
      const footfall = await open()
      const form = await flowOf(footfall).create(footfall.property.id)
      await sendFrom(footfall, form, '203.0.113.51')
      for (let n = 0; n < 230; n++) await addOld(footfall, form, `10.1.2.${n}`, footfall.clock.now())
      assert.equal(await removeIps(footfall.context), 230)
      assert.deepEqual(new Set(await ipsOf(footfall, form)), new Set([null]))
    })
  })
}

promises('on SQLite', async () => '')
if (postgres) promises('on PostgreSQL', async () => postgres.freshUrl())
