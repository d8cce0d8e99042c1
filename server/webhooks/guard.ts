// The address guard: which addresses a webhook may be sent to. A name passes only with all its addresses, and
// what passed is what is connected to: between the check and the connection nothing is looked up again.
import { isIP } from 'node:net'
import type { Lookup } from './lookup.ts'
import { isForbidden, isPublic, openRanges, throughNat64 } from './ranges.ts'

/** Without the address: outsiders must not learn where a name leads inside. */
export class RefusedAddress extends Error {
  readonly code = 'REFUSED_ADDRESS'
  constructor() {
    super('refused address')
    this.name = 'RefusedAddress'
  }
}

/** An answer without addresses; some resolvers give one instead of an error. */
class NoAddress extends Error {
  readonly code = 'ENOTFOUND'
}

export interface Guard {
  /** Whether the address itself may be called. */
  lets(address: string): boolean
  /**
   * The addresses to connect to: the host's own when it is written as an address, otherwise all that one
   * look-up gives.
   * @param hostname as URL has it, with or without brackets
   * @throws RefusedAddress when one of them may not be called; what the look-up throws
   */
  vet(hostname: string, lookup: Lookup): Promise<readonly string[]>
}

/** The host without the brackets of a URL. */
export const bareHost = (hostname: string): string => hostname.replace(/^\[(.*)\]$/, '$1')

/** Where webhooks may be sent beside public addresses over https. */
export interface Reach {
  /** CIDRs and addresses (WEBHOOK_ALLOW) let through although not public; link-local ones never are. */
  readonly allow: readonly string[]
  /**
   * Hosts in lower case (WEBHOOK_ALLOW_HTTP) that may be called without TLS, at addresses in `allow` alone:
   * what webhooks say of people never crosses the internet in the clear.
   */
  readonly allowHttp?: readonly string[]
}

/** Whether a URL may be called without TLS; a dot at the end of its host is the root's. */
export const isPlainHost = ({ allowHttp = [] }: Reach, { hostname }: URL): boolean =>
  allowHttp.includes(bareHost(hostname).replace(/\.$/, ''))

/**
 * @param allow CIDRs and addresses let through although they are not public; link-local ones stay refused.
 * @param isPublicToo false lets nothing through but `allow`.
 */
export function openGuard(allow: readonly string[], isPublicToo = true): Guard {
  const isAllowed = openRanges(allow)
  const lets = (address: string): boolean => {
    if (isForbidden(address)) return false
    return isAllowed(address) || isAllowed(throughNat64(address)) || (isPublicToo && isPublic(address))
  }
  return {
    lets,
    vet: async (hostname, lookup) => {
      const host = bareHost(hostname)
      const addresses = isIP(host) === 0 ? await lookup(host) : [host]
      if (addresses.length === 0) throw new NoAddress('the name has no address')
      if (!addresses.every(lets)) throw new RefusedAddress()
      return addresses
    },
  }
}
