// docs/definitions.md and docs/api/content.md say of results what the code does: every line that is drawn,
// and every member that is answered.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { ENOUGH_GOALS, ENOUGH_SESSIONS, judge, WINNER_CHANCE } from './results.ts'
import { noFigures } from './facts.ts'
import { RATIO_EXPECTED, RATIO_P_VALUE, RATIO_SHARE } from './statistics.ts'

const page = (name: string): string => readFileSync(new URL(`../../docs/${name}`, import.meta.url), 'utf8')

test('the definitions draw the lines where the code draws them', () => {
  const content = page('definitions.md').split('\n## Content\n')[1] ?? ''
  assert.equal(RATIO_SHARE, 0.01)
  for (const sentence of [
    `each was seen in at least ${ENOUGH_SESSIONS} sessions, and at least ${ENOUGH_GOALS} sessions reached the goal`,
    `chance to win is ${WINNER_CHANCE} or more`,
    `is due fewer than ${RATIO_EXPECTED} sessions`,
    `the p-value is below ${RATIO_P_VALUE} and a share is off by one percentage point or more`,
  ])
    assert.ok(content.includes(sentence), sentence)
})

test('every member of the results is in the documentation', () => {
  const setup = ['a', 'b'].map((version_id) => ({ version_id, label: version_id, weight: 1 }))
  const figures = { n: 200, goals: 20, views: 200, clicks: 20, dwellMs: 1 }
  const byVersion = new Map(setup.map(({ version_id }) => [version_id, { ...noFigures, ...figures }]))
  const judged = judge({ setup }, { byVersion, bots: { views: 0, clicks: 0 } }, true)
  const documented = page('api/content.md').split('### Results\n')[1]?.split('\n### ')[0] ?? ''
  const members = [judged, judged.sample_ratio, judged.sample_ratio.expected[0], judged.versions[0], judged.bots]
  for (const member of members.flatMap((of) => Object.keys(of ?? {})))
    assert.match(documented, new RegExp(`\\b${member}\\b`), member)
})
