// A large import stands in nobody's way: everybody else comes to their turn between its rows.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Readable } from 'node:stream'
import { openHomes } from '../../test/support/records.ts'
import { openContacts } from '../../test/support/contact-nodes.ts'
import { checkContacts, type ImportRow, writeContacts } from './import.ts'
import { openSpool } from './import-spool.ts'

const { homes } = await openHomes()
const ROWS = 2_000
/** A slice of five milliseconds is some dozens of rows on any machine of today. */
const MOST_IN_A_TURN = 500

/** Counts what happens between two turns of everybody else. */
function openTurnCounter() {
  let since = 0
  let most = 0
  let isOn = true
  const turn = (): void => {
    since = 0
    if (isOn) setImmediate(turn)
  }
  turn()
  return {
    note: () => (most = Math.max(most, ++since)),
    end: () => {
      isOn = false
      return most
    },
  }
}

test('of thousands of rows only a few are written between two turns of everybody else', async (t) => {
  const world = await openContacts(t, homes[0]!)
  const line = (n: number) => `i-${n},i${n}@example.com,Ada ${n}`
  const csv = ['external_id,email,first_name', ...Array.from({ length: ROWS }, (_, n) => line(n))].join('\n')
  const spool = await openSpool<ImportRow>()
  t.after(() => spool.close())
  const checked = await checkContacts(Readable.from([Buffer.from(csv)]), spool)
  assert.deepEqual([checked.rows, checked.bad_rows], [ROWS, 0])
  const counter = openTurnCounter()
  const randomBytes = (bytes: number): Buffer => {
    counter.note()
    return world.node.randomBytes(bytes)
  }
  const deps = { ...world.node, randomBytes }
  const { created } = await writeContacts(deps, world.propertyId, { spool, isTrial: false })
  assert.equal(created, ROWS)
  const most = counter.end()
  assert.ok(most < MOST_IN_A_TURN, `${most} rows in one turn`)
})
