// <script defer src="…/signals.js" data-key="…">: starts by its attributes, and puts `signals` on the page for calls of its own.
import { scriptOptions } from '../shared/script.ts'
import { type Signals, signals } from '../signals.ts'

/** A call as a page queues it before the script is there: the function's name and what it is given. */
type Call = readonly [name: 'event', ...given: Parameters<Signals['event']>]

/** What may stand under the name already: a page's queue, or the functions of another tag. */
interface Standing {
  readonly forEach?: (each: (call: Call) => void) => void
  readonly key?: string
}

const { base = '', data = {} } = scriptOptions() || {}
const { key, as: name = 'signals' } = data
const page = window as unknown as Record<string, Standing | undefined>
const standing: Standing = page[name] || []
// The same tag twice counts once.
if (key && standing.key !== key) {
  const push = ([method, ...given]: Call): unknown => signals[method](...given)
  if (!standing.key) page[name] = Object.assign(signals, { key, push })
  signals.start({ ...(data as object), key, base })
  if (standing.forEach) standing.forEach(push)
}
