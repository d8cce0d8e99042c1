// `footfall invalid …`: marks sessions that should not count, lists marks and removes them, using only the
// records, so it works while the server runs, which then applies them.
import {
  type MarkingDraft,
  listMarkings,
  queueMarking,
  shownMarking,
  tryMarking,
  undoMarking,
} from '../server/marks/marks.ts'
import { answer, columns, counted, needed, readOptions, UsageError, write } from './command.ts'
import { propertyFor } from './which-property.ts'
import { withFacts } from './with-facts.ts'
import { withRecords } from './with-records.ts'

const usage = `footfall invalid count --from TIME --to TIME [--network NAME] [--host HOST] [--property ID] [--json]
footfall invalid mark --from TIME --to TIME [--network NAME] [--host HOST] --yes [--property ID] [--json]
footfall invalid list [--property ID] [--json]
footfall invalid undo ID [--property ID] [--json]

Marks fake or unwanted sessions as invalid: they are excluded from all metrics. Nothing is deleted, and undo reverts a
marking. It applies to sessions that started at or after --from and before --to, optionally limited to a network or hostname.
TIME is a UTC day, 2026-11-22 (--to includes it), or a time, 2026-11-22T14:30Z. A running server starts within ten seconds.
count changes nothing; it shows how many sessions match, and from which networks and hostnames. With embedded facts, stop the
server first, or use the API: POST /manage/properties/ID/session-marks with is_trial (docs/api/dashboard.md).
--property is optional when there is only one.`

const options = {
  from: { type: 'string' },
  to: { type: 'string' },
  network: { type: 'string' },
  host: { type: 'string' },
  yes: { type: 'boolean', default: false },
  property: { type: 'string' },
} as const

type Values = ReturnType<typeof readOptions<typeof options>>['values']
type Shown = ReturnType<typeof shownMarking>

const DAY_SECONDS = 86_400
const advice = 'A server that runs says so itself: POST /manage/properties/ID/session-marks with is_trial.'

const isDay = (text: string): boolean => /^\d{4}-\d{2}-\d{2}$/.test(text)
const isMoment = (text: string): boolean => /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2})?Z$/.test(text)

/** Unix seconds. */
function readTime(text: string | undefined, option: string): number {
  const given = needed(text, option)
  const ms = isDay(given) || isMoment(given) ? Date.parse(given) : Number.NaN
  if (Number.isNaN(ms) || !new Date(ms).toISOString().startsWith(given.slice(0, 10)))
    throw new UsageError(`${option} must be a day like 2026-11-22 or a moment like 2026-11-22T14:30Z`)
  return ms / 1000
}

const readDraft = ({ from, to, network, host }: Values): MarkingDraft => ({
  from_ts: readTime(from, '--from'),
  to_ts: readTime(to, '--to') + (isDay(to ?? '') ? DAY_SECONDS : 0),
  network: network ?? null,
  host: host ?? null,
})

const listed = (title: string, rows: readonly { readonly id: string; readonly sessions: number }[]): string[] =>
  rows.length === 0
    ? []
    : ['', ...columns([[title, 'SESSIONS'], ...rows.map(({ id, sessions }) => [id || '(not known)', `${sessions}`])])]

async function count(values: Values): Promise<number> {
  const draft = readDraft(values)
  return withRecords(async (deps) => {
    const { id } = await propertyFor(deps, values.property)
    const trial = await withFacts(deps.config, advice, (facts) => tryMarking({ ...deps, facts }, id, draft))
    answer(values.json, { trial }, [
      `${counted(trial.sessions, 'session')} would be marked as invalid.`,
      ...listed('NETWORK', trial.networks),
      ...listed('HOST', trial.hosts),
    ])
    return 0
  })
}

async function mark(values: Values): Promise<number> {
  const draft = readDraft(values)
  if (!values.yes)
    throw new UsageError('this excludes the sessions from all metrics: preview with count, then add --yes')
  return withRecords(async (deps) => {
    const { id } = await propertyFor(deps, values.property)
    const marking = shownMarking(await queueMarking(deps, id, draft))
    answer(values.json, { marking }, [
      `Marking has started: ${marking.id}. See its progress with footfall invalid list.`,
    ])
    return 0
  })
}

const timeOf = (ts: number): string => new Date(ts * 1000).toISOString().replace('.000Z', 'Z')

const cellsOf = ({ id, state, done, from_ts, to_ts, network, host }: Shown): string[] => [
  id,
  state,
  `${done}`,
  timeOf(from_ts),
  timeOf(to_ts),
  network ?? 'any',
  host ?? 'any',
]

async function list(values: Values): Promise<number> {
  return withRecords(async (deps) => {
    const { id } = await propertyFor(deps, values.property)
    const markings = (await listMarkings(deps, id)).map(shownMarking)
    const head = ['ID', 'STATE', 'MARKED', 'FROM', 'TO', 'NETWORK', 'HOST']
    const lines = markings.length === 0 ? ['There is none.'] : columns([head, ...markings.map(cellsOf)])
    answer(values.json, { markings }, lines)
    return 0
  })
}

async function undo(values: Values, [word]: readonly string[]): Promise<number> {
  const wanted = needed(word, 'the ID')
  return withRecords(async (deps) => {
    const { id } = await propertyFor(deps, values.property)
    const marking = shownMarking(await undoMarking(deps, id, wanted))
    answer(values.json, { marking }, [`The server takes ${marking.id} back.`])
    return 0
  })
}

type Action = (values: Values, words: readonly string[]) => Promise<number>

const actions: Readonly<Record<string, { readonly words: number; readonly run: Action }>> = {
  count: { words: 0, run: count },
  mark: { words: 0, run: mark },
  list: { words: 0, run: list },
  undo: { words: 1, run: undo },
}

export async function invalid(args: string[]): Promise<number> {
  const { values, positionals } = readOptions(args, options)
  const [name = '', ...words] = positionals
  const action = Object.hasOwn(actions, name) ? actions[name] : undefined
  if (values.help) write(usage)
  else if (action && words.length <= action.words) return action.run(values, words)
  else throw new UsageError(`invalid takes one of: ${Object.keys(actions).join(', ')}`)
  return 0
}
