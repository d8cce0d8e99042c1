// When a report is due, and what it says of how numbers changed.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { rounds } from '../../test/support/long.ts'
import { weekStarts } from '../kernel/calendar.ts'
import { wallOf } from '../kernel/zones.ts'
import { reportKinds } from './report-model.ts'
import { dueAt } from './sending.ts'
import { sentenceOf } from './sentence.ts'
import { changed, shown } from './words.ts'

const HOUR_MS = 3_600_000
const zones = ['UTC', 'Europe/Berlin', 'America/Sao_Paulo', 'Asia/Kathmandu', 'Pacific/Apia', 'Africa/Cairo']

test('a report is due at seven by the clock of the property, on the first day of a week or month', () => {
  const moment = fc.date({ min: new Date('2015-01-01'), max: new Date('2035-01-01'), noInvalidDate: true })
  fc.assert(
    fc.property(
      moment,
      fc.constantFrom(...zones),
      fc.constantFrom(...weekStarts),
      fc.constantFrom(...reportKinds),
      (date, timezone, week_start, kind) => {
        const wall = new Date(wallOf(timezone, dueAt({ timezone, week_start }, kind, date.getTime())))
        assert.equal(wall.getUTCHours(), 7)
        if (kind === 'monthly') assert.equal(wall.getUTCDate(), 1)
        else assert.equal(wall.getUTCDay(), { monday: 1, sunday: 0, saturday: 6 }[week_start])
      },
    ),
    { numRuns: rounds(300, 10_000) },
  )
  const berlin = { timezone: 'Europe/Berlin', week_start: 'monday' } as const
  assert.equal(dueAt(berlin, 'weekly', Date.UTC(2026, 10, 25)), Date.UTC(2026, 10, 23, 6))
  assert.equal(dueAt(berlin, 'monthly', Date.UTC(2026, 6, 25)), Date.UTC(2026, 6, 1, 5))
  // Their clocks skipped that midnight.
  const saoPaulo = { timezone: 'America/Sao_Paulo', week_start: 'sunday' } as const
  assert.equal(dueAt(saoPaulo, 'weekly', Date.UTC(2015, 9, 18, 3)), Date.UTC(2015, 9, 18, 9))
  assert.equal((dueAt(berlin, 'weekly', Date.UTC(2026, 2, 31)) - Date.UTC(2026, 2, 30)) / HOUR_MS, 5)
})

test('the sentence says what changed, and from where', () => {
  const side = (sessions: number, sources: Record<string, number> = {}) => ({
    sessions,
    sources: new Map(Object.entries(sources)),
  })
  const said = (now: ReturnType<typeof side>, before: ReturnType<typeof side>) =>
    sentenceOf(now, before, 'the week before')
  assert.equal(
    said(side(1_230, { Google: 700, Direct: 400 }), side(1_000, { Google: 520, Direct: 410 })),
    'Sessions rose by 23% to 1,230; Google brought the most, 180 more than the week before.',
  )
  assert.equal(
    said(side(500, { Google: 300 }), side(1_000, { Google: 500, News: 400 })),
    'Sessions fell by 50% to 500; News lost the most, 400 fewer than the week before.',
  )
  assert.equal(said(side(109), side(100)), 'Sessions stayed about the same: 109, after 100 the week before.')
  assert.equal(said(side(30), side(11)), 'Sessions stayed about the same: 30, after 11 the week before.')
  assert.equal(said(side(31), side(11)), 'Sessions rose by 182% to 31.')
  assert.equal(said(side(5), side(0)), 'There were 5 sessions; the week before had none.')
  assert.equal(said(side(0), side(0)), 'There were no sessions.')
  assert.equal(said(side(0), side(5)), 'There were no sessions; the week before had 5.')
})

test('numbers and their changes are written as people read them', () => {
  assert.deepEqual(
    [
      shown(1_234, 'count', 'USD'),
      shown(0.4567, 'fraction', 'USD'),
      shown(125, 'seconds', 'USD'),
      shown(123_450, 'cents', 'EUR'),
    ],
    ['1,234', '46%', '2:05', '€1,234.50'],
  )
  assert.deepEqual(
    [
      changed(150, 100, 'count'),
      changed(50, 100, 'count'),
      changed(5, 0, 'count'),
      changed(0.5, 0.45, 'fraction'),
      changed(1, null, 'count'),
    ],
    ['+50%', '−50%', 'new', '+5 points', ''],
  )
})
