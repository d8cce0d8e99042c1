// The mathematics of the results against published tables, closed forms, and what must hold for any counts.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  type Arm,
  chancesToWin,
  checkSampleRatio,
  chiSquareTail,
  differenceInterval,
  rateInterval,
} from './statistics.ts'

function assertNear(actual: number | undefined, expected: number, within: number, what = ''): void {
  assert.ok(actual !== undefined && Math.abs(actual - expected) <= within, `${what}: ${actual}, not ${expected}`)
}

const counts = fc
  .tuple(
    fc.oneof(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 1, max: 1_000_000_000 })),
    fc.double({ min: 0, max: 1, noNaN: true }),
  )
  .map(([n, share]): Arm => ({ n, goals: Math.round(n * share) }))

// ---------------------------------------------------------------- difference of two rates

test("Wilson's interval is that of the published examples", () => {
  // Newcombe, Stat Med 1998; 17:857, table I, method 3.
  const published = [
    [81, 263, 0.2553, 0.3662],
    [15, 148, 0.0624, 0.1605],
    [0, 20, 0, 0.1611],
    [1, 29, 0.0061, 0.1718],
  ] as const
  for (const [goals, n, low, high] of published) {
    const interval = rateInterval({ n, goals })
    assertNear(interval.low, low, 0.00005, `${goals}/${n}`)
    assertNear(interval.high, high, 0.00005, `${goals}/${n}`)
  }
})

test('the interval of a difference is that of the published examples', () => {
  // Newcombe, Stat Med 1998; 17:873, table II, method 10.
  const published = [
    [56, 70, 48, 80, 0.0524, 0.3339],
    [9, 10, 3, 10, 0.1705, 0.809],
    [6, 7, 2, 7, 0.0582, 0.8062],
    [5, 56, 0, 29, -0.0381, 0.1926],
    [0, 10, 0, 20, -0.1611, 0.2775],
    [0, 10, 0, 10, -0.2775, 0.2775],
    [10, 10, 0, 20, 0.6791, 1],
    [10, 10, 0, 10, 0.6075, 1],
  ] as const
  for (const [goals, n, baseGoals, baseN, low, high] of published) {
    const interval = differenceInterval({ n, goals }, { n: baseN, goals: baseGoals })
    assertNear(interval.low, low, 0.00005, `${goals}/${n}`)
    assertNear(interval.high, high, 0.00005, `${goals}/${n}`)
  }
})

test('the interval of a difference holds it, stays within what can be, and turns round when the two change places', () => {
  fc.assert(
    fc.property(counts, counts, (arm, base) => {
      const { low, high } = differenceInterval(arm, base)
      const difference = arm.goals / arm.n - base.goals / base.n
      assert.ok(low <= difference && difference <= high)
      assert.ok(low >= -1 - 1e-12 && high <= 1 + 1e-12)
      const turned = differenceInterval(base, arm)
      assertNear(turned.low, -high, 1e-12)
      assertNear(turned.high, -low, 1e-12)
    }),
  )
})

test('with ten times the sessions and the same rates the interval is narrower', () => {
  fc.assert(
    fc.property(counts, counts, (arm, base) => {
      const more = ({ n, goals }: Arm) => ({ n: n * 10, goals: goals * 10 })
      const width = ({ low, high }: { low: number; high: number }) => high - low
      assert.ok(width(differenceInterval(more(arm), more(base))) < width(differenceInterval(arm, base)))
    }),
  )
})

// ---------------------------------------------------------------- chance to win

/**
 * P(the second rate is higher) as a finite sum, since the parameters are whole (E. Miller, "Formulas for
 * Bayesian A/B testing").
 */
function chanceOfSecond(first: Arm, second: Arm): number {
  const [a1, b1] = [1 + first.goals, 1 + first.n - first.goals]
  const [a2, b2] = [1 + second.goals, 1 + second.n - second.goals]
  let chance = 0
  for (let i = 0; i < a2; i++)
    chance += Math.exp(logBeta(a1 + i, b1 + b2) - Math.log(b2 + i) - logBeta(1 + i, b2) - logBeta(a1, b1))
  return chance
}

/** Stirling's series from 20 on, where four terms of it are exact to the last digit. */
function logGamma(z: number): number {
  let below = 0
  let at = z
  for (; at < 20; at++) below += Math.log(at)
  const series = 1 / (12 * at) - 1 / (360 * at ** 3) + 1 / (1260 * at ** 5)
  return (at - 0.5) * Math.log(at) - at + Math.log(2 * Math.PI) / 2 + series - below
}

const logBeta = (a: number, b: number) => logGamma(a) + logGamma(b) - logGamma(a + b)

test('the chance of two versions is that of the closed form', () => {
  const cases: readonly (readonly [number, number, number, number])[] = [
    [100, 10, 120, 20],
    [1000, 3, 1000, 9],
    [50, 0, 60, 2],
    [5000, 2500, 4000, 2050],
    [100_000, 1000, 90_000, 1000],
    [1_000_000, 500, 1_000_000, 520],
    [3, 1, 100_000, 40_000],
    [1, 0, 100_000, 100],
    [7, 7, 9, 9],
  ]
  for (const [n, goals, n2, goals2] of cases) {
    const [first, second] = [
      { n, goals },
      { n: n2, goals: goals2 },
    ]
    const expected = chanceOfSecond(first, second)
    assertNear(chancesToWin([first, second])[1], expected, 1e-8, `${goals}/${n} and ${goals2}/${n2}`)
    assertNear(chancesToWin([second, first])[0], expected, 1e-8, 'in the other order')
  }
})

test('the chance of several versions is that of the closed forms', () => {
  // Of distributions x^a the chance to be the largest is a over the sum of all a: each session reached the
  // goal.
  const sure = chancesToWin([1, 2, 5, 100].map((n) => ({ n, goals: n })))
  for (const [at, a] of [2, 3, 6, 101].entries()) assertNear(sure[at], a / 112, 1e-9)
  // Versions that are alike share the chance, from none to a thousand million sessions.
  for (const [n, goals] of [
    [0, 0],
    [1, 0],
    [500, 20],
    [1e9, 0],
    [1e9, 5e8],
    [1e9, 1e9],
  ] as const)
    for (const chance of chancesToWin(Array.from({ length: 20 }, () => ({ n, goals })))) assertNear(chance, 0.05, 1e-8)
})

test('with a thousand million sessions it still says what the normal distribution says', () => {
  const [n, goals] = [1e9, 1e8]
  const deviation = Math.sqrt((0.1 * 0.9) / n)
  // Two standard deviations of the difference apart: the normal distribution up to 2 (Abramowitz and Stegun,
  // table 26.1).
  const second = { n, goals: goals + Math.round(2 * Math.SQRT2 * deviation * n) }
  assertNear(chancesToWin([{ n, goals }, second])[1], 0.97725, 0.00001)
})

test('chances add up to 1, go with their versions, and follow the rates', () => {
  fc.assert(
    fc.property(fc.array(counts, { minLength: 1, maxLength: 6 }), (arms) => {
      const chances = chancesToWin(arms)
      assertNear(
        chances.reduce((one, other) => one + other, 0),
        1,
        1e-9,
      )
      for (const chance of chances) assert.ok(chance >= 0 && chance <= 1)
      const turned = chancesToWin(arms.toReversed()).toReversed()
      for (const [at, chance] of chances.entries()) assertNear(turned[at], chance, 1e-9)
      const [first, ...rest] = arms
      if (!first || first.goals === first.n) return
      const better = chancesToWin([{ n: first.n, goals: first.goals + 1 }, ...rest])
      assert.ok(better[0]! >= chances[0]! - 1e-9, 'one more goal is never worse')
    }),
    { numRuns: 60 },
  )
})

// ---------------------------------------------------------------- sample ratio

test('the chi-square distribution is that of the tables', () => {
  // Upper percentage points: Abramowitz and Stegun, table 26.8; for the last, exp(-x / 2) of two degrees.
  const published = [
    [3.84146, 1, 0.05],
    [10.828, 1, 0.001],
    [5.99147, 2, 0.05],
    [13.816, 2, 0.001],
    [16.919, 9, 0.05],
    [27.877, 9, 0.001],
    [30.1435, 19, 0.05],
    [43.82, 19, 0.001],
    [6.84398, 19, 0.995],
    [200, 2, 3.720075976020836e-44],
  ] as const
  for (const [statistic, degrees, p] of published)
    assertNear(chiSquareTail(statistic, degrees) / p, 1, 0.0005, `${statistic} of ${degrees}`)
  assert.deepEqual([chiSquareTail(0, 3), chiSquareTail(1e9, 3), chiSquareTail(1e-300, 1)], [1, 0, 1])
})

test('a larger statistic is never more likely', () => {
  const any = fc.double({ min: 0, max: 200, noNaN: true })
  fc.assert(
    fc.property(any, any, fc.integer({ min: 1, max: 19 }), (one, other, degrees) => {
      const [small, large] = [Math.min(one, other), Math.max(one, other)]
      assert.ok(chiSquareTail(large, degrees) <= chiSquareTail(small, degrees) + 1e-12)
    }),
  )
})

test('shares that are off are found, unless by chance, by little, or with too few sessions', () => {
  // 821,588 and 815,482: the worked example of Kohavi, Tang and Xu, Trustworthy Online Controlled Experiments
  // (2020), chapter 21.
  const small = checkSampleRatio([821_588, 815_482], [50, 50])
  assertNear(small.p_value! / 1.8e-6, 1, 0.05)
  assert.equal(small.is_suspicious, false, 'certainly off, and by a fifth of a percentage point')
  const off = checkSampleRatio([520, 380], [1, 1])
  assert.ok(off.p_value! < 0.001 && off.is_suspicious)
  assert.equal(checkSampleRatio([520, 470], [1, 1]).is_suspicious, false)
  assert.deepEqual(checkSampleRatio([300, 100], [3, 1]), { expected: [0.75, 0.25], p_value: 1, is_suspicious: false })
  for (const few of [
    [9, 0],
    [0, 0],
    [900, 1],
  ])
    assert.equal(checkSampleRatio(few, few[0] === 900 ? [1000, 1] : [1, 1]).p_value, null)
  assert.deepEqual(checkSampleRatio([5], [3]), { expected: [1], p_value: null, is_suspicious: false })
})
