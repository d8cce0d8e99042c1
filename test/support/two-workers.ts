// Two workers of one service in this process, on one folder and one clock: what they say to each other goes
// the way it goes between processes.
import { closeSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readConfig } from '../../server/config.ts'
import { countInProcess } from '../../server/http/limits.ts'
import { Desk } from '../../server/workers/desk.ts'
import { HeldTurns, type TurnWanted } from '../../server/workers/held-turns.ts'
import { type Counted, teamOver } from '../../server/workers/join.ts'
import { Places } from '../../server/workers/places.ts'
import { openWaiting } from '../../server/workers/waiting.ts'
import { type Message, PRIMARY } from '../../server/workers/wire.ts'
import type { Team } from '../../server/workers/workers.ts'
import { openDatabase } from './engine.ts'
import { type Ending, type Footfall, startFootfall, testEnvironment } from './server.ts'
import { fillDataDir } from './stores.ts'

const COUNT = 2

/** As between processes: copied, and later. */
const passing = (take: (message: Message) => void) => (messages: readonly Message[]) => {
  for (const message of structuredClone(messages)) setImmediate(take, message)
}

/** What the primary holds. @returns what starts the worker of a place. */
function openPrimary(engineUrl: string, waitingFile: number): (slot: number) => Team {
  const turns = new HeldTurns(0)
  const count = countInProcess()
  const places = new Places(COUNT, (message) => primary.take(message))
  const primary: Desk = new Desk((message) => places.route(PRIMARY, message))
  primary.answer('count', (_from, { key, nowMs, windowMs, step }: Counted) => count(key, nowMs, windowMs, step))
  primary.answer('turn', (from, wanted: TurnWanted) => turns.take(from, wanted))
  primary.answer('turnEnd', (from, id: number) => turns.end(from, id))
  return (slot) => {
    const desk = new Desk((message) => passing((sent) => places.route(slot, sent))([message]))
    places.fill(
      slot,
      passing((message) => desk.take(message)),
    )
    return teamOver(
      desk,
      { slot, count: COUNT, isFirst: slot === 1, mends: slot === 1, command: 'footfall', engineUrl },
      waitingFile,
    )
  }
}

/** Each keeps the rows of running days. @param now of the clock of each of them. */
export async function startTwoWorkers(t: Ending, now: number): Promise<readonly [Footfall, Footfall]> {
  const dataDir = mkdtempSync(join(tmpdir(), 'footfall-test-'))
  const config = readConfig({ ...testEnvironment, DATA_DIR: dataDir })
  await fillDataDir(config, false)
  const database = await openDatabase(config)
  const waitingFile = openWaiting(dataDir, COUNT)
  const startIn = openPrimary(database.url, waitingFile)
  const start = (slot: number) => startFootfall(t, { dataDir, now, team: startIn(slot) })
  const one = await start(1)
  const two = await start(2)
  // Hooks run in their order: after both are closed.
  t.after(async () => {
    await database.remove()
    closeSync(waitingFile)
    rmSync(dataDir, { recursive: true, force: true })
  })
  return [one, two]
}
