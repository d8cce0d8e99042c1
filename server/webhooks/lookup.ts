// Looks up the addresses of a name so that one whose servers never answer delays no other. getaddrinfo has
// two of the process' threads, and a look-up that hangs keeps its thread. So names with a dot are looked up
// over the network, which takes no thread, and only those that are unknown there go to getaddrinfo.
import { Resolver, lookup as getaddrinfo } from 'node:dns/promises'
import { settledWithin } from '../queues/deadline.ts'
import { openHosts } from './hosts.ts'
import { codeOf } from './reasons.ts'

/** All addresses of a name. @throws what the resolver says, with its code. */
export type Lookup = (hostname: string) => Promise<readonly string[]>

/** Half of what a delivery has, so that something is left for the call. */
const LOOKUP_MS = 5000
/** Of the first try at a name server; after it the next one is tried, or the same for longer. */
const TRY_MS = 1500
const TRIES = 3
/**
 * For a look-up by the system that hangs to end. After that the own one has not begun, which says nothing
 * about its name.
 */
const TURN_MS = 2000

/** Its codes are known to reasons.ts and url.ts. */
class LookupFailure extends Error {
  override readonly name = 'LookupFailure'
  readonly code: string
  constructor(code: 'ENOTFOUND' | 'EAI_AGAIN' | 'LOOKUP_NOT_BEGUN', cause?: unknown) {
    super('name look-up failed', { cause })
    this.code = code
  }
}

export interface LookupOptions {
  /** Name servers, as `address:port`; the system's unless a test has its own. */
  readonly servers?: readonly string[]
  readonly hostsFile?: string
  /** Knows search domains, and names of an intranet that no name server has. */
  readonly system?: Lookup
  readonly timeoutMs?: number
  readonly turnMs?: number
}

const bySystem: Lookup = async (hostname) => {
  const answers = await getaddrinfo(hostname, { all: true, order: 'verbatim' })
  return answers.map(({ address }) => address)
}

const unknownName = new Set(['ENOTFOUND', 'ENODATA', 'EBADNAME'])
/** There is no name server: the system may know another way. */
const NO_SERVER = 'ECONNREFUSED'

/** While one family may still have an answer, the name may exist. */
function failureOf(errors: readonly unknown[]): unknown {
  const open = errors.find((error) => !unknownName.has(codeOf(error)))
  if (open === undefined) return new LookupFailure('ENOTFOUND', errors[0])
  return codeOf(open) === NO_SERVER ? open : new LookupFailure('EAI_AGAIN', open)
}

const isSystemsTurn = (error: unknown): boolean => ['ENOTFOUND', NO_SERVER].includes(codeOf(error))

/**
 * Both families; the one is enough when the other gets no answer. IPv4 first: more servers have a way out by
 * it.
 */
async function byNameServers(name: string, servers: readonly string[] | undefined, ms: number): Promise<string[]> {
  // A new one each time: it asks the name servers that the system has now.
  const resolver = new Resolver({ timeout: TRY_MS, tries: TRIES })
  if (servers !== undefined) resolver.setServers(servers)
  const timer = setTimeout(() => resolver.cancel(), ms)
  const families = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
  clearTimeout(timer)
  const addresses = families.flatMap((family) => (family.status === 'fulfilled' ? family.value : []))
  if (addresses.length > 0) return addresses
  throw failureOf(families.flatMap((family) => (family.status === 'rejected' ? [family.reason] : [])))
}

async function within(asking: Promise<readonly string[]>, ms: number): Promise<readonly string[]> {
  let failure: unknown = new LookupFailure('EAI_AGAIN')
  const addresses = await settledWithin(asking, ms, (error) => {
    failure = error
  })
  if (addresses === undefined) throw failure
  return addresses
}

/**
 * The next one begins when the one before has ended, even if no caller waits for that any more: it still has
 * its thread.
 */
function oneAtATime(system: Lookup, ms: number, turnMs: number): Lookup {
  let last: Promise<true> = Promise.resolve(true)
  return async (hostname) => {
    const before = last
    const over = Promise.withResolvers<true>()
    last = over.promise
    if ((await settledWithin(before, turnMs)) === undefined) {
      over.resolve(before)
      throw new LookupFailure('LOOKUP_NOT_BEGUN')
    }
    const asking = system(hostname)
    const end = (): void => over.resolve(true)
    asking.then(end, end)
    return within(asking, ms)
  }
}

/** Look-ups of the same name at the same time share one answer. */
function shared(find: Lookup): Lookup {
  const underWay = new Map<string, Promise<readonly string[]>>()
  return (hostname) => {
    const known = underWay.get(hostname)
    if (known !== undefined) return known
    const asking = find(hostname).finally(() => underWay.delete(hostname))
    underWay.set(hostname, asking)
    return asking
  }
}

/**
 * First the hosts file, then the name servers, then the system. A name without a dot is for the system alone:
 * it takes a search domain.
 * @throws Error with code `ENOTFOUND`, `EAI_AGAIN` (no answer, or one that may pass), or `LOOKUP_NOT_BEGUN`:
 * other names stood before it.
 */
export function openLookup(options: LookupOptions = {}): Lookup {
  const { servers, hostsFile = '/etc/hosts', timeoutMs = LOOKUP_MS, turnMs = TURN_MS } = options
  const inHosts = openHosts(hostsFile)
  const system = oneAtATime(options.system ?? bySystem, timeoutMs, turnMs)
  return shared(async (hostname) => {
    const name = hostname.toLowerCase().replace(/\.$/, '')
    const known = inHosts(name)
    if (known.length > 0) return known
    if (!name.includes('.')) return system(hostname)
    try {
      return await byNameServers(name, servers, timeoutMs)
    } catch (error) {
      if (isSystemsTurn(error)) return system(hostname)
      throw error
    }
  })
}

/** Of this process: its look-ups share the system's threads. */
export const systemLookup: Lookup = openLookup()
