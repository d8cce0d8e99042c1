// What shared pages offer is what the service takes of a share link.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sharedClauseIds as taken } from '../server/analytics/shared.ts'
import { sharedClauseIds as offered } from './shared-ids.ts'
import { sharedSearch } from './window.ts'

test('a shared page offers every filter that the service takes of a share link, and no other', () => {
  assert.deepEqual(offered, taken)
})

test('a link to share leaves out the filters that it could not be opened with', () => {
  const search = '?period=last_7&f=country%3Aequals%3AGermany&f=tag%3Aequals%3Ax&f=page_path%3Ais_set'
  assert.equal(sharedSearch(search), '?period=last_7&f=country%3Aequals%3AGermany')
  assert.equal(sharedSearch('?f=tag%3Aequals%3Ax'), '')
})
