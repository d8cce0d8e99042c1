// The codes that a file chooses for its links: none twice, and none that is or was anybody's.
import type { CellFault } from '../csv/cells.ts'
import type { Records } from '../stores/records.ts'
import { codeKey, keyOf, shadowedAmong, takenCodes } from './code-records.ts'
import type { OwnHosts } from './domain-model.ts'
import type { LinkDraft } from './draft.ts'
import type { Link } from './link-model.ts'

export const repeatedCode: CellFault = { field: 'code', reason: 'is in the file twice' }
export const takenCode: CellFault = { field: 'code', reason: 'is taken, or was before' }

/** Values that one statement may bind, well below what both databases take. */
const ASKED_AT_ONCE = 500

type Chosen = Pick<Link, 'domain' | 'host' | 'code'>

export interface CodeCheck {
  /** Remembers the code of a draft; true when an earlier row has chosen it. */
  isRepeated(line: number, draft: Pick<LinkDraft, 'domain' | 'code'>): boolean
  /** The lines whose codes are taken, in their order. */
  takenLines(): Promise<number[]>
}

/** @param hosts of the property. */
export function openCodeCheck(records: Records, propertyId: string, hosts: OwnHosts): CodeCheck {
  const chosen = new Map<string, { readonly line: number; readonly link: Chosen }>()
  return {
    isRepeated(line, { domain, code }) {
      if (!code) return false
      const link = { domain, host: hosts.get(domain) ?? null, code: code.trim() }
      const key = codeKey(keyOf(link))
      if (chosen.has(key)) return true
      chosen.set(key, { line, link })
      return false
    },
    async takenLines() {
      const all = [...chosen.values()]
      const lines: number[] = []
      for (let at = 0; at < all.length; at += ASKED_AT_ONCE) {
        const some = all.slice(at, at + ASKED_AT_ONCE)
        const links = some.map(({ link }) => link)
        const taken = await takenCodes(records, links.map(keyOf))
        const shadowed = await shadowedAmong(records, propertyId, links)
        const isTaken = (key: string) => taken.has(key) || shadowed.has(key)
        lines.push(...some.filter(({ link }) => isTaken(codeKey(keyOf(link)))).map(({ line }) => line))
      }
      return lines
    },
  }
}
