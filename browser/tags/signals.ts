// <script defer src="…/signals.js" data-key="…">: starts with its attributes, and puts `signals` on the page
// for its own calls.
import { namedBy } from '../shared/named.ts'
import { type ScriptOptions, scriptOptions } from '../shared/script.ts'
import { type QueuedCall, type Signals, signals, type SignalsOptions } from '../signals/core.ts'

/** What may have the name already: a page's queue, or the functions of another tag. */
interface Standing {
  readonly key?: string
}

declare const window: Record<string, Signals | Standing | undefined>

const options = scriptOptions()
if (options) {
  const { key, as: name = 'signals', base } = options
  const tag = document.currentScript as HTMLScriptElement
  const standing = window[name]
  // Own enumerable properties only: an element or frame with that name has none.
  const { key: held } = { ...standing } as Standing
  // Including the tag twice counts once.
  if (key && held !== key) {
    if (!held) window[name] = signals
    signals.set(namedBy(tag, 'data-props-'))
    // Not an element with that id either.
    signals.start(
      options as ScriptOptions & SignalsOptions,
      ...(Array.isArray(standing) ? (standing as QueuedCall[]) : []),
    )
    // Most tags have a key alone, and most pages no event in their attributes: they need nothing more.
    if (Object.keys(options)[2] || document.querySelector('[data-signals-event]'))
      document.head.append(
        Object.assign(document.createElement('script'), {
          nonce: tag.nonce,
          src: `${base}/extras.js`,
          signals,
          options,
        }),
      )
  }
}
