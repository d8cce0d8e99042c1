import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { allPages, guideFolder } from '../server/documentation/pages.ts'
import { guideOf, guidePaths } from './guides.ts'

test('every guide that a page leads to is a page of the documentation', () => {
  const known = new Set(allPages.map(({ path }) => path))
  assert.deepEqual(
    guidePaths.filter((path) => !known.has(path.split('#')[0] ?? '')),
    [],
  )
})

/** As the documentation names them in its URLs. */
const anchorsOf = (file: string): string[] =>
  [...readFileSync(join(guideFolder, file), 'utf8').matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )

test('a guide is opened where it speaks of the page, and never in the API', () => {
  for (const path of guidePaths) {
    const [name = '', anchor] = path.split('#')
    assert.doesNotMatch(name, /^api/, path)
    const file = allPages.find((page) => page.path === name)?.file ?? ''
    if (anchor !== undefined) assert.ok(anchorsOf(file).includes(anchor), path)
  }
})

test('a page and what lies behind it lead to one guide', () => {
  assert.equal(guideOf('/properties/pr_1/links'), guideOf('/properties/pr_1/links/ln_2'))
  assert.equal(guideOf('/properties/pr_1'), guideOf('/properties/pr_2/overview'))
  assert.ok(guideOf('/mail'))
  assert.equal(guideOf('/'), guideOf('/properties/pr_1'))
  assert.notEqual(guideOf('/properties/pr_1/settings/team'), guideOf('/properties/pr_1/settings'))
  assert.equal(guideOf('/sign-in'), undefined)
})
