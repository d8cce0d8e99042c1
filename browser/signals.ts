// signals for npm: the core and its extras in one module, since a bundle has no file to load on demand.
import { signals as core, type Signals } from './signals/core.ts'
import { watchActs } from './signals/extras.ts'

export type {
  Acquisition,
  Answer,
  Identity,
  Props,
  QueuedCall,
  Scalar,
  Signals,
  SignalsOptions,
} from './signals/core.ts'

const startCore = core.start
let isStarted = false

const start: Signals['start'] = (options, ...calls) => {
  startCore(options, ...calls)
  if (!isStarted) watchActs(core, options)
  isStarted = true
}

export const signals: Signals = Object.assign(core, { start })
