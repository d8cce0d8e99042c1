// What signals.js loads when its tag has options, or when an element of the page names an event.
import type { ScriptOptions } from '../shared/script.ts'
import type { Signals, SignalsOptions } from '../signals/core.ts'
import { watchActs } from '../signals/extras.ts'

const tag = document.currentScript as HTMLScriptElement & {
  readonly signals?: Signals
  readonly options?: ScriptOptions & SignalsOptions
}
if (tag && tag.signals && tag.options) {
  const { nonce, signals, options } = tag
  watchActs(signals, options)
  if (options.vitals !== undefined)
    document.head.append(
      Object.assign(document.createElement('script'), { nonce, src: `${options.base}/vitals.js`, signals, options }),
    )
}
