// Opens the facts for a command that reads them. Embedded ones belong to one process: while a server runs,
// the command says what to do instead.
import { pino } from 'pino'
import { factsSettings, type Config } from '../server/config.ts'
import { type Facts, openFacts } from '../server/stores/facts.ts'
import { migrateFacts } from '../server/stores/migrations/facts.ts'

async function open(config: Config, advice: string): Promise<Facts> {
  try {
    return await openFacts({ ...factsSettings(config), isPatient: false, log: pino({ level: 'silent' }) })
  } catch (error) {
    if (!(error instanceof Error && error.message.includes('another process'))) throw error
    throw new Error(`${error.message} ${advice}`, { cause: error })
  }
}

/** @param advice a sentence for a person whose server is running. */
export async function withFacts<T>(config: Config, advice: string, work: (facts: Facts) => Promise<T>): Promise<T> {
  const facts = await open(config, advice)
  try {
    await migrateFacts(facts)
    return await work(facts)
  } finally {
    await facts.close()
  }
}
