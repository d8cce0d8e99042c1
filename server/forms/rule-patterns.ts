// The patterns of the `regex` rule. Anybody with the key of an open form chooses both pattern and text, so
// their cost is bounded on both sides: the engine takes time proportional to program × text (no
// backtracking), and both are limited here.
import { LRUCache } from 'lru-cache'
import { RE2JS } from 're2js'
import { type Pay, unpaid } from '../kernel/pay.ts'
import { invalid, Problem } from '../kernel/problem.ts'

/**
 * What the patterns of one form may cost to compile, in the units of costOf: about 30 ms at worst. Twenty
 * name patterns fit.
 */
const MAX_COST = 3000
/** The tables of a Unicode class are walked for each mention. */
const CLASS_COST = 50
/**
 * Without case, the engine walks through every character of a range: some 50 ms for a range of all scripts.
 */
const FOLDED_RANGE_COST = 1500
const ignoresCase = /\(\?[a-z-]*i/i
/** A range that ends beyond ASCII, or is written so that it may. */
const wideRange = /-(?=[^\0-\x7f]|\\)/g
/**
 * Program instructions × characters over all patterns of one check: about 25 ms at worst, and far above any
 * real form.
 */
const MAX_STEPS = 500_000
/** The parts of MAX_COST that a millisecond of the thread compiles, and of MAX_STEPS that it matches. */
const COST_A_MS = 100
const STEPS_A_MS = 20_000
/**
 * The cost of all cached programs, in the units of costOf: the largest take most of a megabyte, so this is
 * some 30 MB.
 */
const MAX_KEPT = 100_000

const compiled = new LRUCache<string, RE2JS>({ maxSize: MAX_KEPT, sizeCalculation: (_, pattern) => costOf(pattern) })

/** A cached program costs nothing. */
function compile(pattern: string, pay: Pay): RE2JS {
  const known = compiled.get(pattern)
  if (known) return known
  pay(costOf(pattern) / COST_A_MS)
  const program = RE2JS.compile(pattern)
  compiled.set(pattern, program)
  return program
}

/**
 * An upper bound of the program's instructions, found without compiling it: `(…){n}` multiplies the
 * instructions of the group, `x{n}` adds to them. What only looks like a repetition counts too.
 */
function costOf(pattern: string): number {
  let sum = pattern.length
  let product = 1
  for (const [, before = '', least = '', most = ''] of pattern.matchAll(/(.?)\{(\d+)(?:,(\d*))?\}/gsu)) {
    const count = Math.max(Number(least), Number(most), 1)
    if (before === ')') product *= 2 * count
    else sum += 2 * count
  }
  const classes = pattern.match(/\\p/gi)?.length ?? 0
  const folded = ignoresCase.test(pattern) ? (pattern.match(wideRange)?.length ?? 0) : 0
  return sum * product + classes * CLASS_COST + folded * FOLDED_RANGE_COST
}

/** One for all patterns of a form. */
export interface PatternReader {
  /**
   * @throws Problem('validation_failed') naming `path` for an invalid pattern, one that needs more than
   * linear time, or too large a one.
   */
  read(path: string, pattern: string): void
}

export function openPatternReader(pay: Pay = unpaid): PatternReader {
  let cost = 0
  return {
    read(path, pattern) {
      cost += costOf(pattern)
      if (cost > MAX_COST)
        throw invalid(path, `${path}: the patterns of this form are too large: repeat less, or use max_length.`)
      try {
        compile(pattern, pay)
      } catch (error) {
        if (error instanceof Problem) throw error
        throw invalid(path, `${path}: the pattern cannot be read; look-around and backreferences are not supported.`)
      }
    },
  }
}

/** One for all patterns of one check. */
export interface PatternCheck {
  /** Whether the pattern is found in the text; undefined when finding out would take too long. */
  test(pattern: string, text: string): boolean | undefined
}

export function openPatternCheck(pay: Pay = unpaid): PatternCheck {
  let left = MAX_STEPS
  return {
    test(pattern, text) {
      const program = compile(pattern, pay)
      const steps = program.programSize() * (text.length + 1)
      left -= steps
      if (left < 0) return undefined
      pay(steps / STEPS_A_MS)
      // find() and not test(): test() builds a state for nearly every character of a hostile pattern.
      return program.matcher(text).find()
    },
  }
}
