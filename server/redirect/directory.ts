// Every link in use, in memory: a redirect needs no database. Loaded in the background at the start; up to
// date after each change on this node, and half a second after each change on another; a link that is not
// there yet is asked for when somebody follows it.
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
import type { Deps } from '../kernel/deps.ts'
import { settledWithin } from '../queues/deadline.ts'
import { type Loader, openLoader } from '../queues/loader.ts'
import { openTurns } from '../queues/turns.ts'
import { isCode } from '../links/codes.ts'
import type { OwnHost } from '../links/domain-model.ts'
import { changedHosts } from '../links/domain-records.ts'
import type { Place } from '../links/link-model.ts'
import { OwnHostMemory } from './own-hosts.ts'
import { openLinkMemory, type Target } from './memory.ts'
import {
  changedGroups,
  changedLinks,
  findPacked,
  linesAfter,
  type LinkLines,
  listTargetGroups,
  readChangeNo,
} from './records.ts'

export { type Target } from './memory.ts'

export interface LinkDirectory {
  /**
   * A promise only until all links are loaded, and for a code that is not in memory. @throws
   * Problem('unavailable') when the link is not in memory yet and the database does not answer.
   */
  find(place: Place, code: string): Target | undefined | Promise<Target | undefined>
  /** Only what is in memory: asks nobody, and nobody waits. */
  peek(place: Place, code: string): Target | undefined
  /** The property whose own host it is; undefined for any other. */
  ownHost(host: string): OwnHost | undefined
  /**
   * Resolves when every change that was committed before the call is in memory. @throws what the database
   * threw.
   */
  refresh(): Promise<void>
  /** Links in memory. */
  readonly size: number
  /** Resolves once the properties' own hosts are known, or the directory is closed. */
  readonly hostsKnown: Promise<void>
  /** Resolves once all links are in memory, or the directory is closed. */
  readonly loaded: Promise<void>
  close(): Promise<void>
}

/** Two polls within the second in which a change on another node must arrive; each reads one row. */
const POLL_MS = 500
/**
 * For a code that is not in memory: longer than the one row takes that a refresh reads, and hardly noticed.
 */
const NEW_WAIT_MS = 500
/**
 * Between two refreshes that codes which are not in memory ask for: a flood of made-up ones costs ten small
 * statements a second, however many there are.
 */
export const NEW_EVERY_MS = 100

/** So long does a refresh wait for the first load, at most: a tenth of a second. */
const SLICES_A_TURN = 10

type DirectoryDeps = Pick<Deps, 'records' | 'log'>

/** Logs the first failure, and the first success after it. */
function openComplaint(log: Deps['log']) {
  let isFailing = false
  return (error?: unknown): void => {
    if (error !== undefined && !isFailing)
      log.warn({ err: error }, 'short links cannot be read from the records: what is in memory goes on')
    if (error === undefined && isFailing) log.info('short links are read from the records again')
    isFailing = error !== undefined
  }
}

export const openLinkDirectory = (deps: DirectoryDeps): LinkDirectory => new MemoryDirectory(deps)

class MemoryDirectory implements LinkDirectory {
  readonly loaded: Promise<void>
  readonly hostsKnown: Promise<void>
  readonly #records: Deps['records']
  readonly #memory = openLinkMemory()
  readonly #hosts = new OwnHostMemory()
  readonly #inTurn = openTurns({ atOnce: 1 })
  readonly #complain: (error?: unknown) => void
  readonly #poll: NodeJS.Timeout
  /** Look-ups in the records, for as long as not all links are loaded. */
  readonly #lookUps: Loader<Target>
  /** All changes up to this number are in memory, or among the links that are still to be loaded. */
  #known: number | undefined
  #isLoaded = false
  #isClosed = false
  #loads = 0
  /** A refresh that has not begun yet. */
  #waiting: Promise<void> | undefined
  /** A refresh for codes that are not in memory, and when the last one began. */
  #forNew: Promise<void> | undefined
  #forNewAtMs = -NEW_EVERY_MS

  constructor({ records, log }: DirectoryDeps) {
    this.#records = records
    this.#complain = openComplaint(log)
    const complain = this.#complain
    this.#poll = setInterval(() => void this.refresh().then(() => complain(), complain), POLL_MS).unref()
    this.#lookUps = openLoader<Target>({
      load: (keys) => findPacked(records, keys),
      begin: () => 0,
      loaded: () => undefined,
      failed: () => undefined,
    })
    const known = Promise.withResolvers<void>()
    this.hostsKnown = known.promise
    this.loaded = this.#load(known.resolve)
  }

  get size(): number {
    return this.#memory.size
  }

  find(place: Place, code: string): Target | undefined | Promise<Target | undefined> {
    const target = this.#memory.find(place, code)
    if (target || !isCode(code)) return target
    return this.#isLoaded ? this.#findNew(place, code) : this.#lookUps.ask(`${place}/${code}`)
  }

  peek(place: Place, code: string): Target | undefined {
    return this.#memory.find(place, code)
  }

  ownHost(host: string): OwnHost | undefined {
    return this.#hosts.find(host)
  }

  /**
   * Another process may have created it a moment ago. Of records that are away or slow nothing is learned.
   */
  async #findNew(place: Place, code: string): Promise<Target | undefined> {
    await this.#refreshForNew()
    return this.#memory.find(place, code)
  }

  /** Shared by all who ask before it begins. */
  #refreshForNew(): Promise<void> {
    this.#forNew ??= this.#beginForNew()
    return this.#forNew
  }

  async #beginForNew(): Promise<void> {
    const leftMs = this.#forNewAtMs + NEW_EVERY_MS - performance.now()
    await (leftMs > 0 ? pause(leftMs) : nextTurn())
    this.#forNew = undefined // whoever asks from here on may ask for what was committed since
    this.#forNewAtMs = performance.now()
    await settledWithin(this.refresh(), NEW_WAIT_MS)
  }

  /** Callers share the refresh that waits for its turn: it has not read anything yet. */
  refresh(): Promise<void> {
    this.#waiting ??= this.#inTurn(async () => {
      this.#waiting = undefined
      await this.#catchUp()
    })
    return this.#waiting
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearInterval(this.#poll)
    await this.#inTurn(async () => undefined)
  }

  async #load(begun?: () => void): Promise<void> {
    const mine = ++this.#loads
    await this.#persist(() => this.#begin())
    begun?.()
    let at: number | undefined = 0
    while (at !== undefined && !this.#isClosed && mine === this.#loads) {
      const after: number = at
      at = await this.#persist(() => this.#loadSlices(after))
    }
    if (mine === this.#loads) this.#isLoaded = !this.#isClosed
  }

  async #begin(): Promise<void> {
    this.#memory.clear()
    const number = await readChangeNo(this.#records)
    for (const group of await listTargetGroups(this.#records)) this.#memory.putGroup(group)
    this.#hosts.clear()
    this.#hosts.put(await changedHosts(this.#records, 0))
    this.#known = number
  }

  /**
   * While the links of one slice are put, the next one is read; none is left that was read before a change
   * and would be put after it.
   * @returns where the next slices begin; undefined after the last one.
   */
  async #loadSlices(after: number): Promise<number | undefined> {
    let slice = await linesAfter(this.#records, after)
    for (let count = 1; slice && !this.#isClosed; count++) {
      const { seq }: LinkLines = slice
      const next: Promise<LinkLines | undefined> | undefined =
        count < SLICES_A_TURN ? linesAfter(this.#records, seq) : undefined
      next?.catch(() => undefined) // thrown where it is waited for
      this.#memory.putLines(slice.bytes)
      await nextTurn()
      if (!next) return seq
      slice = await next
    }
    return undefined
  }

  /** Repeats the work until it succeeds; meanwhile the redirect asks the database. */
  async #persist<T>(work: () => Promise<T>): Promise<T | undefined> {
    while (!this.#isClosed) {
      try {
        const done = await this.#inTurn(work)
        this.#complain()
        return done
      } catch (error) {
        this.#complain(error)
        await pause(POLL_MS, undefined, { ref: false })
      }
    }
    return undefined
  }

  /**
   * Reads the number before groups and links: a change that is committed in between is read again next time.
   */
  async #catchUp(): Promise<void> {
    const known = this.#known
    if (known === undefined) return
    const number = await readChangeNo(this.#records)
    if (number === known) return
    if (number < known) return this.#startAgain()
    await this.#putChanges(known)
    this.#known = number
  }

  /** Groups before links: a link is put to its group. */
  async #putChanges(after: number): Promise<void> {
    const memory = this.#memory
    const groups = await changedGroups(this.#records, after)
    for (const group of groups) if (group.state !== 'deleted') memory.putGroup({ ...group, state: group.state })
    for await (const links of changedLinks(this.#records, after)) {
      for (const link of links) memory.putLink(link)
      await nextTurn() // a bulk creation has many slices: requests are served between them
    }
    this.#hosts.put(await changedHosts(this.#records, after))
    const gone = groups.filter(({ state }) => state === 'deleted').map(({ id }) => id)
    if (gone.length > 0) await memory.removeGroups(gone)
  }

  /** The records were restored from an older backup: nothing in memory can be relied on. */
  #startAgain(): void {
    this.#known = undefined
    this.#isLoaded = false
    void this.#load()
  }
}
