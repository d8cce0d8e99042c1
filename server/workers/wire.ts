// What processes of one service send each other: questions with their answers, and words that need none. All
// goes through the primary; what one turn of the event loop brings is one message.
import { Problem, type FieldErrors, type ProblemKind } from '../kernel/problem.ts'

/** The number of the primary; workers have theirs from 1. */
export const PRIMARY = 0

interface Fault {
  readonly words: string
  readonly stack: string | undefined
  /** When it is one that the caller may be told of. */
  readonly problem?: {
    readonly kind: ProblemKind
    readonly errors: FieldErrors | undefined
    readonly retryAfterSeconds: number | undefined
  }
}

export interface Ask {
  readonly kind: 'ask'
  /** Never used again, also by the next process in the same place. */
  readonly id: string
  /** Filled in by the primary. */
  readonly from: number
  readonly to: number
  readonly name: string
  readonly given: readonly unknown[]
}

export interface Answer {
  readonly kind: 'answer'
  readonly id: string
  readonly to: number
  readonly result?: unknown
  readonly fault?: Fault
}

/** Nobody answers. */
interface Word {
  readonly kind: 'word'
  readonly from: number
  readonly to: number
  readonly name: string
  readonly given: readonly unknown[]
}

export type Message = Ask | Answer | Word

export function faultOf(error: unknown): Fault {
  if (!(error instanceof Error)) return { words: String(error), stack: undefined }
  const { message: words, stack } = error
  if (!(error instanceof Problem)) return { words, stack }
  const { kind, errors, retryAfterSeconds } = error
  return { words, stack, problem: { kind, errors, retryAfterSeconds } }
}

export function errorOf({ words, stack, problem }: Fault): Error {
  if (!problem) return Object.assign(new Error(words), { stack })
  const { kind, errors, retryAfterSeconds } = problem
  return new Problem(kind, words, {
    ...(errors && { errors }),
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
  })
}
