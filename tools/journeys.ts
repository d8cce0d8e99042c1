// Walks the journeys of docs/decisions/0075-looks-of-the-peers.md in Chromium, by mouse, by keyboard and on a
// phone, and prints what its table has as now: how much was pressed, and how long it took.
import { openDashboard } from '../test/support/dashboard.ts'
import { handNames } from '../test/support/hands.ts'
import { journeys, type Walked, walkJourneys } from '../test/support/journeys.ts'

const ends: (() => unknown)[] = []
const ending = { after: (end: () => unknown) => ends.push(end) }

const cellOf = ({ count, seconds }: Walked): string => `${count} · ${seconds.toFixed(1)} s`

try {
  const dashboard = await openDashboard(ending)
  const columns: string[][] = []
  const asked = handNames.filter((name) => process.argv.length < 3 || process.argv.includes(name))
  for (const name of asked) columns.push((await walkJourneys(ending, dashboard, name)).walked.map(cellOf))
  console.log('| Journey | Mouse: clicks · time | Keyboard: keys · time | Phone: taps and swipes · time |')
  console.log('|---|---|---|---|')
  for (const [at, { name }] of journeys.entries())
    console.log(`| ${name} | ${columns.map((cells) => cells[at]).join(' | ')} |`)
} finally {
  for (const end of ends.toReversed()) await end()
}
