// What the demo's visitors do with its forms: the same whenever it is made, believable, and stored once with
// what its owner said of it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listContacts } from '../contacts/contacts.ts'
import { eraseContact } from '../contacts/erase.ts'
import { DAY_MS } from '../kernel/days.ts'
import { startFootfall } from '../../test/support/server.ts'
import { spreadOverDays } from './calendar.ts'
import { findOrCreateDemoProperty, writeDemo } from './demo.ts'
import { formVisitsOf, type DemoFormVisit } from './formvisits.ts'
import { identificationOf, peopleOf } from './people.ts'
import { visitsOf, type DemoVisit } from './traffic.ts'

const NOW = Date.parse('2026-09-16T14:30:00Z')
const YEAR = { sessions: 20_000, days: 365, seed: 5 }
const people = peopleOf(YEAR)

interface Done {
  readonly visit: DemoVisit
  readonly done: DemoFormVisit
}

function everything(): Done[] {
  return spreadOverDays({ ...YEAR, nowMs: NOW }).flatMap((day) =>
    [...visitsOf(day, YEAR.seed, NOW)].flatMap((visit) => {
      const person = identificationOf(people, visit)
      const found = formVisitsOf(visit, person, NOW)
      assert.deepEqual(formVisitsOf(visit, person, NOW), found, 'the same visit, the same steps')
      return found.map((done) => ({ visit, done }))
    }),
  )
}

test('steps follow each other within the day, submissions have every verdict with its reasons, and only programs are dropped', () => {
  const all = everything()
  const sent = all.flatMap(({ visit, done }) => (done.sent ? [{ visit, ...done, sent: done.sent }] : []))
  for (const { visit, done } of all) {
    const steps = [done.viewMs, done.openMs, done.sent?.atMs].filter((atMs) => atMs !== undefined)
    assert.deepEqual(
      steps,
      steps.toSorted((a, b) => a - b),
    )
    assert.ok(steps[0]! >= visit.day * DAY_MS && steps.at(-1)! < Math.min(NOW, (visit.day + 1) * DAY_MS))
    assert.ok(!done.sent || done.openMs !== undefined)
  }
  assert.equal(new Set(sent.map(({ sent: { id } }) => id)).size, sent.length)
  const count = (verdict: string) => sent.filter((one) => one.sent.verdict === verdict).length
  assert.ok(count('clean') > 200 && count('flagged') > 3 && count('dropped') > 10, `${count('flagged')} flagged`)
  for (const { visit, sent: one } of sent) {
    assert.equal(one.verdict === 'dropped', visit.isRobot)
    if (one.verdict !== 'clean') assert.ok(one.reasons.length >= 2)
  }
  assert.ok(sent.some(({ sent: { mark } }) => mark === 'not_spam'))
  const rate = (form: string) =>
    sent.filter((one) => one.form === form).length / all.filter(({ done }) => done.form === form).length
  assert.ok(rate('letter') < rate('question') && rate('question') < 0.5)
})

test('what was sent is in the list and in the facts, and a second run changes neither it nor what its owner said; nobody comes back', async (t) => {
  const footfall = await startFootfall(t, { now: NOW })
  const { context } = footfall
  const property = await findOrCreateDemoProperty(context)
  const options = { sessions: 4_000, days: 60, seed: 3 }
  const totals = await writeDemo(context, property, options, () => undefined)
  const stored = () =>
    context.records
      .selectFrom('submissions')
      .select(['id', 'verdict', 'mark', 'is_noted', 'form_id'])
      .orderBy('id')
      .execute()
  const steps = () =>
    context.facts.query<{ kind: string; count: string }>(
      'demo steps',
      `SELECT toString(kind) AS kind, toString(count()) AS count FROM form_events FINAL
       WHERE property = {property:String} GROUP BY kind ORDER BY kind`,
      { property: property.id },
    )
  const first = await stored()
  assert.ok(first.length > 10)
  assert.equal(first.length, totals.submissions)
  assert.deepEqual(new Set(first.map(({ is_noted }) => is_noted)), new Set([1]))
  assert.equal(new Set(first.map(({ form_id }) => form_id)).size, 2)
  const counts = new Map((await steps()).map(({ kind, count }) => [kind, Number(count)]))
  assert.equal((counts.get('submit') ?? 0) + (counts.get('drop') ?? 0), first.length)
  assert.ok(counts.get('view')! > counts.get('open')! && counts.get('open')! >= first.length)

  await context.records.updateTable('submissions').set({ mark: 'spam' }).where('id', '=', first[0]!.id).execute()
  // Somebody who signed up and is known: what they sent goes with them, and stays away.
  const { rows: contacts } = await listContacts(context, property.id, {}, { page: 1, perPage: 500 })
  let erased = 0
  for (const { id } of contacts) if (erased === 0) erased = (await eraseContact(context, property.id, id)).submissions
  assert.ok(erased > 0)
  const marked = await stored()
  assert.equal(marked.length, first.length - erased)
  const before = await steps()
  assert.deepEqual(await writeDemo(context, property, options, () => undefined), totals)
  assert.deepEqual(await stored(), marked)
  assert.deepEqual(await steps(), before)
})
