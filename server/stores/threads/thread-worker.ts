// What runs in a thread (thread.ts): questions are answered in the order in which they came. Imports nothing,
// since each thread loads what it imports for itself.
import { parentPort } from 'node:worker_threads'

/** What a thread does, by name. Results and what is given are copied. */
export type Work = Readonly<Record<string, (...given: never[]) => unknown>>

export interface Ask {
  readonly id: number
  readonly name: string
  readonly given: readonly unknown[]
}

/** A copy of an error keeps its words alone: its codes go beside it. */
export type Answer =
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly error: unknown; readonly codes: object }

/** An answer does not wait for longer for those that were asked with it. */
const ANSWER_MS = 1

/** What a copy of an error has lost. */
export function codesOf(error: unknown): object {
  if (!(error instanceof Error)) return {}
  return {
    ...('code' in error && { code: error.code }),
    ...('errcode' in error && { errcode: error.errcode }),
  }
}

/** Serves whoever started this thread; does nothing where the file is only imported. */
export function serve(work: Work): void {
  const answerTo = ({ id, name, given }: Ask): Answer => {
    try {
      return { id, result: work[name]!(...(given as never[])) }
    } catch (error) {
      return { id, error, codes: codesOf(error) }
    }
  }
  parentPort?.on('message', (asks: readonly Ask[]) => {
    let answers: Answer[] = []
    let sentMs = performance.now()
    const send = (): void => {
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
      if (answers.length > 0) parentPort?.postMessage(answers)
      answers = []
      sentMs = performance.now()
    }
    for (const ask of asks) {
      answers.push(answerTo(ask))
      if (performance.now() - sentMs >= ANSWER_MS) send()
    }
    send()
  })
}
