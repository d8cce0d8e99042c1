// The demo's content: one block on its article pages, in two versions that visitors get by the code that
// serves real ones, and their reactions. The same visit always does the same; a block that its owner renamed,
// and a deleted version, get no more visits.
import { createBlock, getBlock, listBlocks, type Block, createVersion } from '../content/content.ts'
import { bucketOf, chooseVersion, impressionRow, type Interaction } from '../content-flow/content-flow.ts'
import type { Parts } from '../context.ts'
import type { Enrich } from '../enrich/enrich.ts'
import { DAY_MS } from '../kernel/days.ts'
import { SERVICE_EDITOR } from '../kernel/edits.ts'
import type { Property } from '../properties/properties.ts'
import type { ImpressionRow } from '../stores/tables.ts'
import { articles, DEMO_HOST, offerPage } from './catalogue.ts'
import { around, openChance, wideNumber, type Chance } from './chance.ts'
import type { DemoView, DemoVisit } from './traffic.ts'

const BLOCK = { name: 'Offer under articles', goal: { type: 'click', value: 'offer' } }
const OFFER_URL = `https://${DEMO_HOST}${offerPage.path}`

interface DemoVersion {
  readonly label: string
  readonly html: string
  readonly button: string
  /** The click rates of the versions: the difference that the comparison should find. */
  readonly clickShare: number
}

export const versions: readonly DemoVersion[] = [
  {
    label: 'Price first',
    html: '<aside><h3>Lamps from the workshop</h3><p>From 89. Free delivery this month.</p></aside>',
    button: 'See the lamps',
    clickShare: 0.052,
  },
  {
    label: 'Light first',
    html: '<aside><h3>Read on in better light</h3><p>Every lamp is made by hand, and dims to a candle.</p></aside>',
    button: 'Find your light',
    clickShare: 0.071,
  },
]

/** The phase in which both versions exist: creating the block opens the first, and each version another. */
const PHASE = 1 + versions.length

type Making = Pick<Parts, 'records' | 'content' | 'randomBytes' | 'now'>

const EVERY_BLOCK = { page: 1, perPage: 500 }

async function makeBlock(making: Making, property: Property): Promise<void> {
  const deps = { ...making, editor: SERVICE_EDITOR }
  const { id } = await createBlock(deps, property.id, BLOCK)
  for (const { label, html, button } of versions)
    await createVersion(deps, property, id, { label, html, ctas: [{ key: 'offer', label: button, url: OFFER_URL }] })
}

/**
 * @param sinceMs when the block was first shown: comparisons count nothing from before. Undefined when the
 * owner has other versions now.
 */
export async function openDemoContent(context: Parts, property: Property, sinceMs: number): Promise<Block | undefined> {
  const { total } = await listBlocks(context, property.id, { page: 1, perPage: 1 })
  if (total === 0) await makeBlock({ ...context, now: () => sinceMs }, property)
  const { rows } = await listBlocks(context, property.id, EVERY_BLOCK)
  const found = rows.find(({ name }) => name === BLOCK.name)
  return found && getBlock(context, property.id, found.id)
}

// ---------------------------------------------------------------- what visitors do

/** The share of readers who scroll down to the block. */
const SEEN_SHARE = 0.6
/** The share of bots that render pages and run scripts. */
const ROBOT_SEEN_SHARE = 0.05
const LOOK_MS = 4_000
const MAX_LOOK_MS = 60_000

const articleUrls: ReadonlySet<string> = new Set(articles.map(([, { path }]) => `https://${DEMO_HOST}${path}`))

/** A stream other than those of the visit, its person, its clicks and its forms. */
const chanceOf = ({ hash, day }: DemoVisit): Chance => {
  const wide = BigInt(hash)
  return openChance(Number(BigInt.asIntN(32, wide ^ (wide >> 32n) ^ 0x3c6e_f372n)), day)
}

const nothing = { dwell_ms: 0, cta_key: '', element_key: '', event_name: '', meta: '' } as const

interface Scene {
  readonly block: Block
  readonly visit: DemoVisit
  readonly chance: Chance
  /** Nothing happens from this time on. */
  readonly endMs: number
}

/** One view of the block, and perhaps a click; none when the visitor left the page before. */
function interactionsOn(scene: Scene, page: DemoView): Interaction[] {
  const { block, visit, chance, endMs } = scene
  const session = { day: visit.day, hash: BigInt(visit.hash) }
  const version = chooseVersion(block.versions, bucketOf(block, session))
  const at = page.atMs + 2_000 + Math.floor(around(chance, LOOK_MS))
  const isSeen = chance() < (visit.isRobot ? ROBOT_SEEN_SHARE : SEEN_SHARE)
  const dwell_ms = Math.min(MAX_LOOK_MS, Math.floor(around(chance, LOOK_MS)))
  const [nonce, clickId] = [BigInt(wideNumber(chance)), BigInt(wideNumber(chance))]
  const draw = chance()
  const known = versions.find(({ label }) => label === version?.label)
  if (!version || !known || !isSeen || at + dwell_ms >= endMs) return []
  const request = { ...session, nonce, issuedMs: page.atMs, phase: PHASE }
  const scope = { propertyId: block.property_id, blockId: block.id, versionId: version.id }
  const view: Interaction = { ...nothing, kind: 'view', id: nonce, scope, request, at, dwell_ms }
  if (visit.isRobot || draw >= known.clickShare) return [view]
  return [view, { ...nothing, kind: 'click', id: clickId, scope, request, at: at + dwell_ms, cta_key: 'offer' }]
}

/**
 * Empty for most visits. Nothing happens from `nowMs` on, nor on another day, nor before the block existed.
 */
export function contentRows(
  enrich: Enrich,
  block: Block | undefined,
  visit: DemoVisit,
  nowMs: number,
): ImpressionRow[] {
  const pages = visit.views.filter(({ url }) => articleUrls.has(url.split('?', 1)[0]!))
  if (!block || pages.length === 0 || pages[0]!.atMs < block.created_ts * 1000) return []
  const scene = { block, visit, chance: chanceOf(visit), endMs: Math.min(nowMs, (visit.day + 1) * DAY_MS) }
  const { address, userAgent: agent, acceptLanguage: language } = visit
  const sender = { visitor: { address, agent, language }, headers: { 'user-agent': agent } }
  return pages.flatMap((page) => interactionsOn(scene, page)).map((each) => impressionRow(enrich, each, sender))
}
