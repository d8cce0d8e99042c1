// Exports under way and done. They live with the process that makes them: one at a time, so that visitors and questions have their turns;
// a start clears what another process left behind, and whoever asked asks again. See docs/api/exports.md.
import type { ReadStream } from 'node:fs'
import { open as openFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { asNobody } from '../queues/asker.ts'
import type { Deps } from '../kernel/deps.ts'
import { Problem } from '../kernel/problem.ts'
import { getForm } from '../forms/forms.ts'
import { countErasures, type Property } from '../properties/properties.ts'
import { randomText } from '../kernel/secrets.ts'
import {
  ABANDONED_MS,
  endings,
  type ExportKind,
  type ExportPlan,
  fileName,
  KEPT_MS,
  MAX_ALL_BYTES,
  MAX_ALL_EXPORTS,
  MAX_EXPORTS,
  mediaTypes,
  personalKinds,
} from './export.ts'
import { makeFolder, removeFile, removeOthers, touch } from './files.ts'
import type { ExportJson } from './schema.ts'
import { explain, type Fault, runExport } from './run.ts'

export interface Export {
  readonly id: string
  readonly property_id: string
  readonly plan: ExportPlan
  readonly file_name: string
  readonly path: string
  readonly created_ms: number
  readonly stop: AbortController
  /** How often somebody of the property had been erased before. */
  readonly erasures: number
  state: ExportJson['state']
  progress: number
  bytes: number
  fault: Fault | null
  finished_ms: number | null
}

export interface ExportFile {
  readonly name: string
  readonly type: string
  readonly bytes: number
  readonly stream: ReadStream
}

export interface Exports {
  /** @throws Problem: not_found when the form is not there; rate_limited when there are too many already. */
  create(property: Property, plan: ExportPlan): Promise<Export>
  /** Newest first. */
  list(propertyId: string): Export[]
  /** @throws Problem('not_found') also for one of another property. */
  get(propertyId: string, id: string): Export
  /** @throws Problem: not_found, also when somebody in it was erased since, on whichever node; validation_failed while it is not done. */
  open(propertyId: string, id: string): Promise<ExportFile>
  /** Ends it when it is under way. @throws Problem('not_found') */
  remove(propertyId: string, id: string): Promise<void>
  /** Those with people in them, or all of a property that goes. */
  removeAll(propertyId: string, kinds?: readonly ExportKind[]): Promise<void>
  /** What is old, what others have made untrue, and what another process left behind. */
  sweep(): Promise<void>
  close(): Promise<void>
}

const ID_LENGTH = 20

const notFound = () =>
  new Problem('not_found', 'There is no such export: it is over, or another node has made it, which is the one to ask.')

export function shownExport({ id, plan, state, progress, bytes, fault, ...rest }: Export): ExportJson {
  return {
    id,
    kind: plan.kind,
    table: plan.table,
    form_id: plan.form,
    window: plan.window && { date_from: plan.window.from, date_to: plan.window.to },
    state,
    progress: Math.round(progress * 1000) / 1000,
    bytes,
    file_name: rest.file_name,
    error: fault,
    created_ts: Math.floor(rest.created_ms / 1000),
    finished_ts: rest.finished_ms === null ? null : Math.floor(rest.finished_ms / 1000),
    expires_ts: Math.floor((rest.created_ms + KEPT_MS) / 1000),
  }
}

function assertRoomFor(all: ReadonlyMap<string, Export>, propertyId: string, room: number): void {
  const kept = [...all.values()]
  const own = kept.filter((one) => one.property_id === propertyId).length
  if (own >= MAX_EXPORTS || kept.length >= MAX_ALL_EXPORTS || room <= 0)
    throw new Problem('rate_limited', 'There are too many exports already: delete some, or wait until they expire.')
}

/** @param mostBytes of all files together; fewer in tests. */
export function openExports(deps: Deps, mostBytes = MAX_ALL_BYTES): Exports {
  const home = resolve(deps.config.dataDir, 'exports')
  const own = randomText(deps.randomBytes, ID_LENGTH)
  const folder = join(home, own)
  /** The embedded facts belong to one process, and their folder with them. Otherwise others may write beside this one. */
  const isAlone = deps.config.clickhouseUrls.length === 0
  const all = new Map<string, Export>()
  let last: Promise<unknown> = Promise.resolve()
  let isClosed = false

  const roomFor = (own: Export | undefined): number => {
    const others = [...all.values()].filter((one) => one !== own)
    return mostBytes - others.reduce((sum, { bytes }) => sum + bytes, 0)
  }

  const finish = (one: Export, fault: Fault | null): void => {
    one.state = fault ? 'failed' : 'done'
    one.fault = fault
    one.finished_ms = deps.now()
    if (!fault) one.progress = 1
  }

  const run = async (property: Property, one: Export): Promise<void> => {
    if (one.stop.signal.aborted) return
    try {
      await makeFolder(folder)
      await runExport(deps, property, one, { folder, room: () => roomFor(one) })
      finish(one, null)
    } catch (error) {
      one.bytes = 0
      if (!one.stop.signal.aborted) deps.log.warn({ err: error, kind: one.plan.kind }, 'an export failed')
      // Also when it cannot be removed: nobody waits for it any longer.
      await removeFile(one.path).finally(() => finish(one, explain(error)))
    }
    // Removed while it was written: nothing of it stays.
    if (one.stop.signal.aborted) await removeFile(one.path)
  }

  const find = (propertyId: string, id: string): Export => {
    const one = all.get(id)
    if (!one || one.property_id !== propertyId) throw notFound()
    return one
  }

  /** A file that could not be removed is still known, so that it is tried again. */
  const drop = async (one: Export): Promise<void> => {
    all.delete(one.id)
    one.stop.abort(new Error('the export is no longer wanted'))
    await removeFile(one.path).catch((error: unknown) => {
      all.set(one.id, one)
      throw error
    })
  }

  const isOutdated = (one: Export, erasures: number | undefined): boolean =>
    erasures === undefined || (erasures !== one.erasures && personalKinds.includes(one.plan.kind))

  /** Whatever node it was on which somebody was erased, or the property removed. */
  const dropOutdated = async (some: readonly Export[]): Promise<void> => {
    const erasures = await countErasures(deps, [...new Set(some.map((one) => one.property_id))])
    for (const one of some) if (isOutdated(one, erasures.get(one.property_id))) await drop(one)
  }

  /** Whatever becomes of one, the next has its turn. */
  const enqueue = (property: Property, one: Export): void => {
    last = last
      .then(() => asNobody(() => run(property, one)))
      .catch((error: unknown) => deps.log.error({ err: error }, 'the file of an export could not be removed'))
  }

  return {
    async create(property, plan) {
      if (plan.form !== null) await getForm(deps, property.id, plan.form)
      const erasures = (await countErasures(deps, [property.id])).get(property.id)
      if (erasures === undefined) throw new Problem('not_found', 'Property not found.')
      assertRoomFor(all, property.id, roomFor(undefined))
      const id = `ex_${randomText(deps.randomBytes, ID_LENGTH)}`
      const one: Export = {
        id,
        property_id: property.id,
        plan,
        file_name: fileName(plan, property.name, deps.now()),
        path: join(folder, `${id}.${endings[plan.kind]}`),
        created_ms: deps.now(),
        stop: new AbortController(),
        erasures,
        state: 'running',
        progress: 0,
        bytes: 0,
        fault: null,
        finished_ms: null,
      }
      all.set(id, one)
      enqueue(property, one)
      return one
    },
    list: (propertyId) => [...all.values()].filter((one) => one.property_id === propertyId).toReversed(),
    get: find,
    async open(propertyId, id) {
      const one = find(propertyId, id)
      if (one.state !== 'done') throw new Problem('validation_failed', 'The export is not done.')
      await dropOutdated([one])
      const file = await openFile(find(propertyId, id).path).catch(() => undefined)
      if (!file) throw notFound()
      const type = mediaTypes[endings[one.plan.kind]]
      return { name: one.file_name, type, bytes: one.bytes, stream: file.createReadStream() }
    },
    async remove(propertyId, id) {
      await drop(find(propertyId, id))
    },
    async removeAll(propertyId, kinds) {
      for (const one of all.values()) {
        if (one.property_id === propertyId && (!kinds || kinds.includes(one.plan.kind))) await drop(one)
      }
    },
    async sweep() {
      if (isClosed) return
      const nowMs = deps.now()
      await touch(folder, nowMs)
      await removeOthers(home, own, isAlone ? Infinity : nowMs - ABANDONED_MS)
      for (const one of all.values()) if (one.created_ms <= nowMs - KEPT_MS) await drop(one)
      await dropOutdated([...all.values()])
    },
    async close() {
      isClosed = true
      for (const one of all.values()) one.stop.abort(new Error('the service stops'))
      all.clear()
      await last
      await removeFile(folder)
    },
  }
}
