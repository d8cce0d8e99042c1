// What shared pages offer is what the service takes of a share link.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkSharedClauses } from '../server/shared-figures/shared.ts'
import { textOperators } from '../server/analytics/clauses.ts'
import { clauseIds, sharedClauseIds } from '../server/analytics/dimensions.ts'
import { hasOutcomes } from '../server/overview/shared-outcomes.ts'
import { hasSharedOutcomes, isSharedFilter } from './shared-ids.ts'
import { sharedSearch } from './window.ts'

test('a shared page offers every filter that the service takes of a share link, and no other', () => {
  for (const id of clauseIds) {
    for (const operator of textOperators) {
      const clause = { id, operator, values: ['x'] }
      const isOffered = isSharedFilter({ id, op: operator, values: ['x'] })
      if (isOffered) checkSharedClauses([clause])
      else assert.throws(() => checkSharedClauses([clause]), `${id} ${operator}`)
    }
  }
})

test('a shared page tells what came of the visits where the service does', () => {
  const of = (id: (typeof sharedClauseIds)[number], ...values: string[]) => ({
    id,
    op: 'equals',
    operator: 'equals' as const,
    values,
  })
  const questions = [
    [],
    [of('os', 'x'), of('browser', 'x')],
    ...sharedClauseIds.flatMap((id) => [[of(id, 'x')], [of(id, 'x', 'y')]]),
  ]
  for (const clauses of questions)
    assert.equal(hasSharedOutcomes(clauses), hasOutcomes(clauses), JSON.stringify(clauses))
})

test('a link to share leaves out the filters that it could not be opened with', () => {
  const search = '?period=last_7&f=country%3Aequals%3AGermany&f=tag%3Aequals%3Ax&f=page_path%3Ais_set'
  assert.equal(sharedSearch(search), '?period=last_7&f=country%3Aequals%3AGermany')
  assert.equal(sharedSearch('?f=tag%3Aequals%3Ax'), '')
  assert.equal(sharedSearch('?f=country%3Anot_equals%3AGermany'), '')
})
