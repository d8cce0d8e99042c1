// What extras.js loads when the tag has data-vitals.
import type { ScriptOptions } from '../shared/script.ts'
import type { Signals, SignalsOptions } from '../signals/core.ts'
import { watchVitals } from '../vitals.ts'

const tag = document.currentScript as HTMLScriptElement & {
  readonly signals?: Signals
  readonly options?: ScriptOptions & SignalsOptions
}
if (tag && tag.signals && tag.options) watchVitals(tag.signals, tag.options)
