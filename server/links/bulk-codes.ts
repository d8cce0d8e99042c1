// The codes that a file chooses for its links: none twice, and none that is or was anybody's.
import type { CellFault } from '../csv/cells.ts'
import type { Records } from '../stores/records.ts'
import { type CodeKey, codeKey, takenCodes } from './code-records.ts'
import type { LinkDraft } from './draft.ts'

export const repeatedCode: CellFault = { field: 'code', reason: 'is in the file twice' }
export const takenCode: CellFault = { field: 'code', reason: 'is taken, or was before' }

/** Values that one statement may bind, well below what both databases take. */
const ASKED_AT_ONCE = 500

export interface CodeCheck {
  /** Remembers the code of a draft; true when an earlier row has chosen it. */
  isRepeated(line: number, draft: Pick<LinkDraft, 'domain' | 'code'>): boolean
  /** The lines whose codes are taken, in their order. */
  takenLines(): Promise<number[]>
}

export function openCodeCheck(records: Records): CodeCheck {
  const chosen = new Map<string, { readonly line: number; readonly key: CodeKey }>()
  return {
    isRepeated(line, { domain, code }) {
      if (!code) return false
      const key = { domain, code: code.trim() }
      if (chosen.has(codeKey(key))) return true
      chosen.set(codeKey(key), { line, key })
      return false
    },
    async takenLines() {
      const all = [...chosen.values()]
      const lines: number[] = []
      for (let at = 0; at < all.length; at += ASKED_AT_ONCE) {
        const some = all.slice(at, at + ASKED_AT_ONCE)
        const taken = await takenCodes(
          records,
          some.map(({ key }) => key),
        )
        lines.push(...some.filter(({ key }) => taken.has(codeKey(key))).map(({ line }) => line))
      }
      return lines
    },
  }
}
