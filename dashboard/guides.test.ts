import assert from 'node:assert/strict'
import { test } from 'node:test'
import { allPages } from '../server/documentation/pages.ts'
import { guideOf, guidePaths } from './guides.ts'

test('every guide that a page leads to is a page of the documentation', () => {
  const known = new Set(allPages.map(({ path }) => path))
  assert.deepEqual(
    guidePaths.filter((path) => !known.has(path.split('#')[0] ?? '')),
    [],
  )
})

test('a page and what lies behind it lead to one guide', () => {
  assert.equal(guideOf('/properties/pr_1/links'), guideOf('/properties/pr_1/links/ln_2'))
  assert.equal(guideOf('/properties/pr_1'), guideOf('/properties/pr_2/overview'))
  assert.ok(guideOf('/mail'))
  assert.equal(guideOf('/sign-in'), undefined)
})
