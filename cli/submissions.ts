// `footfall submissions …`: lists, shows, marks, deletes and exports what was sent through forms, using only
// the records, so it works while the server runs.
import { openForgetting } from '../server/deliveries/forget.ts'
import { openOutbox } from '../server/automations/outbox.ts'
import { exportSubmissions } from '../server/submissions/export.ts'
import type { Form, Mark } from '../server/forms/form-model.ts'
import { getForm } from '../server/forms/forms.ts'
import {
  countSubmissionRows,
  type Show,
  shows,
  type Submission,
  type SubmissionFilter,
} from '../server/submissions/list-records.ts'
import {
  getSubmission,
  listSubmissions,
  markStored,
  removeSubmission,
  type ShownSubmission,
  shownSubmission,
} from '../server/submissions/submissions.ts'
import { openKeys } from '../server/kernel/keys.ts'
import { openSecret } from '../server/secret.ts'
import { answer, columns, counted, needed, readOptions, UsageError, write } from './command.ts'
import { openMeter } from './meter.ts'
import { formFor } from './which-form.ts'
import { propertyFor } from './which-property.ts'
import { type Recorded, withRecords } from './with-records.ts'
import { writeParts } from './write-parts.ts'

const usage = `footfall submissions list [--form FORM] [--show kept|spam|all] [--limit 25] [--property ID] [--json]
footfall submissions show ID [--property ID] [--json]
footfall submissions mark ID spam|not-spam|none [--property ID] [--json]
footfall submissions delete ID --yes [--property ID] [--json]
footfall submissions export [--form FORM] [--show kept|spam|all] [--file FILE|-] [--property ID] [--json]

Lists form submissions, newest first. FORM is an id or a name. kept (the default) shows everything that is not spam, by your mark
or by the spam score. A mark overrides the score; none removes the mark. A submission marked as not spam counts in the metrics
within a minute. export writes CSV, oldest first, to --file or standard output.
--form and --property are optional when there is only one.`

const options = {
  form: { type: 'string' },
  show: { type: 'string', default: 'kept' },
  limit: { type: 'string', default: '25' },
  file: { type: 'string' },
  yes: { type: 'boolean', default: false },
  property: { type: 'string' },
} as const

type Values = ReturnType<typeof readOptions<typeof options>>['values']

const MAX_LIMIT = 10_000

function readLimit(text: string): number {
  const limit = /^\d{1,5}$/.test(text) ? Number(text) : 0
  if (limit >= 1 && limit <= MAX_LIMIT) return limit
  throw new UsageError(`--limit must be a whole number from 1 to ${MAX_LIMIT}`)
}

function readFilter({ show }: Values): SubmissionFilter {
  const found = shows.find((known): known is Show => known === show)
  if (found) return { show: found }
  throw new UsageError(`--show must be one of: ${shows.join(', ')}`)
}

/** Session ids are spelled as the server spells them. */
const keysOf = ({ config, randomBytes }: Recorded) => openKeys(openSecret(config, randomBytes))

// ---------------------------------------------------------------- list, show

const MAX_PREVIEW = 60

/** The first words of what was written. */
function preview({ raw_fields }: ShownSubmission): string {
  const words = raw_fields.flatMap(({ value }) => value).join(' · ')
  return words.length > MAX_PREVIEW ? `${words.slice(0, MAX_PREVIEW)}…` : words
}

const stateOf = ({ verdict, mark }: ShownSubmission): string =>
  mark === null ? verdict : `${verdict}, marked ${mark === 'spam' ? 'spam' : 'no spam'}`

const timeOf = ({ submitted_ts }: ShownSubmission): string => new Date(submitted_ts * 1000).toISOString()

function listLines(rows: readonly ShownSubmission[], total: number): string[] {
  if (rows.length === 0) return ['There is none.']
  const cells = rows.map((row) => [row.id, timeOf(row), `${row.score}`, stateOf(row), preview(row)])
  const rest =
    total > rows.length ? [`… and ${(total - rows.length).toLocaleString('en')} more: --limit, or export.`] : []
  return [...columns([['ID', 'SENT', 'SCORE', 'STATE', 'ANSWERS'], ...cells]), ...rest]
}

async function list(values: Values): Promise<number> {
  const [filter, limit] = [readFilter(values), readLimit(values.limit)]
  return withRecords(async (deps) => {
    const form = await formFor(deps, (await propertyFor(deps, values.property)).id, values.form)
    const { rows, total } = await listSubmissions({ ...deps, keys: keysOf(deps) }, form, filter, {
      page: 1,
      perPage: limit,
    })
    answer(values.json, { submissions: rows, total }, listLines(rows, total))
    return 0
  })
}

function showLines(shown: ShownSubmission): string[] {
  const { id, form, score, reasons, ip, network, city, country, session_id, raw_fields } = shown
  return [
    ...columns([
      ['id', id],
      ['form', `${form.name} (${form.id})`],
      ['sent', timeOf(shown)],
      ['state', `${stateOf(shown)}, score ${score}`],
      ['from', [ip, network, city, country].filter(Boolean).join(', ')],
      ['session', session_id ?? 'none'],
    ]),
    ...reasons.map(({ points, reason, sentence }) => `${points > 0 ? '+' : ''}${points}  ${sentence ?? reason}`),
    '',
    ...raw_fields.flatMap(({ label, value }) => {
      const lines = [value].flat().join(', ').split('\n')
      return columns(lines.map((line, at) => [at === 0 ? label : '', line]))
    }),
  ]
}

interface Found {
  readonly deps: Recorded
  readonly form: Form
  readonly submission: Submission
}

async function withSubmission<T>(
  values: Values,
  id: string | undefined,
  work: (found: Found) => Promise<T>,
): Promise<T> {
  const wanted = needed(id, 'the ID')
  return withRecords(async (deps) => {
    const property = await propertyFor(deps, values.property)
    const submission = await getSubmission(deps.records, { propertyId: property.id }, wanted)
    return work({ deps, submission, form: await getForm(deps, property.id, submission.form_id) })
  })
}

async function show(values: Values, [id]: readonly string[]): Promise<number> {
  return withSubmission(values, id, async ({ deps, form, submission }) => {
    const shown = shownSubmission(keysOf(deps), form, submission)
    answer(values.json, { submission: shown }, showLines(shown))
    return 0
  })
}

// ---------------------------------------------------------------- mark, delete

const marks: Readonly<Record<string, Mark | null>> = { spam: 'spam', 'not-spam': 'not_spam', none: null }

async function mark(values: Values, [id, word = '']: readonly string[]): Promise<number> {
  const given = Object.hasOwn(marks, word) ? marks[word] : undefined
  if (given === undefined) throw new UsageError(`mark takes an ID and one of: ${Object.keys(marks).join(', ')}`)
  return withSubmission(values, id, async ({ deps, form, submission }) => {
    const marked = await markStored(
      { ...deps, triggers: openOutbox(deps) },
      { propertyId: form.property_id },
      submission.id,
      given,
    )
    const shown = shownSubmission(keysOf(deps), form, marked)
    answer(values.json, { submission: shown }, [
      `${shown.id} is ${shown.is_spam ? 'spam' : 'no spam'} now (${stateOf(shown)}).`,
    ])
    return 0
  })
}

async function remove(values: Values, [id]: readonly string[]): Promise<number> {
  if (!values.yes) throw new UsageError('this deletes it permanently: add --yes')
  return withSubmission(values, id, async ({ deps, form, submission }) => {
    await removeSubmission({ ...deps, ...openForgetting(deps) }, { propertyId: form.property_id }, submission.id)
    answer(values.json, { deleted: true, id: submission.id }, [`Deleted ${submission.id}.`])
    return 0
  })
}

// ---------------------------------------------------------------- export

async function exportTo(
  deps: Recorded,
  form: Form,
  filter: SubmissionFilter,
  { file, hasMeter }: { readonly file: string; readonly hasMeter: boolean },
): Promise<number> {
  const total = hasMeter
    ? await countSubmissionRows(deps.records, { propertyId: form.property_id, formId: form.id }, filter)
    : 0
  const meter = hasMeter ? openMeter('submissions', total, process.stderr.isTTY) : undefined
  let done = 0
  async function* texts() {
    for await (const part of exportSubmissions(deps.records, form, filter)) {
      done += part.submissions
      meter?.show(done)
      yield part.text
    }
  }
  await writeParts(texts(), file).finally(() => meter?.stop())
  return done
}

async function exportAll(values: Values): Promise<number> {
  const file = values.file ?? '-'
  const filter = readFilter(values)
  if (file === '-' && values.json) throw new UsageError('with --json the submissions need a --file of their own')
  return withRecords(async (deps) => {
    const form = await formFor(deps, (await propertyFor(deps, values.property)).id, values.form)
    const written = await exportTo(deps, form, filter, { file, hasMeter: file !== '-' && !values.json })
    if (file !== '-')
      answer(values.json, { submissions: written, file }, [`Wrote ${counted(written, 'submission')} to ${file}.`])
    return 0
  })
}

type Action = (values: Values, words: readonly string[]) => Promise<number>

const actions: Readonly<Record<string, { readonly words: number; readonly run: Action }>> = {
  list: { words: 0, run: list },
  show: { words: 1, run: show },
  mark: { words: 2, run: mark },
  delete: { words: 1, run: remove },
  export: { words: 0, run: exportAll },
}

export async function submissions(args: string[]): Promise<number> {
  const { values, positionals } = readOptions(args, options)
  const [name = '', ...words] = positionals
  const action = Object.hasOwn(actions, name) ? actions[name] : undefined
  if (values.help) write(usage)
  else if (action && words.length <= action.words) return action.run(values, words)
  else throw new UsageError(`submissions takes one of: ${Object.keys(actions).join(', ')}`)
  return 0
}
