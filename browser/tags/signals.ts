// <script defer src="…/signals.js" data-key="…">: starts with its attributes, and puts `signals` on the page
// for its own calls.
import { type ScriptOptions, scriptOptions } from '../shared/script.ts'
import { type QueuedCall, type Signals, signals, type SignalsOptions } from '../signals.ts'

/** What may have the name already: a page's queue, or the functions of another tag. */
interface Standing {
  readonly key?: string
}

declare const window: Record<string, Signals | Standing | undefined>

const options = scriptOptions()
if (options) {
  const { key, as: name = 'signals' } = options
  const standing = window[name]
  // Own enumerable properties only: an element or frame with that name has none.
  const { key: held } = { ...standing } as Standing
  // Including the tag twice counts once.
  if (key && held !== key) {
    if (!held) window[name] = signals
    signals.start(options as ScriptOptions & SignalsOptions)
    // Not an element with that id either.
    if (Array.isArray(standing)) signals.push(...(standing as QueuedCall[]))
  }
}
