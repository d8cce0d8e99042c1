// <script defer src="…/signals.js" data-key="…">: starts by its attributes, and puts `signals` on the page for calls of its own.
import { scriptOptions } from '../shared/script.ts'
import { type QueuedCall, type Signals, signals, type SignalsOptions } from '../signals.ts'

/** What may stand under the name already: a page's queue, or the functions of another tag. */
interface Standing {
  readonly forEach?: (each: (call: QueuedCall) => void) => void
  readonly key?: string
}

declare const window: Record<string, Signals | Standing | undefined>

const options = scriptOptions()
if (options) {
  const { base, data } = options
  const { key, as: name = 'signals' } = data
  const standing = (window[name] || []) as Standing
  // The same tag twice counts once.
  if (key && standing.key !== key) {
    if (!standing.key) window[name] = signals
    signals.start({ ...(data as object), base } as SignalsOptions)
    if (standing.forEach) standing.forEach(signals.push)
  }
}
