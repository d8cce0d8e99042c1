// A backup that is taken while visitors come: restored, it has all that was acknowledged before it was asked
// for, nothing that was never sent, no fact about anything that the records do not know, and every figure.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { openRecords } from '../server/stores/records.ts'
import { tell } from './support/cli.ts'
import { figuresOf } from './support/figures.ts'
import { findingsOf, KINDS, type Ledger, openLedger, openSite, sendOn } from './support/ledger.ts'
import { openLedgerRun, readHeld } from './support/ledger-run.ts'
import { ADMIN_TOKEN } from './support/server.ts'
import { callService, startService } from './support/service.ts'
import { openLeftFacts } from './support/stores.ts'

const SENDERS = 8
const PASSPHRASE = 'a passphrase of this test'
const options = { urls: [], cluster: null, databaseUrl: null }

const { folder, scope, endpoint, hookUrl, env } = await openLedgerRun('backup')

/** What was acknowledged until now. */
const copyOf = ({ acknowledged }: Ledger): Ledger['acknowledged'] =>
  Object.fromEntries(KINDS.map((kind) => [kind, new Set(acknowledged[kind])])) as Ledger['acknowledged']

/** What facts name and no record is of: contacts, forms, links, submissions. */
async function strangersIn(dataDir: string): Promise<string[]> {
  const facts = await openLeftFacts(dataDir)
  const records = await openRecords({ ...options, dataDir })
  const named = await facts.query<{ id: string }>(
    'test',
    `SELECT DISTINCT contact_id AS id FROM events WHERE contact_id != ''
     UNION ALL SELECT DISTINCT form FROM form_events UNION ALL SELECT DISTINCT link FROM clicks
     UNION ALL SELECT DISTINCT submission FROM form_events WHERE submission != ''`,
  )
  const known = new Set<string>()
  for (const table of ['contacts', 'forms', 'links', 'submissions'] as const)
    for (const { id } of await records.selectFrom(table).select('id').execute()) known.add(id)
  await facts.close()
  await records.destroy()
  return named.map(({ id }) => id).filter((id) => !known.has(id))
}

test('what is restored from a backup that was taken under load agrees with itself and with what was told', async () => {
  const [one, other, target] = [join(folder, 'one'), join(folder, 'other'), join(folder, 'kept')]
  const own = { ...env, BACKUP_TO: target, BACKUP_PASSPHRASE: PASSPHRASE }
  const service = await startService(scope, one, own)
  const [still, busy] = [await openSite(service, hookUrl), await openSite(service, hookUrl)]
  const [stillLedger, ledger] = [openLedger(), openLedger()]
  let visits = 0
  const sender = { name: 'a', address: '203.0.113.1', first: 0, node: () => service }
  await sendOn({ ...sender, site: still, ledger: stillLedger }, () => ++visits < 12)
  const day = new Date().toISOString().slice(0, 10)
  const window = [day, day] as const
  const before = await figuresOf(service, still.property, window)

  let isOver = false
  const names = Array.from({ length: SENDERS }, (_, index) => `b${index}`)
  const sending = names.map((name, index) =>
    sendOn({ ...sender, site: busy, ledger, name, address: `203.0.114.${index}` }, () => !isOver),
  )
  const admin = { key: '', token: ADMIN_TOKEN }
  const backedUp = async () => {
    while (ledger.acknowledged.submissions.size < SENDERS) await sleep(20)
    const acknowledged = copyOf(ledger)
    const { json, text } = await callService(service, admin, 'POST', '/manage/backup')
    assert.ok(json.data?.run, text)
    for (;;) {
      const { run: now } = (await callService(service, admin, 'GET', `/manage/backups/${json.data.run.id}`)).json.data
      assert.notEqual(now.state, 'failed', now.error)
      if (now.state === 'done') return { acknowledged, id: now.backup_id }
      await sleep(250) // an address may ask 600 times a minute
    }
  }
  const backedUpTwice = async () => {
    try {
      await backedUp()
      return await backedUp() // adds to the first
    } finally {
      isOver = true
      await Promise.all(sending)
    }
  }
  const { acknowledged, id } = await backedUpTwice()
  const { json } = await callService(service, admin, 'GET', '/manage/backups')
  assert.deepEqual([json.data.backups.length, json.data.backups[0].id], [2, id])
  await service.end('SIGKILL')

  const restored = await tell(['restore', target, '--backup', id], { ...own, DATA_DIR: other })
  assert.equal(restored.code, 0, restored.err)
  assert.deepEqual(await strangersIn(other), [])
  const held = await readHeld({ ...options, dataDir: other }, endpoint)
  const of = (prefix: string) =>
    Object.fromEntries(KINDS.map((kind) => [kind, held[kind].filter((name) => name.startsWith(prefix))])) as typeof held
  const found = findingsOf({ ...ledger, acknowledged }, of('b'))
  for (const kind of KINDS.filter((each) => each !== 'webhooks')) {
    const { lost, doubled, strange } = found[kind]
    assert.deepEqual({ lost, doubled, strange }, { lost: [], doubled: [], strange: [] }, kind)
  }
  const second = await startService(scope, other, own)
  // An hour that has begun meanwhile has nothing, instead of not being there yet.
  const plain = (figures: object): unknown => JSON.parse(JSON.stringify(figures).replaceAll('null', '0'))
  assert.deepEqual(plain(await figuresOf(second, still.property, window)), plain(before))
})
