// The whole of it under one name: import { signals, content, createForms } from '@footfall/browser'.
export { content } from './content.ts'
export type { Content, ContentOptions, Cta, KeptContent, ShownContent } from './content.ts'
export { createForms } from './form.ts'
export type { Forms, FormsOptions } from './form.ts'
export { watchManaged } from './managed.ts'
export { signals } from './signals.ts'
export type { Acquisition, Answer, Identity, Props, QueuedCall, Scalar, Signals, SignalsOptions } from './signals.ts'
export { watchVitals } from './vitals.ts'
