// <script defer src="…/signals.js" data-key="…">: starts by its attributes, and puts `signals` on the page for calls of its own.
import { type ScriptOptions, scriptOptions } from '../shared/script.ts'
import { type QueuedCall, type Signals, signals, type SignalsOptions } from '../signals.ts'

/** What may stand under the name already: a page's queue, or the functions of another tag. */
interface Standing {
  readonly key?: string
}

declare const window: Record<string, Signals | Standing | undefined>

const options = scriptOptions()
if (options) {
  const { key, as: name = 'signals' } = options
  const standing = window[name]
  // Its own, listed properties: among those are no fields of a form, or elements of a frame, that has the name.
  const { key: held } = { ...standing } as Standing
  // The same tag twice counts once.
  if (key && held !== key) {
    if (!held) window[name] = signals
    signals.start(options as ScriptOptions & SignalsOptions)
    // And no element of that id.
    if (Array.isArray(standing)) signals.push(...(standing as QueuedCall[]))
  }
}
