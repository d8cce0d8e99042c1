// Which rule decides: the first that holds, by what is asked alone, and shares as large as their weights.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  type Asker,
  type Condition,
  decide,
  isNoRules,
  noRules,
  parseRules,
  type Rule,
  variantAt,
} from './rules-model.ts'

const asker = (known: Partial<Record<'device' | 'os' | 'country' | 'language', string>> = {}, nowTs = 100): Asker => ({
  nowTs,
  device: () => known.device ?? '',
  os: () => known.os ?? '',
  country: () => known.country ?? '',
  language: () => known.language ?? '',
})
const ruleOf = (id: string, when: Condition): Rule => ({ id, when, destination_url: `https://example.com/${id}` })
const idOf = (rules: readonly Rule[], who: Asker) => {
  const decision = decide({ ...noRules, rules }, who)
  return typeof decision === 'object' ? decision.id : decision
}

test('the first rule whose conditions all hold decides', () => {
  const rules = [
    ruleOf('phone', { os: ['iOS'], country: ['FR', 'BE'] }),
    ruleOf('french', { language: ['fr'] }),
    ruleOf('brazil', { language: ['pt-BR'] }),
    ruleOf('tablet', { device: ['tablet', 'mobile'] }),
    ruleOf('later', { from_ts: 200, until_ts: 300 }),
  ]
  assert.equal(idOf(rules, asker({ os: 'iOS', country: 'FR', language: 'fr-FR' })), 'phone')
  assert.equal(idOf(rules, asker({ os: 'ios', country: 'be' })), 'phone')
  assert.equal(idOf(rules, asker({ os: 'iOS', country: 'DE', language: 'fr' })), 'french')
  assert.equal(idOf(rules, asker({ language: 'fro' })), undefined)
  assert.equal(idOf(rules, asker({ language: 'pt-PT' })), undefined)
  assert.equal(idOf(rules, asker({ language: 'PT-br' })), 'brazil')
  assert.equal(idOf(rules, asker({ device: 'mobile' })), 'tablet')
  for (const [nowTs, id] of [
    [199, undefined],
    [200, 'later'],
    [299, 'later'],
    [300, undefined],
  ] as const)
    assert.equal(idOf(rules, asker({}, nowTs)), id, String(nowTs))
})

test('before its start a link is early, from its end on over, whatever its rules', () => {
  const rules = { ...noRules, starts_ts: 10, ends_ts: 20, rules: [ruleOf('any', { from_ts: 0 })] }
  assert.equal(decide(rules, asker({}, 9)), 'early')
  assert.equal((decide(rules, asker({}, 10)) as Rule).id, 'any')
  assert.equal(decide(rules, asker({}, 20)), 'over')
})

test('what no rule asks is not looked up', () => {
  const never = (): never => assert.fail('asked')
  const lazy: Asker = { nowTs: 1, device: never, os: never, country: () => 'FR', language: never }
  assert.equal(idOf([ruleOf('fr', { country: ['FR'] })], lazy), 'fr')
  assert.equal(idOf([ruleOf('x', { country: ['DE'], language: ['de'] })], lazy), undefined)
})

test('every place of the line belongs to one variant, each with its share of it', () => {
  const weights = fc.array(fc.integer({ min: 1, max: 1000 }), { minLength: 1, maxLength: 10 })
  fc.assert(
    fc.property(weights, (all) => {
      const split = all.map((weight, index) => ({ id: String(index), destination_url: '', weight }))
      const sum = all.reduce((one, other) => one + other, 0)
      const counts = new Map<string, number>()
      for (let step = 0; step < sum; step++) {
        const found = variantAt(split, (step + 0.5) / sum)
        assert.ok(found)
        counts.set(found.id, (counts.get(found.id) ?? 0) + 1)
      }
      assert.deepEqual(
        split.map(({ id }) => counts.get(id)),
        all,
      )
      assert.ok(variantAt(split, 1 - 2 ** -48))
    }),
    { numRuns: 50 },
  )
  assert.equal(variantAt([], 0), undefined)
})

test('a link without rules has none', () => {
  assert.ok(isNoRules(parseRules(null)))
  assert.ok(!isNoRules({ ...noRules, ends_ts: 0 }))
})
