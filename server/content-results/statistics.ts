// The mathematics of content results: pure and deterministic functions of counts. Accurate for up to 20
// versions and a thousand million sessions of each.

/** Sessions that saw a version, and those of them that reached the goal. */
export interface Arm {
  readonly n: number
  /** 0 to n. */
  readonly goals: number
}

export interface Interval {
  readonly low: number
  readonly high: number
}

/** The two-sided 95% point of the normal distribution. */
const Z = 1.959963984540054

// ---------------------------------------------------------------- difference of two rates

/** Wilson's score interval of one rate (J Am Stat Assoc 1927; 22:209). @param arm of at least one session. */
export function rateInterval({ n, goals }: Arm): Interval {
  const middle = 2 * goals + Z * Z
  const reach = Z * Math.sqrt(Z * Z + (4 * goals * (n - goals)) / n)
  const scale = 2 * (n + Z * Z)
  // Exactly 0 and 1 at the ends: there the subtraction leaves only rounding errors.
  return { low: goals === 0 ? 0 : (middle - reach) / scale, high: goals === n ? 1 : (middle + reach) / scale }
}

/**
 * 95% interval of the rate of `arm` less that of `base`: Newcombe's hybrid score interval (Stat Med 1998;
 * 17:873, method 10), which stays within -1 and 1 and holds for small numbers and for rates near 0, where the
 * usual one (Wald's) is far too sure of itself.
 */
export function differenceInterval(arm: Arm, base: Arm): Interval {
  const [one, two] = [arm.goals / arm.n, base.goals / base.n]
  const [ofOne, ofTwo] = [rateInterval(arm), rateInterval(base)]
  return {
    low: one - two - Math.hypot(one - ofOne.low, ofTwo.high - two),
    high: one - two + Math.hypot(ofOne.high - one, two - ofTwo.low),
  }
}

// ---------------------------------------------------------------- chance to win

/** Nodes of a panel: over at most two standard deviations ten of them leave an error below 1e-9. */
const NODES = 10
/**
 * Where the panels of an arm end, in standard deviations from its mean. The far ones are for the long tail of
 * a rate near 0 or 1.
 */
const CUTS = [...Array.from({ length: 13 }, (_, at) => (at - 6) * 1.5), -40, -24, -16, -12, 12, 16, 24, 40]
/** Further away than this the density is below 1e-17 of its peak, and treated as 0. */
const FAR = 40
/**
 * A cut this close to another one, in its own standard deviations, is dropped: similar versions share their
 * panels.
 */
const CLOSE = 0.5

interface Rule {
  /** Points between -1 and 1, ascending, and the weights of an integral over the interval. */
  readonly places: readonly number[]
  readonly weights: readonly number[]
  /** Weights of the integral from -1 to each of the points. */
  readonly upTo: readonly (readonly number[])[]
}

/** Legendre's polynomials of degree 0 to `degree` at x, by their recurrence. */
function legendre(degree: number, x: number): number[] {
  const values = [1, x]
  for (let k = 1; k < degree; k++) values.push(((2 * k + 1) * x * values[k]! - k * values[k - 1]!) / (k + 1))
  return values
}

/**
 * A root of the polynomial of degree NODES, by Newton's method from a first guess with three right digits.
 */
function rootAt(index: number): { place: number; weight: number } {
  let x = -Math.cos((Math.PI * (index + 0.75)) / (NODES + 0.5))
  let slope = 1
  for (let turn = 0; turn < 20; turn++) {
    const p = legendre(NODES, x)
    slope = (NODES * (x * p[NODES]! - p[NODES - 1]!)) / (x * x - 1)
    x -= p[NODES]! / slope
  }
  return { place: x, weight: 2 / ((1 - x * x) * slope * slope) }
}

/** Gauss and Legendre's rule; and, from the same nodes, the integral up to each of them. */
function makeRule(): Rule {
  const roots = Array.from({ length: NODES }, (_, index) => rootAt(index))
  const at = roots.map(({ place }) => legendre(NODES, place))
  const upTo = at.map((p, to) =>
    roots.map(({ weight }, from) => {
      let sum = roots[to]!.place + 1
      for (let k = 1; k < NODES; k++) sum += (p[k + 1]! - p[k - 1]!) * at[from]![k]!
      return (weight * sum) / 2
    }),
  )
  return { places: roots.map(({ place }) => place), weights: roots.map(({ weight }) => weight), upTo }
}

const rule = makeRule()

function posterior({ n, goals }: Arm): { mean: number; deviation: number } {
  const mean = (goals + 1) / (n + 2)
  return { mean, deviation: Math.sqrt((mean * (1 - mean)) / (n + 3)) }
}

/**
 * Density of Beta(1 + goals, 1 + n - goals) relative to its peak, without logarithms of gammas, whose
 * difference would lose digits.
 */
function openDensity({ n, goals }: Arm): (x: number) => number {
  const peak = goals / n
  const misses = n - goals
  return (x) => {
    const won = goals === 0 ? 0 : goals * Math.log1p((x - peak) / peak)
    const lost = misses === 0 ? 0 : misses * Math.log1p((peak - x) / (1 - peak))
    return Math.exp(won + lost)
  }
}

/** Ends of the panels: close together where one of the densities changes fast. */
function panelEnds(arms: readonly Arm[]): number[] {
  const cuts = arms.flatMap((arm) => {
    const { mean, deviation } = posterior(arm)
    return CUTS.map((by) => ({ at: mean + by * deviation, deviation }))
  })
  const ends = [0]
  for (const { at, deviation } of cuts.toSorted((one, other) => one.at - other.at))
    if (at < 1 && at - ends.at(-1)! > CLOSE * deviation) ends.push(at)
  return [...ends, 1]
}

/** For each factor the product of all others; dividing would fail for zeros. */
function productsOfOthers(values: readonly number[]): number[] {
  const products = values.map(() => 1)
  for (let at = 1; at < values.length; at++) products[at] = products[at - 1]! * values[at - 1]!
  for (let at = values.length - 1, after = 1; at >= 0; at--) {
    products[at]! *= after
    after *= values[at]!
  }
  return products
}

const zeros = rule.places.map(() => 0)

/** A density at the nodes of each panel, its distribution function there, and its integral. */
function tabulate(arm: Arm, ends: readonly number[]) {
  const density = openDensity(arm)
  const { mean, deviation } = posterior(arm)
  const panels: { values: readonly number[]; below: readonly number[] }[] = []
  let total = 0
  for (let at = 1; at < ends.length; at++) {
    if (ends[at]! < mean - FAR * deviation || ends[at - 1]! > mean + FAR * deviation) {
      panels.push({ values: zeros, below: zeros.map(() => total) })
      continue
    }
    const half = (ends[at]! - ends[at - 1]!) / 2
    const values = rule.places.map((place) => density(ends[at - 1]! + half * (place + 1)) * half)
    const before = total
    panels.push({ values, below: rule.upTo.map((weights) => before + dot(weights, values)) })
    total += dot(rule.weights, values)
  }
  return { panels, total }
}

function dot(one: readonly number[], other: readonly number[]): number {
  let sum = 0
  for (let at = 0; at < one.length; at++) sum += one[at]! * other[at]!
  return sum
}

/**
 * For each arm the probability that its true rate is the highest, when before the first session every rate
 * was as likely as any other: the posterior of a rate is Beta(1 + goals, 1 + n - goals), and the chance the
 * integral of its density times the distributions of all others, by panels. They add up to 1.
 * @param arms at least one, each of at least one session.
 */
export function chancesToWin(arms: readonly Arm[]): number[] {
  const ends = panelEnds(arms)
  const tables = arms.map((arm) => tabulate(arm, ends))
  const chances = arms.map(() => 0)
  for (let panel = 0; panel + 1 < ends.length; panel++) {
    for (let node = 0; node < NODES; node++) {
      const below = tables.map(({ panels, total }) => panels[panel]!.below[node]! / total)
      const others = productsOfOthers(below)
      tables.forEach(({ panels, total }, arm) => {
        chances[arm]! += (rule.weights[node]! * panels[panel]!.values[node]! * others[arm]!) / total
      })
    }
  }
  const sum = chances.reduce((one, other) => one + other, 0)
  return chances.map((chance) => Math.min(Math.max(chance / sum, 0), 1))
}

// ---------------------------------------------------------------- sample ratio

const MOST_TERMS = 10_000

/** Logarithm of gamma(a) for a = 1/2, 1, 3/2, 2 … */
function logGammaOfHalves(a: number): number {
  let log = Number.isInteger(a) ? 0 : Math.log(Math.PI) / 2
  for (let at = Number.isInteger(a) ? 1 : 0.5; at < a; at++) log += Math.log(at)
  return log
}

/** 1 - the answer, by its power series: for small x. */
function lowerGamma(a: number, x: number): number {
  let term = 1 / a
  let sum = term
  for (let at = 1; at < MOST_TERMS && term > sum * Number.EPSILON; at++) sum += term *= x / (a + at)
  return sum
}

/** By its continued fraction, with Lentz's method: for large x. */
function upperGamma(a: number, x: number): number {
  let b = x + 1 - a
  let c = Infinity
  let d = 1 / b
  let value = d
  for (let at = 1; at < MOST_TERMS; at++) {
    const numerator = at * (a - at)
    b += 2
    d = 1 / (b + numerator * d)
    c = b + numerator / c
    value *= c * d
    if (Math.abs(c * d - 1) < Number.EPSILON) break
  }
  return value
}

/** Probability that a chi-square variable of so many degrees of freedom is at least so large. */
export function chiSquareTail(statistic: number, degrees: number): number {
  if (statistic <= 0) return 1
  const [a, x] = [degrees / 2, statistic / 2]
  const scale = Math.exp(a * Math.log(x) - x - logGammaOfHalves(a))
  const tail = x < a + 1 ? 1 - scale * lowerGamma(a, x) : scale * upperGamma(a, x)
  return Math.min(Math.max(tail, 0), 1)
}

/**
 * Below this probability the shares are not as configured. The threshold is low because the check is repeated
 * often.
 */
export const RATIO_P_VALUE = 0.001
/** Smaller deviations of a share do not distort a result, however significant they are. */
export const RATIO_SHARE = 0.01
/**
 * Sessions that each version must expect; with fewer the chi-square distribution does not fit (Cochran,
 * Biometrics 1954; 10:417).
 */
export const RATIO_EXPECTED = 5

export interface SampleRatio {
  /** The expected share of each version. */
  readonly expected: readonly number[]
  /** null: too few sessions to say. */
  readonly p_value: number | null
  readonly is_suspicious: boolean
}

/**
 * Whether sessions were assigned to versions by their weights. @param weights of at least one version, none
 * of them 0.
 */
export function checkSampleRatio(counts: readonly number[], weights: readonly number[]): SampleRatio {
  const all = weights.reduce((one, other) => one + other, 0)
  const total = counts.reduce((one, other) => one + other, 0)
  const expected = weights.map((weight) => weight / all)
  const isEnough = counts.length > 1 && expected.every((share) => share * total >= RATIO_EXPECTED)
  if (!isEnough) return { expected, p_value: null, is_suspicious: false }
  const statistic = expected.reduce((sum, share, at) => sum + (counts[at]! - share * total) ** 2 / (share * total), 0)
  const p = chiSquareTail(statistic, counts.length - 1)
  const isOff = expected.some((share, at) => Math.abs(counts[at]! / total - share) >= RATIO_SHARE)
  return { expected, p_value: p, is_suspicious: p < RATIO_P_VALUE && isOff }
}
