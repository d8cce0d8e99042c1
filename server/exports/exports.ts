// Exports under way and done. They live with the process that makes them: one at a time, so that visitors and
// questions have their turns; a start clears what another process left behind, and the export has to be
// requested again. See docs/api/exports.md.
import type { ReadStream } from 'node:fs'
import { open as openFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { asNobody } from '../queues/asker.ts'
import type { Deps } from '../kernel/deps.ts'
import { Problem, propertyNotFound } from '../kernel/problem.ts'
import { getForm } from '../forms/forms.ts'
import { countErasures, type Property } from '../properties/properties.ts'
import { newId, randomText } from '../kernel/secrets.ts'
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

/** A file that is done. */
export interface FoundFile {
  readonly name: string
  readonly type: string
  readonly bytes: number
  readonly path: string
}

export type ExportFile = Omit<FoundFile, 'path'> & { readonly stream: ReadStream }

const ID_LENGTH = 20

const notFound = () => new Problem('not_found', 'Export not found: it has expired, or another node has it.')

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
    throw new Problem('rate_limited', 'There are too many exports. Delete some, or wait until they expire.')
}

/** @throws Problem('not_found') when it was removed meanwhile. */
export async function openFound({ path, ...found }: FoundFile): Promise<ExportFile> {
  const file = await openFile(path).catch(() => undefined)
  if (!file) throw notFound()
  return { ...found, stream: file.createReadStream() }
}

const isOutdated = (one: Export, erasures: number | undefined): boolean =>
  erasures === undefined || (erasures !== one.erasures && personalKinds.includes(one.plan.kind))

export class Exports {
  readonly #deps: Deps
  readonly #mostBytes: number
  readonly #home: string
  readonly #own: string
  readonly #folder: string
  readonly #all = new Map<string, Export>()
  #last: Promise<unknown> = Promise.resolve()
  #isClosed = false

  /** @param mostBytes of all files together; fewer in tests. */
  constructor(deps: Deps, mostBytes = MAX_ALL_BYTES) {
    this.#deps = deps
    this.#mostBytes = mostBytes
    this.#home = resolve(deps.config.dataDir, 'exports')
    this.#own = randomText(deps.randomBytes, ID_LENGTH)
    this.#folder = join(this.#home, this.#own)
  }

  /** @throws Problem: not_found when the form is not there; rate_limited when there are too many already. */
  async create(property: Property, plan: ExportPlan): Promise<Export> {
    const { now } = this.#deps
    if (plan.form !== null) await getForm(this.#deps, property.id, plan.form)
    const erasures = (await countErasures(this.#deps, [property.id])).get(property.id)
    if (erasures === undefined) throw propertyNotFound()
    assertRoomFor(this.#all, property.id, this.#roomFor(undefined))
    const id = newId(this.#deps, 'ex')
    const one: Export = {
      id,
      property_id: property.id,
      plan,
      file_name: fileName(plan, property.name, now()),
      path: join(this.#folder, `${id}.${endings[plan.kind]}`),
      created_ms: now(),
      stop: new AbortController(),
      erasures,
      state: 'running',
      progress: 0,
      bytes: 0,
      fault: null,
      finished_ms: null,
    }
    this.#all.set(id, one)
    this.#enqueue(property, one)
    return one
  }

  /** Newest first. */
  list(propertyId: string): Export[] {
    return [...this.#all.values()].filter((one) => one.property_id === propertyId).toReversed()
  }

  /** @throws Problem('not_found') also for one of another property. */
  get(propertyId: string, id: string): Export {
    const one = this.#all.get(id)
    if (!one || one.property_id !== propertyId) throw notFound()
    return one
  }

  /**
   * @throws Problem: not_found, also when somebody in it was erased since, on whichever node;
   * validation_failed while it is not done.
   */
  async find(propertyId: string, id: string): Promise<FoundFile> {
    const one = this.get(propertyId, id)
    if (one.state !== 'done') throw new Problem('validation_failed', 'The export is not ready yet.')
    await this.#dropOutdated([one])
    const { path, plan, bytes, file_name: name } = this.get(propertyId, id)
    return { name, type: mediaTypes[endings[plan.kind]], bytes, path }
  }

  /** @throws Problem as `find` does. */
  async open(propertyId: string, id: string): Promise<ExportFile> {
    return openFound(await this.find(propertyId, id))
  }

  /** Ends it when it is under way. @throws Problem('not_found') */
  async remove(propertyId: string, id: string): Promise<void> {
    await this.#drop(this.get(propertyId, id))
  }

  /** Those with people in them, or all of a property that goes. */
  async removeAll(propertyId: string, kinds?: readonly ExportKind[]): Promise<void> {
    for (const one of this.#all.values())
      if (one.property_id === propertyId && (!kinds || kinds.includes(one.plan.kind))) await this.#drop(one)
  }

  /** What is old, what others have made untrue, and what another process left behind. */
  async sweep(): Promise<void> {
    if (this.#isClosed) return
    const { now, config } = this.#deps
    const nowMs = now()
    await touch(this.#folder, nowMs)
    // The embedded facts belong to one process, and their folder with them. Otherwise others may write beside
    // this one.
    const isAlone = config.clickhouseUrls.length === 0
    await removeOthers(this.#home, this.#own, isAlone ? Infinity : nowMs - ABANDONED_MS)
    for (const one of this.#all.values()) if (one.created_ms <= nowMs - KEPT_MS) await this.#drop(one)
    await this.#dropOutdated([...this.#all.values()])
  }

  async close(): Promise<void> {
    this.#isClosed = true
    for (const one of this.#all.values()) one.stop.abort(new Error('the service stops'))
    this.#all.clear()
    await this.#last
    await removeFile(this.#folder)
  }

  #roomFor(own: Export | undefined): number {
    const others = [...this.#all.values()].filter((one) => one !== own)
    return this.#mostBytes - others.reduce((sum, { bytes }) => sum + bytes, 0)
  }

  #finish(one: Export, fault: Fault | null): void {
    one.state = fault ? 'failed' : 'done'
    one.fault = fault
    one.finished_ms = this.#deps.now()
    if (!fault) one.progress = 1
  }

  async #run(property: Property, one: Export): Promise<void> {
    if (one.stop.signal.aborted) return
    try {
      await makeFolder(this.#folder)
      await runExport(this.#deps, property, one, { folder: this.#folder, room: () => this.#roomFor(one) })
      this.#finish(one, null)
    } catch (error) {
      one.bytes = 0
      if (!one.stop.signal.aborted) this.#deps.log.warn({ err: error, kind: one.plan.kind }, 'an export failed')
      // The export ends even when the file cannot be removed.
      await removeFile(one.path).finally(() => this.#finish(one, explain(error)))
    }
    // Removed while it was written: nothing of it stays.
    if (one.stop.signal.aborted) await removeFile(one.path)
  }

  /** A file that could not be removed is still known, so that it is tried again. */
  async #drop(one: Export): Promise<void> {
    this.#all.delete(one.id)
    one.stop.abort(new Error('the export is no longer wanted'))
    await removeFile(one.path).catch((error: unknown) => {
      this.#all.set(one.id, one)
      throw error
    })
  }

  /** Whatever node it was on which somebody was erased, or the property removed. */
  async #dropOutdated(some: readonly Export[]): Promise<void> {
    const erasures = await countErasures(this.#deps, [...new Set(some.map((one) => one.property_id))])
    for (const one of some) if (isOutdated(one, erasures.get(one.property_id))) await this.#drop(one)
  }

  /** Whatever becomes of one, the next has its turn. */
  #enqueue(property: Property, one: Export): void {
    this.#last = this.#last
      .then(() => asNobody(() => this.#run(property, one)))
      .catch((error: unknown) => this.#deps.log.error({ err: error }, 'the file of an export could not be removed'))
  }
}
