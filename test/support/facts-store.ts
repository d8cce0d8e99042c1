// Facts in a database of the engine that all tests of a file share, for tests that need no service.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { factsSettings, readConfig } from '../../server/config.ts'
import { type Facts, openFacts } from '../../server/stores/facts.ts'
import { openDatabase } from './engine.ts'
import { testEnvironment } from './server.ts'

export interface TestFacts {
  readonly facts: Facts
  readonly close: () => Promise<void>
}

export async function openTestFacts(): Promise<TestFacts> {
  const dataDir = mkdtempSync(join(tmpdir(), 'footfall-store-'))
  const config = readConfig({ ...testEnvironment, DATA_DIR: dataDir })
  const database = await openDatabase(config)
  const own = { engineUrl: database.url, lingerMs: 5, log: pino({ level: 'silent' }) }
  const facts = await openFacts({ ...factsSettings(config), ...own })
  return {
    facts,
    close: async () => {
      await facts.close()
      await database.remove()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}
