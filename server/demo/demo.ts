// Fills a property with demo traffic. Rows have the same ids whenever the same seed makes them, so writing them again changes nothing.
import { type Context } from '../context.ts'
import { createProperty, listProperties, type Property } from '../properties/properties.ts'
import { createToken } from '../properties/tokens.ts'
import { type Facts } from '../stores/facts.ts'
import { type FactTable, type FactTables } from '../stores/tables.ts'
import { spreadOverDays } from './calendar.ts'
import { DEMO_HOST } from './catalogue.ts'
import { openContactWriter } from './contacts.ts'
import { identificationOf, peopleOf } from './people.ts'
import { eventRows, viewRows, type RowMaker } from './rows.ts'
import { visitsOf } from './traffic.ts'

export const DEMO_NAME = 'Demo'

export interface DemoOptions {
  readonly sessions: number
  readonly days: number
  readonly seed: number
}

export interface DemoTotals {
  sessions: number
  robots: number
  views: number
  events: number
  /** Sessions whose visitor said who they are. */
  identified: number
}

/** Rows handed over at once: what one insert of the store takes well. */
const PIECE_ROWS = 5_000
/** Pieces under way: enough to make the next rows while the store writes, few enough for its queue and for memory. */
const MAX_PIECES = 4

/** The property is found by its name, so that every run adds to the same one. */
export async function findOrCreateDemoProperty(context: Context): Promise<Property> {
  for (let page = 1; ; page++) {
    const { rows, total } = await listProperties(context, { page, perPage: 100 })
    const found = rows.find((property) => property.name === DEMO_NAME && property.domains.includes(DEMO_HOST))
    if (found) return found
    if (page * 100 >= total) break
  }
  const draft = { name: DEMO_NAME, domains: [DEMO_HOST], default_period: 'last_28', plan: 'paid' } as const
  return createProperty(context, { ...draft, domains: [...draft.domains] })
}

/** A token with which the demo can be looked at. */
export async function createDemoToken(context: Context, property: Property): Promise<string> {
  const draft = { name: 'demo', scopes: ['signals:read', 'signals:write', 'contacts:read', 'contacts:write'] } as const
  return (await createToken(context, property.id, draft)).accessToken
}

/** Rows of both tables on their way to the store, never more than a few pieces of them. */
function openWriter(facts: Facts) {
  const waiting: { [T in FactTable]: FactTables[T][] } = { views: [], events: [] }
  const underWay = new Set<Promise<void>>()
  const failures: unknown[] = []

  const send = async (table: FactTable): Promise<void> => {
    const rows = waiting[table]
    waiting[table] = []
    // A piece may fail while nobody waits for it: the next one to be sent tells.
    const sent = facts
      .appendAll(table, rows)
      .catch((error: unknown) => void failures.push(error))
      .finally(() => underWay.delete(sent))
    underWay.add(sent)
    if (underWay.size >= MAX_PIECES) await Promise.race(underWay)
    if (failures.length > 0) throw failures[0]
  }

  return {
    /** Resolves when there is room for more. */
    async room(): Promise<void> {
      if (waiting.views.length >= PIECE_ROWS) await send('views')
      if (waiting.events.length >= PIECE_ROWS) await send('events')
    },
    waiting,
    async close(): Promise<void> {
      await send('views')
      await send('events')
      await Promise.all(underWay)
      if (failures.length > 0) throw failures[0]
    },
  }
}

/**
 * @param progress is told the totals now and then.
 * @throws Problem('unavailable') when the store stays away; what was written so far stays, and the next run completes it.
 */
export async function writeDemo(
  context: Context,
  property: Property,
  options: DemoOptions,
  progress: (totals: Readonly<DemoTotals>) => void,
): Promise<DemoTotals> {
  const nowMs = context.now()
  const maker: RowMaker = { enrich: context.enrich, rates: await context.rates.table(), property }
  const writer = openWriter(context.facts)
  const people = peopleOf(options)
  const contacts = openContactWriter(context, property.id, (rows) => writer.waiting.events.push(...rows))
  const totals: DemoTotals = { sessions: 0, robots: 0, views: 0, events: 0, identified: 0 }
  for (const day of spreadOverDays({ ...options, nowMs })) {
    for (const visit of visitsOf(day, options.seed, nowMs)) {
      const views = viewRows(maker, visit)
      const events = eventRows(maker, visit)
      writer.waiting.views.push(...views)
      writer.waiting.events.push(...events)
      totals[visit.isRobot ? 'robots' : 'sessions']++
      totals.views += views.length
      totals.events += events.length
      const identification = identificationOf(people, visit)
      if (identification) {
        totals.identified++
        await contacts.add(visit, identification)
      }
      if (writer.waiting.views.length >= PIECE_ROWS || writer.waiting.events.length >= PIECE_ROWS) {
        await writer.room()
        progress(totals)
      }
    }
  }
  await contacts.close()
  await writer.close()
  progress(totals)
  return totals
}
