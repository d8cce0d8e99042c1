// `footfall migrate`: migrates both stores without serving. The server does the same at every start.
import { randomBytes } from 'node:crypto'
import { pino } from 'pino'
import { factsSettings, readConfig } from '../server/config.ts'
import { findIpNotice, type IpNotice } from '../server/submissions/ip-records.ts'
import { noticeWords } from '../server/submissions/ip-retention.ts'
import { openKeys } from '../server/kernel/keys.ts'
import { refuseOtherSecret } from '../server/same-secret.ts'
import { openSecret } from '../server/secret.ts'
import { openFacts } from '../server/stores/facts.ts'
import { migrateStores } from '../server/stores/migrate.ts'
import { openRecords } from '../server/stores/records.ts'
import { answer, readOptions, write } from './command.ts'

const usage = `footfall migrate [--json]

Migrates the records and the facts to this version. Safe to run on several nodes at once. With embedded facts, stop the server
on the same DATA_DIR first.`

const quiet = pino({ level: 'silent' })

interface Migrated {
  readonly run: readonly string[]
  readonly notice: IpNotice | undefined
}

async function migrateBoth(): Promise<Migrated> {
  const config = readConfig()
  // A DATA_DIR with stores alone is one that has lost it.
  const keys = openKeys(openSecret(config, randomBytes))
  // The facts first: when a server has them open, nothing has been changed yet.
  const facts = await openFacts({ ...factsSettings(config), log: quiet })
  try {
    const records = await openRecords(config)
    try {
      await refuseOtherSecret(config, records, keys)
      const run = await migrateStores(records, facts, quiet)
      return { run, notice: await findIpNotice(records) }
    } finally {
      await records.destroy()
    }
  } finally {
    await facts.close()
  }
}

export async function migrate(args: string[]): Promise<number> {
  const { values } = readOptions(args, {})
  if (values.help) {
    write(usage)
    return 0
  }
  const { run, notice } = await migrateBoth()
  const lines = run.length === 0 ? [] : ['Migrations of the records:', ...run.map((name) => `  ${name}`)]
  const noticeLines = notice ? ['', noticeWords(notice)] : []
  answer(values.json, { records: run, ...(notice && { stored_ips: notice }) }, [
    ...lines,
    'Both stores are up to date.',
    ...noticeLines,
  ])
  return 0
}
