// A property with a year of made-up data, written beside everything else that the service does: to look at before the first visitor comes.
// One for an installation; it is marked as what it is, and goes as easily as it came.
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Context } from '../context.ts'
import { createProperty, findSample, noteSample, type Property, removeProperty } from '../properties/properties.ts'
import { DEMO_HOST } from './catalogue.ts'
import { type DemoOptions, type DemoPace, writeDemo } from './demo.ts'

export const SAMPLE_NAME = 'Sample data'
/** A hundred a day: enough for every list to say something, and there within a minute on two cores. */
export const fullSize = { sessions: 40_000, days: 365 } as const
const SEED = 11

/** The others have their turn after so long at most, but for a single insert or transaction. */
const SLICE_MS = 8

export interface Sample {
  readonly property_id: string
  /** failed: it was not written to its end; another POST completes it. */
  readonly state: 'running' | 'done' | 'failed'
  /** 0 to 1. */
  readonly progress: number
}

export interface Samples {
  /** Begins or completes it; while it is written, says how far it is. */
  begin(): Promise<Sample>
  find(): Promise<Sample | null>
  /** Ends it when it is under way. False when there is none. */
  remove(): Promise<boolean>
  /** Ends what is under way; what is written stays, and is completed by the next `begin`. */
  close(): Promise<void>
}

/** Rests as soon as its slice is over, and ends with the signal. */
function politely(signal: AbortSignal): DemoPace {
  let startedMs = performance.now()
  const rest = async (): Promise<void> => {
    await nextTurn()
    signal.throwIfAborted()
    startedMs = performance.now()
  }
  return {
    pieceRows: 1_000,
    pieces: 1,
    contacts: 10,
    submissions: 10,
    rest: () => (performance.now() - startedMs < SLICE_MS ? undefined : rest()),
  }
}

interface Run {
  readonly stop: AbortController
  readonly propertyId: string
  progress: number
}

async function findOrCreateSample(context: Context): Promise<Property> {
  const found = await findSample(context)
  if (found) return found.property
  return createProperty(context, {
    name: SAMPLE_NAME,
    domains: [DEMO_HOST],
    default_period: 'last_28',
    plan: 'paid',
    is_sample: true,
  })
}

async function write(context: Context, property: Property, options: DemoOptions, run: Run): Promise<void> {
  const told = ({ sessions }: { readonly sessions: number }): void => {
    run.progress = Math.min(0.99, sessions / options.sessions)
  }
  try {
    await noteSample(context, property.id, false)
    await writeDemo(context, property, options, told, politely(run.stop.signal))
    await noteSample(context, property.id, true)
  } catch (error) {
    if (!run.stop.signal.aborted) context.log.error({ err: error }, 'the sample data could not be written')
  }
}

const shownRun = ({ propertyId, progress }: Run): Sample => ({ property_id: propertyId, state: 'running', progress })

async function findShown(context: Context): Promise<Sample | null> {
  const found = await findSample(context)
  if (!found) return null
  return found.isWhole
    ? { property_id: found.property.id, state: 'done', progress: 1 }
    : { property_id: found.property.id, state: 'failed', progress: 0 }
}

/** @param size of the sample; a small one in tests. */
export function openSamples(context: Context, size: Pick<DemoOptions, 'sessions' | 'days'>): Samples {
  let run: Run | undefined
  let ended: Promise<void> = Promise.resolve()
  let last: Promise<unknown> = Promise.resolve()

  /** Of two at once, the second one sees what the first one did. */
  const inTurn = <Result>(work: () => Promise<Result>): Promise<Result> => {
    const done = last.then(work)
    last = done.catch(() => undefined)
    return done
  }

  const start = async (): Promise<Run> => {
    const property = await findOrCreateSample(context)
    const own: Run = { stop: new AbortController(), propertyId: property.id, progress: 0 }
    run = own
    ended = write(context, property, { ...size, seed: SEED }, own).finally(() => {
      run = undefined
    })
    return own
  }

  const end = async (): Promise<void> => {
    run?.stop.abort(new Error('the sample is no longer wanted'))
    await ended
  }

  return {
    begin: () => inTurn(async () => shownRun(run ?? (await start()))),
    find: async () => (run ? shownRun(run) : findShown(context)),
    remove: () =>
      inTurn(async () => {
        await end()
        const found = await findSample(context)
        if (found) await removeProperty(context, context, found.property.id)
        return found !== undefined
      }),
    close: () => inTurn(end),
  }
}
