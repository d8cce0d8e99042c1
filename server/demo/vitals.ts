// How fast the pages of the demo's visitors were: most browsers tell, phones are slower, and the heaviest
// pages are what their owner should look at.
import { dayText } from '../kernel/days.ts'
import type { FactTables } from '../stores/tables.ts'
import { pathOf } from '../tracker/tracker.ts'
import { around, openChance } from './chance.ts'
import type { RowMaker } from './rows.ts'
import type { DemoVisit } from './traffic.ts'

/** The share of visits whose browser tells; others are too old, or closed before anything was measured. */
const TOLD_SHARE = 0.8
const PHONE_FACTOR = 1.5
/** Pages with large pictures, and the checkout of a payment provider. */
const heavy: readonly (readonly [RegExp, number])[] = [
  [/^\/offers\//, 2.1],
  [/^\/checkout$/, 1.7],
  [/^\/journal\//, 0.8],
]
const INTERACTION_SHARE = 0.7

const factorOf = (path: string): number => heavy.find(([pattern]) => pattern.test(path))?.[1] ?? 1

/** Of the page that the visit began with: navigation within the shop loads nothing anew. */
export function vitalsRows({ enrich, property }: RowMaker, visit: DemoVisit): FactTables['vitals'][] {
  const [first] = visit.views
  const chance = openChance(Number(BigInt.asIntN(32, BigInt(visit.hash) >> 11n)), visit.day)
  if (!first || visit.isRobot || chance() >= TOLD_SHARE) return []
  const path = pathOf(new URL(first.url))
  const { browser, device } = enrich.agent(visit.userAgent)
  const factor = factorOf(path) * (device === 'mobile' ? PHONE_FACTOR : 1)
  const ttfb = Math.round(around(chance, 240))
  const fcp = ttfb + Math.round(around(chance, 480 * factor))
  return [
    {
      property: property.id,
      day: dayText(visit.day),
      session: visit.hash,
      id: first.view,
      at: first.atMs,
      path,
      device,
      browser,
      country_code: enrich.place(visit.address).country_code,
      is_bot: 0,
      ttfb,
      fcp,
      lcp: fcp + Math.round(around(chance, 620 * factor)),
      inp: chance() < INTERACTION_SHARE ? Math.round(around(chance, 90 * factor)) : -1,
      cls: Math.round(around(chance, 350 * factor)),
    },
  ]
}
