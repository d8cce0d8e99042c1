// `footfall contacts import|export`: contacts as a CSV file, using only the records, so it works while the
// server runs.
import { exportContacts } from '../server/contact-files/export.ts'
import type { Checked, ImportRow, Written } from '../server/contact-files/import.ts'
import { openSpool, type Spool } from '../server/contact-files/import-spool.ts'
import { traitFields } from '../server/contacts/contact-model.ts'
import { answer, counted, needed, readOptions, UsageError, write } from './command.ts'
import { faultLines } from './faults.ts'
import { openMeter } from './meter.ts'
import { assertReadable, openSource } from './source-file.ts'
import { propertyFor } from './which-property.ts'
import { type Recorded, withRecords } from './with-records.ts'
import { writeParts } from './write-parts.ts'

const usage = `footfall contacts export [--property ID] [--file FILE|-] [--json]
footfall contacts import FILE|- [--property ID] [--dry-run] [--json]

export writes all contacts that are not deleted as CSV (UTF-8, comma, RFC 4180) to --file, or to standard output. On a
terminal, control and format characters are shown as \ufffd.
import reads such a file, or any CSV with a header: external_id or email, and any of
${traitFields.join(', ')},
lifecycle_stage, state, meta (a JSON object) and meta.<key>. Contacts are matched as by the identify endpoint; empty cells
are ignored. All rows are checked first, and either all are imported or none.
--dry-run shows what an import would do without changing anything.

Both work while the server runs. With SQLite, an import blocks other writes for about a second per 4,000 new contacts: page
views and reports keep working, identify waits and returns 503 after five seconds. Run large imports at a quiet time.
--property is optional when there is only one. More: docs/contacts-csv.md.`

const options = {
  property: { type: 'string' },
  file: { type: 'string' },
  'dry-run': { type: 'boolean', default: false },
} as const

type Values = ReturnType<typeof readOptions<typeof options>>['values']

// ---------------------------------------------------------------- export

async function exportAll(values: Values): Promise<number> {
  const file = values.file ?? '-'
  if (file === '-' && values.json) throw new UsageError('with --json the contacts need a --file of their own')
  return withRecords(async (deps) => {
    const property = await propertyFor(deps, values.property)
    let contacts = 0
    async function* texts() {
      for await (const part of exportContacts(deps.records, property.id)) {
        contacts += part.contacts
        yield part.text
      }
    }
    await writeParts(texts(), file)
    if (file !== '-') answer(values.json, { contacts, file }, [`Wrote ${counted(contacts, 'contact')} to ${file}.`])
    return 0
  })
}

// ---------------------------------------------------------------- import

/** Loaded on demand, because it loads the schemas: an export does not need them. */
const loadImport = () => import('../server/contact-files/import.ts')

function noteLines({ nameless_rows, ignored_columns }: Checked): string[] {
  return [
    ...(ignored_columns.length > 0 ? [`Ignored columns, as Footfall sets them: ${ignored_columns.join(', ')}.`] : []),
    ...(nameless_rows > 0
      ? [`Left out, as they have neither external_id nor email: ${counted(nameless_rows, 'row')}.`]
      : []),
  ]
}

interface Done extends Written {
  readonly seconds: number
  readonly rows_a_second: number
}

async function writeRows(
  deps: Recorded,
  propertyId: string,
  { spool, rows }: { readonly spool: Spool<ImportRow>; readonly rows: number },
  values: Values,
): Promise<Done> {
  const meter = values.json ? undefined : openMeter('rows', rows, process.stderr.isTTY)
  const startMs = performance.now()
  const isTrial = values['dry-run']
  const { writeContacts } = await loadImport()
  const writing = { spool, isTrial, onRows: (done: number) => meter?.show(done) }
  const written = await writeContacts(deps, propertyId, writing).finally(() => meter?.stop())
  const seconds = (performance.now() - startMs) / 1000
  return { ...written, seconds, rows_a_second: Math.round((written.created + written.updated) / seconds) }
}

function doneLines(done: Done, isTrial: boolean): string[] {
  const { created, updated, seconds, rows_a_second } = done
  if (isTrial)
    return [
      `Would create ${counted(created, 'contact')} and update ${updated.toLocaleString('en')}. Nothing was written.`,
    ]
  return [
    `Created ${counted(created, 'contact')} and updated ${updated.toLocaleString('en')}, in ${seconds.toFixed(1)} s (${counted(rows_a_second, 'row')} a second).`,
  ]
}

/** A file with a bad row changes nothing. */
function refuse(checked: Checked, values: Values): number {
  if (values.json) write(JSON.stringify({ written: false, ...checked }))
  else process.stderr.write(`${faultLines(checked).join('\n')}\n`)
  return 1
}

async function importRows(deps: Recorded, file: string, spool: Spool<ImportRow>, values: Values): Promise<number> {
  const property = await propertyFor(deps, values.property)
  if (!values.json) process.stderr.write('Checking every row …\n')
  const { checkContacts } = await loadImport()
  const checked = await checkContacts(openSource(file), spool)
  if (checked.bad_rows > 0) return refuse(checked, values)
  const rows = checked.rows - checked.nameless_rows
  const done = await writeRows(deps, property.id, { spool, rows }, values)
  const isTrial = values['dry-run']
  answer(values.json, { written: !isTrial, ...checked, ...done }, [...noteLines(checked), ...doneLines(done, isTrial)])
  return 0
}

async function importAll(values: Values, name: string | undefined): Promise<number> {
  const file = needed(name, 'the FILE')
  await assertReadable(file)
  const spool = await openSpool<ImportRow>()
  try {
    return await withRecords((deps) => importRows(deps, file, spool, values))
  } finally {
    await spool.close()
  }
}

const actions: Readonly<
  Record<string, { readonly words: number; readonly run: (values: Values, word?: string) => Promise<number> }>
> = {
  export: { words: 0, run: exportAll },
  import: { words: 1, run: importAll },
}

export async function contacts(args: string[]): Promise<number> {
  const { values, positionals } = readOptions(args, options)
  const [name = '', ...words] = positionals
  const action = Object.hasOwn(actions, name) ? actions[name] : undefined
  if (values.help) write(usage)
  else if (action && words.length <= action.words) return action.run(values, words[0])
  else throw new UsageError('contacts takes one of: export, import FILE')
  return 0
}
