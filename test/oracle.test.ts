// The service against an oracle written from docs/definitions.md alone: random traffic goes in through the
// front door, and every figure of metrics, graph, live and sessions must come out as the oracle counts it
// from the raw list of hits. ORACLE_SEED runs one traffic again.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listSummedGoals } from '../server/conversions/conversions.ts'
import { openClient } from './oracle/client.ts'
import { makeForms } from './oracle/forms.ts'
import { writeMap } from './oracle/places.ts'
import { seeded } from './oracle/random.ts'
import { misjudged, run } from './oracle/run.ts'
import { HOST } from './oracle/traffic.ts'
import { rounds } from './support/long.ts'
import { startFootfall } from './support/server.ts'

const anySeed = (): number => Math.floor(Math.random() * 1e9)
const given = process.env['ORACLE_SEED']
const seeds = given === undefined ? Array.from({ length: rounds(1, 20) }, anySeed) : [Number(given)]

/** Long enough to store together what is sent side by side; one moment of the traffic waits for the other. */
const LINGER_MS = 40

for (const seed of seeds)
  test(`random traffic is counted as the definitions say (ORACLE_SEED=${seed})`, async (t) => {
    const footfall = await startFootfall(t, {
      now: Date.UTC(2024, 0, 1),
      env: { GEO_DIR: writeMap(t) },
      lingerMs: LINGER_MS,
      // One traffic in four is always folded.
      keepsRunningDays: seed % 4 !== 0,
    })
    const domains = JSON.stringify([HOST])
    // Probes of exchange rates are larger than what browsers may usually report.
    const [access, probes] = [
      await footfall.addProperty({ domains }),
      await footfall.addProperty({ domains, browser_max_usd: 10_000_000_000 }),
    ]
    const client = openClient(footfall.url)
    const owner = { propertyId: access.id, admin: footfall.admin }
    const forms = await makeForms(client.send, owner)
    const { context } = footfall
    const settle = async (now: number) => context.facts.settle(now, false, await listSummedGoals(context))
    const stage = { send: client.send, access, probes, forms, owner, setNow: footfall.clock.set, settle }
    const result = await run(stage, seeded(seed)).finally(client.close)
    t.diagnostic(`${result.hits.length} hits, ${result.fold.sessions.length} sessions, ${result.asked} questions`)

    await t.test('every hit is taken or refused, and every page view is in its session', () => {
      assert.deepEqual(misjudged(result).slice(0, 3), [])
    })
    await t.test('every figure of metrics, graph, live and sessions agrees with the oracle', () => {
      assert.equal(
        result.failures.length,
        0,
        `${result.failures.length} of ${result.asked} differ (ORACLE_SEED=${seed}):\n${result.failures.slice(0, 4).join('\n')}`,
      )
    })
  })
