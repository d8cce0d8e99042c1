// `footfall export`: a property's data as files, created by the same code as those of the dashboard. The
// embedded facts belong to one process: a running server creates exports itself, and the command says so.
import { copyFile, rename, rm, stat } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { readConfig } from '../server/config.ts'
import { openContext, type OpenContext } from '../server/context.ts'
import { factTables, kinds, readPlan } from '../server/exports/export.ts'
import type { ExportAskJson } from '../server/exports/schema.ts'
import type { Export } from '../server/exports/exports.ts'
import { answer, readOptions, UsageError, write } from './command.ts'
import { openMeter } from './meter.ts'
import { propertyFor } from './which-property.ts'

const usage = `footfall export KIND [--property ID] [--table TABLE] [--form ID] [--from YYYY-MM-DD --to YYYY-MM-DD] [--file FILE] [--json]

KIND is one of: ${kinds.join(', ')}.
Lists are written as CSV. facts writes one --table as Parquet: ${factTables.join(', ')}.
records writes everything except the facts as JSON, without secrets. submissions requires --form.
--from and --to are UTC days, both included, for sessions, events, clicks and facts; default: everything. Without --file, a
file with a descriptive name is created in the current folder. --property is optional when there is only one.

With embedded facts, stop the server on this DATA_DIR first, or let the running server create the same files:
POST /manage/properties/ID/exports (docs/api/exports.md).`

const options = {
  property: { type: 'string' },
  table: { type: 'string' },
  form: { type: 'string' },
  from: { type: 'string' },
  to: { type: 'string' },
  file: { type: 'string' },
} as const

type Values = ReturnType<typeof readOptions<typeof options>>['values']

const WATCH_MS = 100
const HUNDRED = 100

function oneOf<Name extends string>(names: readonly Name[], given: string | undefined, what: string): Name {
  const name = names.find((known) => known === given)
  if (name === undefined) throw new UsageError(`${what} must be one of: ${names.join(', ')}`)
  return name
}

function readAsk(kind: string | undefined, { table, form, from, to }: Values): ExportAskJson {
  return {
    kind: oneOf(kinds, kind, 'KIND'),
    table: table === undefined ? null : oneOf(factTables, table, '--table'),
    form: form ?? null,
    window:
      from === undefined && to === undefined
        ? null
        : { period: 'custom', date_from: from ?? null, date_to: to ?? null },
  }
}

async function untilDone(one: Export, isDrawn: boolean): Promise<void> {
  const meter = openMeter('%', HUNDRED, isDrawn)
  while (one.state === 'running') {
    meter.show(Math.floor(one.progress * HUNDRED))
    await sleep(WATCH_MS)
  }
  meter.stop()
  if (one.fault) throw new Error(one.fault.message)
}

/** Between two disks it has to be copied. */
async function move(from: string, to: string): Promise<void> {
  try {
    await rename(from, to)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EXDEV')) throw error
    await copyFile(from, to)
    await rm(from)
  }
}

async function exportOne(context: OpenContext, ask: ExportAskJson, values: Values): Promise<number> {
  const property = await propertyFor(context, values.property)
  const plan = readPlan(ask, context.now(), property)
  const one = await context.exports.create(property, plan)
  await untilDone(one, process.stderr.isTTY && !values.json)
  const file = values.file ?? one.file_name
  await move(one.path, file)
  const { size } = await stat(file)
  answer(values.json, { file, bytes: size, kind: plan.kind, table: plan.table }, [
    `Wrote ${size.toLocaleString('en')} bytes to ${file}.`,
  ])
  return 0
}

async function open(): Promise<OpenContext> {
  try {
    return await openContext({ ...readConfig(), logLevel: 'silent' })
  } catch (error) {
    if (!(error instanceof Error && error.message.includes('another process'))) throw error
    const advice = 'Export from the running server with POST /manage/properties/ID/exports, or stop it first.'
    throw new Error(`${error.message} ${advice}`, { cause: error })
  }
}

export async function exportFiles(args: string[]): Promise<number> {
  const { values, positionals } = readOptions(args, options)
  if (values.help) {
    write(usage)
    return 0
  }
  const [kind, ...more] = positionals
  if (more.length > 0) throw new UsageError('export takes one KIND')
  const ask = readAsk(kind, values)
  const context = await open()
  try {
    return await exportOne(context, ask, values)
  } finally {
    await context.close()
  }
}
