// Forms that are sent in one moment: each is stored once and for itself, and together they are little work.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { flowOf, type Form, type FormFlow } from '../../test/support/form-flow.ts'
import { type Footfall, startFootfall } from '../../test/support/server.ts'
import { eventually } from '../../test/support/site.ts'
import { Thread } from '../stores/threads/thread.ts'

const closers: (() => Promise<void>)[] = []
let footfall: Footfall
let flow: FormFlow
let form: Form

before(async () => {
  footfall = await startFootfall({ after: (close) => closers.push(close) }, { now: Date.UTC(2026, 10, 18, 12) })
  flow = flowOf(footfall)
  form = await flow.create(footfall.property.id)
})

after(async () => {
  for (const close of closers) await close()
})

const AT_ONCE = 40
const from = (number: number) => ({ address: `203.0.113.${number}` })
const answers = (number: number) => ({ name: `Ada ${number}`, email: `ada${number}@example.com` })
const numbers = Array.from({ length: AT_ONCE }, (_, number) => number)
const openAll = () => Promise.all(numbers.map((number) => flow.open(form, undefined, from(number))))

async function stored() {
  const { records } = footfall.context
  return records.selectFrom('submissions').select(['fields', 'is_noted']).orderBy('seq').execute()
}

test('each is stored once, whatever is sent a second time beside it, and noted in the facts', async () => {
  const opened = await openAll()
  footfall.clock.advance(30_000)
  const send = () => numbers.map((number) => flow.send(opened[number]!, answers(number), from(number)))
  const replies = await Promise.all([...send(), ...send()])
  const taken = numbers.map((number) => [replies[number]!, replies[number + AT_ONCE]!].map(({ status }) => status))
  for (const statuses of taken) assert.equal(statuses.filter((status) => status === 200).length, 1)
  assert.ok(replies.filter(({ status }) => status !== 200).every(({ json }) => json.validated !== true))
  const rows = await eventually(stored, (all) => all.every(({ is_noted }) => is_noted === 1))
  const names = rows.map(({ fields }) => (JSON.parse(fields) as { value: string }[])[0]!.value)
  assert.deepEqual(names.toSorted(), numbers.map((number) => `Ada ${number}`).toSorted())
  assert.ok(rows.every(({ is_noted }) => is_noted === 1))
})

test('they share commits', async (t) => {
  const opened = await openAll()
  footfall.clock.advance(30_000)
  const asked = t.mock.method(Thread.prototype, 'ask')
  const replies = await Promise.all(numbers.map((number) => flow.send(opened[number]!, answers(number), from(number))))
  assert.ok(replies.every(({ json }) => json.validated === true))
  const names = asked.mock.calls.map(({ arguments: [name] }) => name)
  assert.equal(names.filter((name) => name === 'runInTransaction').length, 0)
  // Its submission, and that it is noted: two each when alone.
  const commits = names.filter((name) => name === 'runParts').length
  assert.ok(commits <= AT_ONCE, `${commits} commits of ${AT_ONCE} submissions`)
})
