import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FactsEngine } from '../facts/engine.ts'
import { goalKey, type SummedGoal } from '../goal-sums.ts'
import { GoalSums } from './goal-sums.ts'
import type { Ledger } from './ledger.ts'

const [DAY, OTHER] = ['2026-03-02', '2026-03-03'] as const
const COPY = '5'
const layout = { cluster: null, database: null, fsync: true }

const goal: SummedGoal = {
  propertyId: 'pr_1',
  table: 'views',
  day: 'day',
  sql: 'path = {value:String}',
  params: { value: "/o'neil\\{value:String}" },
}

/** A store whose copy lacks two days of the goal. @param whileSummed called with the marks of the days. */
function openWorld(whileSummed: (marks: Record<string, string>) => void) {
  const marks: Record<string, string> = { [DAY]: '1', [OTHER]: '1' }
  const commands: string[] = []
  const ledger = {
    listDays: async () => [DAY, OTHER].map((day) => ({ day, mark: marks[day], copied: '1', copy: COPY })),
    catchUp: async () => void commands.push('catch up'),
  }
  const rows = [{ of_copy: COPY, of_property: 'pr_1', key: goalKey(goal), days: [DAY, OTHER].map((day) => [day, 7]) }]
  const engine = {
    read: async () => rows,
    command: async (sql: string) => {
      commands.push(sql)
      if (sql.includes('FROM views')) whileSummed(marks)
    },
  }
  const sums = new GoalSums(engine as unknown as FactsEngine, layout, ledger as unknown as Ledger)
  const completed = () => commands.filter((sql) => sql.includes('AS complete')).join()
  return { sums, commands, marks, completed }
}

test('a day that changes while a goal is added up is not complete, the others are', async () => {
  const { sums, completed } = openWorld((marks) => (marks[OTHER] = '2'))
  await sums.add([goal], () => false)
  assert.ok(completed().includes(DAY))
  assert.ok(!completed().includes(OTHER))
})

test('a day whose copy does not hold is left alone, and so is everything without a goal', async () => {
  const { sums, commands, marks } = openWorld(() => undefined)
  await sums.add([], () => false)
  marks[DAY] = marks[OTHER] = '2'
  await sums.add([goal], () => false)
  assert.deepEqual(commands, [])
  marks[OTHER] = '1'
  await sums.add([goal], () => false)
  const [waited, summed = ''] = commands
  assert.equal(waited, 'catch up', 'of replicas each has its rows')
  assert.ok(summed.includes(OTHER) && !summed.includes(DAY), summed)
})

test('a value stands in the statement as it is', async () => {
  const { sums, commands } = openWorld(() => undefined)
  await sums.add([goal], () => false)
  assert.ok(commands[1]?.includes(String.raw`path = '/o\'neil\\{value:String}'`), commands[1])
})

test('a store that is closed ends it between two statements', async () => {
  const { sums, commands, completed } = openWorld(() => undefined)
  let isClosed = false
  const add = sums.add([goal, { ...goal, propertyId: 'pr_2' }], () => isClosed)
  isClosed = true
  await add
  assert.deepEqual([commands, completed()], [[], ''])
})
