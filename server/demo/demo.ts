// Fills a property with demo traffic. The same seed gives rows with the same ids, so writing them again
// changes nothing.
import type { Parts } from '../context.ts'
import { DAY_MS } from '../kernel/days.ts'
import { everyRow } from '../kernel/page.ts'
import { createProperty, listProperties, type Property, createToken, scopes } from '../properties/properties.ts'
import type { Facts } from '../stores/facts.ts'
import type { FactTables } from '../stores/tables.ts'
import { spreadOverDays } from './calendar.ts'
import { DEMO_HOST } from './catalogue.ts'
import { clicksOf } from './clicks.ts'
import { openContactWriter } from './contacts.ts'
import { contentRows, openDemoContent } from './content.ts'
import { formRows, openDemoForms, openSubmissionWriter } from './forms.ts'
import { formVisitsOf } from './formvisits.ts'
import { openDemoLinks } from './links.ts'
import { identificationOf, peopleOf } from './people.ts'
import { clickRows, eventRows, viewRows, type RowMaker } from './rows.ts'
import { type DemoVisit, visitsOf } from './traffic.ts'

export const DEMO_NAME = 'Demo'

export interface DemoOptions {
  readonly sessions: number
  readonly days: number
  readonly seed: number
  /** Left out: the run has the process to itself. */
  readonly pace?: DemoPace
}

export interface DemoTotals {
  sessions: number
  robots: number
  views: number
  events: number
  /** On short links, by people and programs. */
  clicks: number
  /** Sessions with an identified visitor. */
  identified: number
  /** Sent through forms, including those taken for spam. */
  submissions: number
  /** Views of the content block and clicks on it, by people and bots. */
  impressions: number
}

/** How a run shares the process with other work. */
export interface DemoPace {
  /** Rows per insert. A visitor's row may have to wait for one such insert. */
  readonly pieceRows: number
  /**
   * Concurrent inserts: enough to generate rows while the store writes, few enough for its queue and for
   * memory.
   */
  readonly pieces: number
  /** Contacts, and submissions, per transaction of the records. */
  readonly contacts: number
  readonly submissions: number
  /** Called after each visit. May wait, and ends the run by throwing. */
  rest(): Promise<void> | undefined
}

/** For a run that has the process to itself: inserts of the size that the store takes well. */
const alone: DemoPace = { pieceRows: 5_000, pieces: 4, contacts: 250, submissions: 100, rest: () => undefined }

/** The property is found by its name, so that every run adds to the same one. */
export async function findOrCreateDemoProperty(context: Parts): Promise<Property> {
  const properties = await everyRow((page) => listProperties(context, page))
  const found = properties.find(({ name, domains }) => name === DEMO_NAME && domains.includes(DEMO_HOST))
  if (found) return found
  const draft = { name: DEMO_NAME, domains: [DEMO_HOST], default_period: 'last_28', plan: 'paid' } as const
  return createProperty(context, { ...draft, domains: [...draft.domains] })
}

/** A token with which the demo can be queried. */
export async function createDemoToken(context: Parts, property: Property): Promise<string> {
  const draft = { name: 'demo', scopes: [...scopes] }
  return (await createToken(context, property.id, draft)).accessToken
}

/** The tables that the demo writes. */
type DemoTable = 'views' | 'events' | 'clicks' | 'form_events' | 'impressions'
type Rows = { readonly [T in DemoTable]: readonly FactTables[T][] }

/** Sends rows of all tables to the store, never more than a few pieces at once. */
function openWriter(facts: Facts, { pieceRows, pieces }: Pick<DemoPace, 'pieceRows' | 'pieces'>) {
  const waiting: { [T in DemoTable]: FactTables[T][] } = {
    views: [],
    events: [],
    clicks: [],
    form_events: [],
    impressions: [],
  }
  const tables = Object.keys(waiting) as DemoTable[]
  const underWay = new Set<Promise<void>>()
  const failures: unknown[] = []

  const send = async (table: DemoTable): Promise<void> => {
    const rows = waiting[table]
    waiting[table] = []
    // A piece may fail while nobody waits for it: the next send throws its error.
    const sent = facts
      .appendAll(table, rows)
      .catch((error: unknown) => void failures.push(error))
      .finally(() => underWay.delete(sent))
    underWay.add(sent)
    if (underWay.size >= pieces) await Promise.race(underWay)
    if (failures.length > 0) throw failures[0]
  }

  return {
    /** Resolves when there is room for more. @returns whether a piece was sent. */
    async add(rows: Rows): Promise<boolean> {
      waiting.views.push(...rows.views)
      waiting.events.push(...rows.events)
      waiting.clicks.push(...rows.clicks)
      waiting.form_events.push(...rows.form_events)
      waiting.impressions.push(...rows.impressions)
      const full = tables.filter((table) => waiting[table].length >= pieceRows)
      for (const table of full) await send(table)
      return full.length > 0
    },
    /** They are sent with the next piece. */
    identified(rows: readonly FactTables['events'][]): void {
      waiting.events.push(...rows)
    },
    async close(): Promise<void> {
      for (const table of tables) await send(table)
      await Promise.all(underWay)
      if (failures.length > 0) throw failures[0]
    },
  }
}

function count(totals: DemoTotals, { isRobot }: DemoVisit, rows: Rows): void {
  totals[isRobot ? 'robots' : 'sessions']++
  totals.views += rows.views.length
  totals.events += rows.events.length
  totals.clicks += rows.clicks.length
  totals.impressions += rows.impressions.length
}

/**
 * @param progress is called with the totals now and then.
 * @throws Problem('unavailable') when the store stays away; what was written so far stays, and the next run
 * completes it.
 */
export async function writeDemo(
  context: Parts,
  property: Property,
  options: DemoOptions,
  progress: (totals: Readonly<DemoTotals>) => void,
): Promise<DemoTotals> {
  const { seed, pace = alone } = options
  const nowMs = context.now()
  const maker: RowMaker = { enrich: context.enrich, rates: await context.rates.table(), property }
  const links = await openDemoLinks(context, property.id)
  const forms = await openDemoForms(context, property.id)
  const spread = spreadOverDays({ ...options, nowMs })
  const block = await openDemoContent(context, property, spread[0]!.day * DAY_MS)
  const writer = openWriter(context.facts, pace)
  const people = peopleOf(options)
  const contacts = openContactWriter(context, property.id, (rows) => writer.identified(rows), pace.contacts)
  const submissions = openSubmissionWriter(context, forms, pace.submissions)
  const totals: DemoTotals = {
    sessions: 0,
    robots: 0,
    views: 0,
    events: 0,
    clicks: 0,
    identified: 0,
    submissions: 0,
    impressions: 0,
  }
  for (const day of spread) {
    for (const visit of visitsOf(day, seed, nowMs)) {
      const identification = identificationOf(people, visit)
      const filledIn = formVisitsOf(visit, identification, nowMs)
      const rows = {
        views: viewRows(maker, visit),
        events: eventRows(maker, visit),
        clicks: clickRows(maker, links, clicksOf(visit, nowMs)),
        form_events: formRows(context.enrich, forms, visit, filledIn),
        impressions: contentRows(context.enrich, block, visit, nowMs),
      }
      count(totals, visit, rows)
      totals.submissions += await submissions.add(visit, filledIn)
      if (identification) {
        totals.identified++
        await contacts.add(visit, identification)
      }
      if (await writer.add(rows)) progress(totals)
      await pace.rest()
    }
  }
  await contacts.close()
  await submissions.close()
  await writer.close()
  progress(totals)
  return totals
}
