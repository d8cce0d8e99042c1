import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Listener, Trigger } from '../kernel/triggers.ts'
import type { TriggerType } from '../kernel/trigger-table.ts'
import { matches, pathMatches } from './match.ts'

/** Written apart from the code: tries every split. For short texts only. */
function plainly(pattern: string, path: string): boolean {
  if (pattern === '') return path === ''
  if (pattern[0] === '*')
    return Array.from({ length: path.length + 1 }, (_, skip) => skip).some((skip) =>
      plainly(pattern.slice(1), path.slice(skip)),
    )
  return pattern[0] === path[0] && path !== '' && plainly(pattern.slice(1), path.slice(1))
}

test('a star in a path pattern stands for any run of characters and nothing else is special', () => {
  const letters = (of: string) => fc.string({ unit: fc.constantFrom(...of), maxLength: 8 })
  fc.assert(
    fc.property(letters('/a.?*'), letters('/a.?b'), (pattern, path) => {
      assert.equal(pathMatches(pattern, path), plainly(pattern, path))
    }),
    { numRuns: 2000 },
  )
  assert.ok(pathMatches('/shop/*', '/shop/'))
  assert.ok(!pathMatches('/shop/*', '/shop'))
  assert.ok(!pathMatches('/a*a', '/a'), 'a piece is not used twice')
})

const listener = (eventType: TriggerType, eventValue: string | null) =>
  ({ automationId: 'au', propertyId: 'pr', conversionId: null, actions: [], eventType, eventValue }) satisfies Listener

const trigger = (type: TriggerType, ...subjects: string[]) => ({ event: { type }, subjects }) as unknown as Trigger

test('an automation without a value fires for every trigger of its type and for no other', () => {
  assert.ok(matches(listener('event', null), trigger('event', 'signup')))
  assert.ok(matches(listener('acquisition', null), trigger('acquisition')))
  assert.ok(!matches(listener('event', null), trigger('page_view', '/')))
})

test('an automation with a value fires for that value alone', () => {
  assert.ok(matches(listener('event', 'signup'), trigger('event', 'signup')))
  assert.ok(!matches(listener('event', 'sign*'), trigger('event', 'signup')), 'names of events are no patterns')
  assert.ok(matches(listener('page_view', '/p/*'), trigger('page_view', '/p/1')))
  assert.ok(!matches(listener('page_view', '/p/*'), trigger('page_view', '/q')))
  const transitions = trigger('contact', 'updated', 'lifecycle_stage', 'lifecycle_stage:customer')
  assert.ok(matches(listener('contact', 'lifecycle_stage:customer'), transitions))
  assert.ok(!matches(listener('contact', 'created'), transitions))
})
