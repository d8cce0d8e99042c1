// `footfall links create|list|export`: short links from and to CSV files, using only the records, so it works
// while the server runs.
import { pino } from 'pino'
import type { Bulk } from '../server/links/bulk.ts'
import { type CsvLink, csvHeader, csvRows } from '../server/links/csv.ts'
import { exportLinks, linkBatches, type Wanted } from '../server/links/export.ts'
import { type ForeignFormat, foreignFormats } from '../server/links/foreign-fields.ts'
import { groupNames, openGroupWords } from '../server/links/group-words.ts'
import type { ImportedDetails } from '../server/links/draft.ts'
import { noDirectory } from '../server/links/groups.ts'
import { createLinks, type ShownLink } from '../server/links/links.ts'
import { noRules } from '../server/links/rules-model.ts'
import { answer, columns, counted, needed, readOptions, UsageError, write } from './command.ts'
import { faultLines } from './faults.ts'
import { openMeter } from './meter.ts'
import { assertReadable, openSource } from './source-file.ts'
import { propertyFor } from './which-property.ts'
import { type Recorded, withRecords } from './with-records.ts'
import { writeParts } from './write-parts.ts'

const usage = `footfall links create --file CSV|- [--out FILE|-] [--group GROUP] [--domain link-a|link-b] [--create-groups]
                      [--from SERVICE] [--keep-codes] [--dry-run] [--property ID] [--json]
footfall links list [--group GROUP] [--property ID] [--json]
footfall links export [--file FILE|-] [--group GROUP] [--property ID] [--json]

create adds a link for each row of a CSV file with a header: destination_url, and optionally group (name or id),
code, domain, name, utm_source, utm_medium, utm_campaign, utm_term, utm_content. --group and --domain apply to rows without
their own; --create-groups creates missing groups; --keep-codes keeps the codes of an export, which are replaced with new ones
otherwise. All rows are checked first, and either all links are created or none. The result is a CSV with short_url, on
standard output or in --out. --dry-run shows what would be created.
export writes all links in the same format. Both work while the server runs, which picks up new links within a second.
Clicks are not included. --property is optional when there is only one.
More: docs/links-csv.md.`

const options = {
  property: { type: 'string' },
  file: { type: 'string' },
  out: { type: 'string' },
  group: { type: 'string' },
  domain: { type: 'string' },
  'create-groups': { type: 'boolean', default: false },
  'keep-codes': { type: 'boolean', default: false },
  from: { type: 'string' },
  'dry-run': { type: 'boolean', default: false },
} as const

type Values = ReturnType<typeof readOptions<typeof options>>['values']

/** Rows that become one text. */
const ROWS_AT_ONCE = 1_000

// ---------------------------------------------------------------- create

/** The server notices the new links by itself. */
const toCreate = (deps: Recorded) => ({ ...deps, links: noDirectory, log: pino({ level: 'silent' }) })

type CreatedLink = ShownLink & CsvLink

interface Created {
  readonly checked: Bulk['checked']
  readonly links: readonly CreatedLink[]
  readonly groups: number
  readonly seconds: number
}

/** The file of what was created can be read again as well. */
const rulesTold = ({ rules = noRules, uses = 0 }: ImportedDetails = {}): NonNullable<CsvLink['rules']> => ({
  ...rules,
  has_password: false,
  used_clicks: uses,
})

async function createAll(deps: Recorded, propertyId: string, bulk: Bulk, values: Values): Promise<Created> {
  const meter = values.json ? undefined : openMeter('links', bulk.drafts.length, process.stderr.isTTY)
  const startMs = performance.now()
  const show = (stored: number) => meter?.show(stored)
  const created = await createLinks(toCreate(deps), propertyId, bulk, show).finally(() => meter?.stop())
  const links = created.map((link, index) => ({ ...link, rules: rulesTold(bulk.drafts[index]?.told) }))
  return { checked: bulk.checked, links, groups: bulk.groups.length, seconds: (performance.now() - startMs) / 1000 }
}

async function* csvTexts(links: readonly CsvLink[], names: ReadonlyMap<string, string>): AsyncGenerator<string> {
  yield csvHeader()
  for (let at = 0; at < links.length; at += ROWS_AT_ONCE) yield csvRows(links.slice(at, at + ROWS_AT_ONCE), names)
}

/** The links exist by now: a file that cannot be written does not undo them. */
async function writeCreated(deps: Recorded, propertyId: string, links: readonly CreatedLink[], file: string) {
  const names = await groupNames(deps.records, propertyId)
  try {
    await writeParts(csvTexts(links, names), file)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new Error(`${reason}. The links were created: footfall links export has them.`, { cause: error })
  }
}

const andGroups = (groups: number): string => (groups === 0 ? '' : ` and ${counted(groups, 'group')}`)

function noteLines({ ignored_columns, without_password }: Bulk['checked']): string[] {
  return [
    ...(ignored_columns.length > 0 ? [`Ignored columns, as Footfall sets them: ${ignored_columns.join(', ')}.`] : []),
    ...(without_password > 0
      ? [`${counted(without_password, 'link')} with a password, which no file contains: turned off until you set one.`]
      : []),
  ]
}

/** A file with a bad row changes nothing. */
function refuse(checked: Bulk['checked'], values: Values): number {
  if (values.json) write(JSON.stringify({ written: false, ...checked }))
  else process.stderr.write(`${faultLines(checked).join('\n')}\n`)
  return 1
}

function answerTrial({ checked, drafts, groups }: Bulk, values: Values): number {
  const counts = { links: drafts.length, groups: groups.length }
  answer(values.json, { written: false, ...checked, would_create: counts }, [
    ...noteLines(checked),
    `Would create ${counted(counts.links, 'link')}${andGroups(counts.groups)}. Nothing was written.`,
  ])
  return 0
}

/** Standard output is for the links, unless they have a file of their own. */
async function answerCreated(deps: Recorded, propertyId: string, created: Created, values: Values) {
  const { checked, links, groups, seconds } = created
  const file = values.out ?? '-'
  if (file !== '-' || !values.json) await writeCreated(deps, propertyId, links, file)
  const lines = [
    ...noteLines(checked),
    `Created ${counted(links.length, 'link')}${andGroups(groups)}, in ${seconds.toFixed(1)} s.`,
  ]
  if (values.json) answer(true, { written: true, ...checked, created: links.length, groups, seconds, links }, [])
  else if (file === '-') process.stderr.write(`${lines.join('\n')}\n`)
  else answer(false, {}, [...lines, `Their short URLs are in ${file}.`])
}

function formatOf(name: string | undefined): ForeignFormat | undefined {
  const format = foreignFormats.find((one) => one === name)
  if (name !== undefined && !format) throw new UsageError(`--from takes one of: ${foreignFormats.join(', ')}`)
  return format
}

async function create(values: Values): Promise<number> {
  const file = needed(values.file, '--file')
  await assertReadable(file)
  return withRecords(async (deps) => {
    const { id } = await propertyFor(deps, values.property)
    const options = {
      group: values.group,
      domain: values.domain,
      createGroups: values['create-groups'],
      keepCodes: values['keep-codes'],
      from: formatOf(values.from),
    }
    // Loaded on demand, because it loads the schemas: other actions do not need them.
    const { checkLinks } = await import('../server/links/bulk.ts')
    const bulk = await checkLinks(toCreate(deps), id, openSource(file), options)
    if (bulk.checked.bad_rows > 0) return refuse(bulk.checked, values)
    if (values['dry-run']) return answerTrial(bulk, values)
    await answerCreated(deps, id, await createAll(deps, id, bulk, values), values)
    return 0
  })
}

// ---------------------------------------------------------------- list, export

async function wantedLinks(deps: Recorded, values: Values): Promise<Wanted> {
  const { id } = await propertyFor(deps, values.property)
  if (values.group === undefined) return { propertyId: id, groupId: null }
  const groups = await openGroupWords(deps, id, false)
  return { propertyId: id, groupId: groups.idOf(values.group) }
}

function listLines(links: readonly CsvLink[], names: ReadonlyMap<string, string>): string[] {
  if (links.length === 0) return ['There is no link yet: footfall links create.']
  const cells = links.map(({ id, short_url, destination_url, group_id, name, is_active }) => [
    id,
    short_url,
    destination_url,
    names.get(group_id) ?? group_id,
    is_active ? 'active' : 'inactive',
    name ?? '',
  ])
  return columns([['ID', 'SHORT URL', 'DESTINATION', 'GROUP', 'STATE', 'NAME'], ...cells])
}

/** Newest first. */
async function list(values: Values): Promise<number> {
  return withRecords(async (deps) => {
    const wanted = await wantedLinks(deps, values)
    const links = (await Array.fromAsync(linkBatches(deps, wanted))).flat().reverse()
    const names = await groupNames(deps.records, wanted.propertyId)
    answer(values.json, { links, total: links.length }, listLines(links, names))
    return 0
  })
}

async function exportAll(values: Values): Promise<number> {
  const file = values.file ?? '-'
  if (file === '-' && values.json) throw new UsageError('with --json the links need a --file of their own')
  return withRecords(async (deps) => {
    const wanted = await wantedLinks(deps, values)
    let links = 0
    async function* texts() {
      for await (const part of exportLinks(deps, wanted)) {
        links += part.links
        yield part.text
      }
    }
    await writeParts(texts(), file)
    if (file !== '-') answer(values.json, { links, file }, [`Wrote ${counted(links, 'link')} to ${file}.`])
    return 0
  })
}

const actions: Readonly<Record<string, (values: Values) => Promise<number>>> = { create, list, export: exportAll }

export async function links(args: string[]): Promise<number> {
  const { values, positionals } = readOptions(args, options)
  const [name = '', ...rest] = positionals
  const action = Object.hasOwn(actions, name) && rest.length === 0 ? actions[name] : undefined
  if (values.help) write(usage)
  else if (action) return action(values)
  else throw new UsageError('links takes one of: create, list, export')
  return 0
}
