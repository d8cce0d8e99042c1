// What a visitor may count on whose requests go to one of two processes and then to the other: nodes, or
// workers of one machine.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Footfall } from './server.ts'
import { untilEqual } from './until.ts'

interface Pair {
  readonly one: Footfall
  readonly two: Footfall
  /** Of a property. */
  readonly key: string
}

/**
 * @param pair undefined where this machine cannot have it.
 * @param setClocks of both, to so many minutes after midnight.
 */
export function visitorContract(where: string, pair: () => Pair | undefined, setClocks: (minutes: number) => void) {
  test(`${where}: money recorded on one is in the answer of the other`, async () => {
    const found = pair()
    if (!found) return
    const { one, two, key } = found
    setClocks(-100)
    const { session_id } = (await one.track.load({ key, address: '203.0.113.30' })).json
    await one.track.acquisition(session_id, { value: 500, currency_code: 'EUR', tags: ['a'] }, { key })
    setClocks(-99)
    const { json } = await two.track.acquisition(session_id, { value: 250, tags: ['b'] }, { key })
    assert.deepEqual(json.acquisition_meta, { tags: ['a', 'b'] })
    assert.deepEqual([json.value.amount, json.value.currency], [750, 'EUR'])
  })

  test(`${where}: over midnight a visitor who changes keeps the session, also when the other has to hear of it`, async () => {
    const found = pair()
    if (!found) return
    const { one, two, key } = found
    const visitor = { key, address: '203.0.113.40' }
    setClocks(-10)
    const { session_id, view_id } = (await one.track.load(visitor)).json
    setClocks(5)
    assert.equal((await two.track.load(visitor)).json.session_id, session_id)
    setClocks(20)
    assert.equal((await one.track.ping(view_id, { ...visitor, tos: 5 })).json.success, true)
    setClocks(45)
    // The second one last heard of the session at five past; any request lets it ask the facts again.
    await two.track.resolve(visitor)
    await untilEqual(async () => (await two.track.resolve(visitor)).json.session_id, session_id)
    assert.equal((await two.track.load(visitor)).json.session_id, session_id)
  })
}
