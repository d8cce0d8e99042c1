// Two nodes on one PostgreSQL: any of them takes any step of a form, of two that are sent the same token at
// once one stores it, and what was begun goes on after a restart.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test, type TestContext } from 'node:test'
import { openRecords } from '../server/stores/records.ts'
import { flowOver, type Opened, sent } from './support/form-flow.ts'
import { startPostgres } from './support/postgres.ts'
import { createServiceProperty, startService, type Service } from './support/service.ts'

const ROUNDS = 5

// Where it cannot run, startPostgres says so.
const postgres = await startPostgres({ after })

const answers = { name: 'Ada', email: 'ada@example.com' }

async function startNode(t: TestContext, databaseUrl: string): Promise<Service> {
  const dataDir = mkdtempSync(join(tmpdir(), 'footfall-forms-nodes-'))
  const closers: (() => Promise<void>)[] = []
  const env = { DATABASE_URL: databaseUrl, SECRET: 'a-secret-of-both-nodes-0123456789abcdef', LOG_LEVEL: 'silent' }
  t.after(async () => {
    for (const close of closers) await close()
    rmSync(dataDir, { recursive: true, force: true })
  })
  return startService({ after: (close) => closers.push(close) }, dataDir, env)
}

if (postgres)
  test('two nodes: each takes what the other began; one token is stored once', async (t) => {
    const databaseUrl = await postgres.freshUrl()
    const one = await startNode(t, databaseUrl)
    const two = await startNode(t, databaseUrl)
    const { id } = await createServiceProperty(one)
    const [flow, other] = [flowOver(one), flowOver(two)]
    const form = await flow.create(id)
    const records = await openRecords({ databaseUrl, dataDir: '' })
    t.after(() => records.destroy())
    const count = async () => (await records.selectFrom('submissions').select('id').execute()).length

    for (let round = 1; round <= ROUNDS; round++) {
      const opened = await flow.open(form)
      assert.equal((await other.validate(opened.token, { data: { ...answers, email: 'no' } })).json.validated, false)
      assert.equal((await other.send(opened, answers, { address: '203.0.113.99' })).status, 419)
      const replies = await Promise.all([flow, other, flow, other].map((on) => on.send(opened, answers)))
      assert.deepEqual(
        replies.map(({ status }) => status).toSorted((a, b) => a - b),
        [200, 419, 419, 419],
      )
      assert.equal(await count(), round)
      assert.equal((await other.send(opened, answers)).status, 419)
    }

    const kept: Opened = await other.open(form)
    await one.end('SIGKILL')
    await two.end('SIGTERM')
    const again = flowOver(await startNode(t, databaseUrl))
    assert.equal((await again.process(kept.token, sent(kept, answers))).json.validated, true)
    assert.equal(await count(), ROUNDS + 1)
  })
