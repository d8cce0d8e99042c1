// The whole service, killed while forms are sent: what it said is stored is there afterwards, once; what it
// did not is there once or not at all; and each of them is in the facts exactly once.
import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { noteSubmissions } from '../server/form-flow/note.ts'
import { openRecords } from '../server/stores/records.ts'
import { rounds } from './support/long.ts'
import { type Form, type FormFlow, flowOver, sent } from './support/form-flow.ts'
import { createServiceProperty, startService } from './support/service.ts'
import { openLeftFacts } from './support/stores.ts'

const ROUNDS = rounds(1, 20)
/** Visitors who send one form after the other. */
const VISITORS = 8
/** Answered in a round before the blow falls, at a random moment of the next MORE_MS. */
const ENOUGH = VISITORS
const MORE_MS = 200

const dataDir = mkdtempSync(join(tmpdir(), 'footfall-forms-crash-'))
const closers: (() => Promise<void>)[] = []

after(async () => {
  for (const close of closers) await close()
  rmSync(dataDir, { recursive: true, force: true })
})

const start = () => startService({ after: (close) => closers.push(close) }, dataDir, { LOG_LEVEL: 'silent' })

interface Sent {
  readonly all: Set<string>
  readonly acknowledged: Set<string>
}

/** One submission after the other, each with a name of its own, until the service is gone. */
async function sendOn(flow: FormFlow, form: Form, visitor: string, address: string, into: Sent): Promise<void> {
  for (let n = 0; ; n++) {
    const name = `${visitor}n${n}`
    try {
      const opened = await flow.open(form, undefined, { address })
      into.all.add(name)
      // Twice at once, as an impatient visitor does it.
      const body = sent(opened, { name, email: `${name}@example.com` })
      const replies = await Promise.all([0, 1].map(() => flow.process(opened.token, body, { address })))
      assert.deepEqual(
        replies.map(({ status }) => status).toSorted((a, b) => a - b),
        [200, 419],
      )
      into.acknowledged.add(name)
    } catch (error) {
      if (error instanceof assert.AssertionError) throw error
      return // it is gone, in the middle of this request
    }
  }
}

interface Stored {
  readonly id: string
  readonly fact_id: string
  readonly name: string
}

async function readSubmissions(records: Awaited<ReturnType<typeof openRecords>>): Promise<Stored[]> {
  const rows = await records.selectFrom('submissions').select(['id', 'fact_id', 'fields']).execute()
  return rows.map(({ fields, ...row }) => ({ ...row, name: JSON.parse(fields)[0].value }))
}

test(`what was sent survives kill -9, ${ROUNDS} times, and nothing is there twice: not in the records and not in the facts`, async () => {
  const into: Sent = { all: new Set(), acknowledged: new Set() }
  let service = await start()
  const { id } = await createServiceProperty(service)
  const form = await flowOver(service).create(id)
  for (let round = 0; round < ROUNDS; round++) {
    const flow = flowOver(service)
    const visitors = Array.from({ length: VISITORS }, (_, i) =>
      sendOn(flow, form, `r${round}v${i}`, `203.0.113.${i}`, into),
    )
    const before = into.acknowledged.size
    while (into.acknowledged.size < before + ENOUGH) await sleep(5)
    await sleep(randomInt(MORE_MS))
    await service.end('SIGKILL')
    await Promise.all(visitors)
    if (round < ROUNDS - 1) service = await start()
  }

  const records = await openRecords({ databaseUrl: null, dataDir })
  const facts = await openLeftFacts(dataDir)
  closers.push(
    () => facts.close(),
    () => records.destroy(),
  )
  const stored = await readSubmissions(records)
  const names = stored.map(({ name }) => name)
  assert.deepEqual(
    [...into.acknowledged].filter((name) => !names.includes(name)),
    [],
    'acknowledged and lost',
  )
  assert.equal(new Set(names).size, names.length, 'a submission is there twice')
  assert.deepEqual(
    names.filter((name) => !into.all.has(name)),
    [],
    'stored and never sent',
  )
  const consumed = await records
    .selectFrom('form_sessions')
    .select('fact_id')
    .where('consumed_ms', 'is not', null)
    .execute()
  const factIds = (rows: readonly { readonly fact_id: string }[]) => rows.map(({ fact_id }) => fact_id).toSorted()
  assert.deepEqual(factIds(consumed), factIds(stored), 'a token is used up if and only if its submission is there')

  await noteSubmissions({ records, facts })
  assert.equal(await noteSubmissions({ records, facts }), 0)
  const events = await facts.query<{ submission: string }>(
    'crash',
    "SELECT submission FROM form_events FINAL WHERE kind IN ('submit', 'drop') ORDER BY submission",
  )
  assert.deepEqual(
    events.map(({ submission }) => submission),
    stored.map((row) => row.id).toSorted(),
  )
})
