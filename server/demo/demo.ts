// Fills a property with demo traffic. The same seed gives rows with the same ids, so writing them again
// changes nothing.
import type { Parts } from '../context.ts'
import { DAY_MS } from '../kernel/days.ts'
import { everyRow } from '../kernel/page.ts'
import { createProperty, listProperties, type Property, createToken, scopes } from '../properties/properties.ts'
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
import { openGoals } from './goals.ts'
import { type DemoVisit, visitsOf } from './traffic.ts'
import { openRowWriter, type Rows } from './row-writer.ts'
import { vitalsRows } from './vitals.ts'

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

const noTotals = (): DemoTotals => ({
  sessions: 0,
  robots: 0,
  views: 0,
  events: 0,
  clicks: 0,
  identified: 0,
  submissions: 0,
  impressions: 0,
})

function count(totals: DemoTotals, { isRobot }: DemoVisit, rows: Rows): void {
  totals[isRobot ? 'robots' : 'sessions']++
  totals.views += rows.views.length
  totals.events += rows.events.length
  totals.clicks += rows.clicks.length
  totals.impressions += rows.impressions.length
}

export interface VisitWriter {
  readonly totals: Readonly<DemoTotals>
  /** Everything that the visit leaves until now. @returns whether rows were sent. */
  add(visit: DemoVisit): Promise<boolean>
  /** After the visits of a day: what was sent through forms is stored in the order of time. */
  endDay(): Promise<void>
  close(): Promise<void>
}

/** @param fromMs since when the property is visited. */
export async function openVisitWriter(
  context: Parts,
  property: Property,
  options: Pick<DemoOptions, 'seed' | 'sessions' | 'pace'>,
  fromMs: number,
): Promise<VisitWriter> {
  const { pace = alone } = options
  const nowMs = context.now()
  const maker: RowMaker = { enrich: context.enrich, rates: await context.rates.table(), property }
  const links = await openDemoLinks(context, property.id)
  const forms = await openDemoForms(context, property.id)
  const block = await openDemoContent(context, property, fromMs)
  const writer = openRowWriter(context.facts, pace)
  const people = peopleOf(options)
  const contacts = openContactWriter(context, property.id, (rows) => writer.identified(rows), pace.contacts)
  const submissions = openSubmissionWriter(context, forms, pace.submissions)
  const totals = noTotals()
  return {
    totals,
    async add(visit) {
      const identification = identificationOf(people, visit)
      const filledIn = formVisitsOf(visit, identification, nowMs)
      const rows = {
        views: viewRows(maker, visit),
        events: eventRows(maker, visit),
        clicks: clickRows(maker, links, clicksOf(visit, nowMs)),
        form_events: formRows(context.enrich, forms, visit, filledIn),
        impressions: contentRows(context.enrich, block, visit, nowMs),
        vitals: vitalsRows(maker, visit),
      }
      count(totals, visit, rows)
      totals.submissions += submissions.add(visit, filledIn)
      if (identification) {
        totals.identified++
        await contacts.add(visit, identification)
      }
      return writer.add(rows)
    },
    endDay: () => submissions.flush(),
    async close() {
      await contacts.close()
      await submissions.flush()
      await writer.close()
    },
  }
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
  const spread = spreadOverDays({ ...options, nowMs })
  const writer = await openVisitWriter(context, property, options, spread[0]!.day * DAY_MS)
  await openGoals(context, property)
  for (const day of spread) {
    for (const visit of visitsOf(day, seed, nowMs)) {
      if (await writer.add(visit)) progress(writer.totals)
      await pace.rest()
    }
    await writer.endDay()
  }
  await writer.close()
  progress(writer.totals)
  return writer.totals
}
