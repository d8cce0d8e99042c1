// The badge of a share link: how many people are on the site now, as an image for any page. It tells no more
// than the link does: fewer than three are shown as none.
import { LRUCache } from 'lru-cache'
import type { Deps } from '../kernel/deps.ts'
import { Problem } from '../kernel/problem.ts'
import { endOfNow } from '../kernel/window.ts'
import { findShareByBadge } from '../members/members.ts'
import { parseClauses } from '../analytics/clauses.ts'
import { shownWhole } from './cells.ts'
import { readLiveCells } from './facts.ts'
import { segmentOf } from './questions.ts'

const LIVE_MS = 300_000
/** However many open a page with the badge, the facts are asked once in this time. */
export const BADGE_SECONDS = 20
/** Badges whose numbers are known at a time. */
const MOST_KNOWN = 1000

type BadgeDeps = Pick<Deps, 'records' | 'facts' | 'now'>

async function countNow({ records, facts, now }: BadgeDeps, key: string): Promise<number> {
  const share = await findShareByBadge(records, key)
  if (!share) throw new Problem('not_found', 'There is no badge at this URL.')
  const clauses = parseClauses(await segmentOf({ records }, share))
  const toMs = endOfNow(now())
  const scope = { propertyId: share.propertyId, clauses, span: { fromMs: toMs - LIVE_MS, toMs } }
  return shownWhole(await readLiveCells(facts, scope)).sessions
}

export type CountLive = (key: string) => Promise<number>

/** @returns how many are there, by the key of a badge. @throws Problem('not_found') */
export function openBadges(deps: BadgeDeps): CountLive {
  const known = new LRUCache<string, { readonly readMs: number; readonly count: Promise<number> }>({ max: MOST_KNOWN })
  return async (key) => {
    const found = known.get(key)
    if (found && Math.abs(deps.now() - found.readMs) < BADGE_SECONDS * 1000) return found.count
    const own = { readMs: deps.now(), count: countNow(deps, key) }
    known.set(key, own)
    own.count.catch(() => known.get(key) === own && known.delete(key))
    return own.count
  }
}

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escaped = (text: string): string => text.replace(/[&<>"]/g, (letter) => escapes[letter] ?? '')

/** Of a letter at this size, nearly; wider ones are squeezed by `textLength`. */
const LETTER_WIDTH = 6.6
const HEIGHT = 24
const BEFORE = 22
const AFTER = 10

/** An SVG image. @param label behind the number: whatever anybody writes into the URL. */
export function badgeImage(count: number, label: string): string {
  const words = `${count.toLocaleString('en')} ${label}`.trim()
  const length = Math.ceil([...words].length * LETTER_WIDTH)
  const width = BEFORE + length + AFTER
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${HEIGHT}" viewBox="0 0 ${width} ${HEIGHT}" role="img" aria-label="${escaped(words)}">` +
    `<rect x=".5" y=".5" width="${width - 1}" height="${HEIGHT - 1}" rx="11.5" fill="#fff" stroke="#d9d8d2"/>` +
    `<circle cx="13" cy="12" r="4" fill="${count > 0 ? '#11734b' : '#8b8a84'}"/>` +
    `<text x="${BEFORE}" y="16" textLength="${length}" lengthAdjust="spacingAndGlyphs" font-family="system-ui, sans-serif" font-size="12" font-weight="500" fill="#1b1c1e">${escaped(words)}</text></svg>`
  )
}
