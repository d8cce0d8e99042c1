// One export from its plan to its file.
import type { Deps } from '../kernel/deps.ts'
import { Problem } from '../kernel/problem.ts'
import type { Property } from '../properties/properties.ts'
import type { ExportKind, ExportPlan, Text } from './export.ts'
import type { Export } from './exports.ts'
import { countRowsByDay, rawStatement } from './facts.ts'
import { assertRoom, assertSize, ExportFault, isDiskFull, sizeOf, writeParts } from './files.ts'
import { openList } from './lists.ts'
import { openContacts, openDeliveries, openLinks, openSubmissions } from './record-lists.ts'
import { openRecordsJson } from './records-json.ts'

/** As the owner sees it. */
export interface Fault {
  readonly code: 'too_large' | 'too_many' | 'no_room' | 'unavailable' | 'not_found' | 'failed'
  readonly message: string
}

/**
 * Errors of a store may repeat values of a statement, so only texts that are written for owners are passed
 * on.
 */
export function explain(error: unknown): Fault {
  if (isDiskFull(error)) return explain(new ExportFault('no_room'))
  if (error instanceof ExportFault) return { code: error.code, message: error.message }
  if (error instanceof Problem && error.kind === 'unavailable')
    return { code: 'unavailable', message: 'A store did not answer: try again later.' }
  if (error instanceof Problem && error.kind === 'not_found') return { code: 'not_found', message: error.message }
  return { code: 'failed', message: 'The export failed: the log of the service says why.' }
}

type Open = (deps: Deps, property: Property, plan: ExportPlan) => Promise<Text>

const texts: Readonly<Record<Exclude<ExportKind, 'facts'>, Open>> = {
  sessions: (deps, { id }, { days }) => openList(deps, 'sessions', id, days),
  events: (deps, { id }, { days }) => openList(deps, 'events', id, days),
  clicks: (deps, { id }, { days }) => openList(deps, 'clicks', id, days),
  contacts: (deps, { id }) => openContacts(deps, id),
  links: (deps, { id }) => openLinks(deps, id),
  submissions: (deps, { id }, { form }) => openSubmissions(deps, id, form ?? ''),
  deliveries: (deps, { id }) => openDeliveries(deps, id),
  records: (deps, property) => openRecordsJson(deps, property),
}

export interface Place {
  readonly folder: string
  /** Bytes that this file may have beside the others, which come and go meanwhile. */
  readonly room: () => number
}

/** Counting rows is quicker than folding them, and may count one twice: it is done when it is done. */
const ALMOST = 0.99

async function saveText(one: Export, place: Place, { total, parts }: Text): Promise<void> {
  let done = 0
  const told = (rows: number, bytes: number): void => {
    done += rows
    one.bytes = bytes
    one.progress = Math.min(ALMOST, done / Math.max(1, total))
  }
  await writeParts(one.path, place.folder, parts, { signal: one.stop.signal, told, room: place.room })
}

/** Written by the store itself, which is only looked at meanwhile. */
async function saveFacts(deps: Deps, property: Property, one: Export, place: Place): Promise<void> {
  const { table, days } = one.plan
  if (table === null) throw new Error('facts are exported by table')
  const counted = await countRowsByDay(deps.facts, table, property.id, days)
  const rows = counted.reduce((sum, day) => sum + day.rows, 0)
  const tooMuch = new AbortController()
  const signal = AbortSignal.any([one.stop.signal, tooMuch.signal])
  const look = async (): Promise<void> => {
    one.bytes = await sizeOf(one.path)
    assertSize(one.bytes, place.room())
    await assertRoom(place.folder)
  }
  const progress = (share: number): void => {
    one.progress = Math.min(ALMOST, share)
    void look().catch((error: unknown) => tooMuch.abort(error))
  }
  await look()
  const task = { ...rawStatement(table, property.id, days), path: one.path, rows }
  await deps.facts.save('exports.facts', task, { signal, progress })
  await look()
}

/**
 * Resolves when the file is whole.
 * @throws what `explain` knows; the reason of its signal when the export is no longer wanted.
 */
export async function runExport(deps: Deps, property: Property, one: Export, place: Place): Promise<void> {
  await assertRoom(place.folder)
  // It may have waited for others that have grown since it was asked for.
  assertSize(1, place.room())
  if (one.plan.kind === 'facts') await saveFacts(deps, property, one, place)
  else await saveText(one, place, await texts[one.plan.kind](deps, property, one.plan))
}
