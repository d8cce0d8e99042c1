// Every link in use, in memory: the redirect asks no database. Loaded in the background at the start; exact after each change of this node,
// and half a second after each change of another one.
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
import type { Deps } from '../kernel/deps.ts'
import { openLoader } from '../queues/loader.ts'
import { openTurns } from '../queues/turns.ts'
import { isCode } from '../links/codes.ts'
import type { Domain } from '../links/link-model.ts'
import { openLinkMemory, type Target } from './memory.ts'
import { changedGroups, changedLinks, findPacked, linksAfter, listTargetGroups, readChangeNo } from './records.ts'

export { type Target } from './memory.ts'

export interface LinkDirectory {
  /** A promise only until all links are loaded. @throws Problem('unavailable') when it is not in memory yet and the database does not answer. */
  find(domain: Domain, code: string): Target | undefined | Promise<Target | undefined>
  /** Resolves when every change that was committed before the call is known here. @throws what the database threw. */
  refresh(): Promise<void>
  /** Links in memory. */
  readonly size: number
  /** Resolves once all links are in memory, or the directory is closed. */
  readonly loaded: Promise<void>
  close(): Promise<void>
}

/** Two polls within the second after which a change on another node is known at the latest; one row is read by each. */
const POLL_MS = 500

type DirectoryDeps = Pick<Deps, 'records' | 'log'>

/** Says once that something fails, and once that it works again. */
function openComplaint(log: Deps['log']) {
  let isFailing = false
  return (error?: unknown): void => {
    if (error !== undefined && !isFailing)
      log.warn({ err: error }, 'short links cannot be read from the records: what is in memory goes on')
    if (error === undefined && isFailing) log.info('short links are read from the records again')
    isFailing = error !== undefined
  }
}

export function openLinkDirectory({ records, log }: DirectoryDeps): LinkDirectory {
  const memory = openLinkMemory()
  const inTurn = openTurns({ atOnce: 1 })
  const complain = openComplaint(log)
  /** All changes up to this number are in memory or in what is still to be loaded. */
  let known: number | undefined
  let isLoaded = false
  let isClosed = false
  let loads = 0

  async function begin(): Promise<void> {
    memory.clear()
    const number = await readChangeNo(records)
    for (const group of await listTargetGroups(records)) memory.putGroup(group)
    known = number
  }

  /** @returns where the next slice begins; undefined after the last one. */
  async function loadSlice(after: number): Promise<number | undefined> {
    const links = await linksAfter(records, after)
    for (const link of links) memory.putLink(link)
    return links.at(-1)?.seq
  }

  /** Groups before links, and the number before both: what is committed in between is read again by the next call. */
  async function catchUp(): Promise<void> {
    if (known === undefined) return
    const number = await readChangeNo(records)
    if (number === known) return
    if (number < known) return startAgain()
    const groups = await changedGroups(records, known)
    for (const group of groups) if (group.state !== 'deleted') memory.putGroup({ ...group, state: group.state })
    for await (const links of changedLinks(records, known)) {
      for (const link of links) memory.putLink(link)
      await nextTurn() // SQLite answers at once: without it all slices of a bulk creation would be one turn
    }
    const gone = groups.filter(({ state }) => state === 'deleted').map(({ id }) => id)
    if (gone.length > 0) await memory.removeGroups(gone)
    known = number
  }

  /** Somebody put back an older state of the records: nothing in memory can be relied on. */
  function startAgain(): void {
    known = undefined
    isLoaded = false
    void load()
  }

  /** Again and again until it works: the redirect asks the database meanwhile. */
  async function persist<T>(work: () => Promise<T>): Promise<T | undefined> {
    while (!isClosed) {
      try {
        const done = await inTurn(work)
        complain()
        return done
      } catch (error) {
        complain(error)
        await pause(POLL_MS, undefined, { ref: false })
      }
    }
    return undefined
  }

  async function load(): Promise<void> {
    const mine = ++loads
    await persist(begin)
    let at: number | undefined = 0
    while (at !== undefined && !isClosed && mine === loads) {
      const after: number = at
      at = await persist(() => loadSlice(after))
      await nextTurn()
    }
    if (mine === loads) isLoaded = !isClosed
  }

  let waiting: Promise<void> | undefined
  /** Who asks while one is waiting for its turn shares it: it has not read anything yet. */
  const refresh = (): Promise<void> =>
    (waiting ??= inTurn(async () => {
      waiting = undefined
      await catchUp()
    }))

  const poll = setInterval(() => void refresh().then(() => complain(), complain), POLL_MS).unref()

  const asked = openLoader<Target>({
    load: (places) => findPacked(records, places),
    begin: () => 0,
    loaded: () => undefined,
    failed: () => undefined,
  })
  const loaded = load()

  return {
    find(domain, code) {
      const target = memory.find(domain, code)
      if (target || isLoaded || !isCode(code)) return target
      return asked.ask(`${domain}/${code}`)
    },
    refresh,
    get size() {
      return memory.size
    },
    loaded,
    async close() {
      isClosed = true
      clearInterval(poll)
      await inTurn(async () => undefined)
    },
  }
}
