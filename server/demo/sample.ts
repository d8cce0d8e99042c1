// A property with a year of generated data, written beside the service's other work: to explore before the
// first visitors come. One per installation, written by one of its nodes; it is marked as sample data, and
// easily removed.
import type { Parts } from '../context.ts'
import {
  createProperty,
  findSample,
  noteSample,
  type Property,
  removeProperty,
  swapSampleRun,
} from '../properties/properties.ts'
import { DEMO_HOST } from './catalogue.ts'
import { type DemoOptions, type DemoPace, writeDemo } from './demo.ts'
import type { SampleJson } from './schema.ts'
import { writeTrickle } from './trickle.ts'
import { type Claim, claimSample, progressOf, RENEWED_MS, restingNow } from './sample-run.ts'

/** The shop whose visits are made up. */
export const SAMPLE_NAME = 'Lumen & Lark'
/** A hundred a day: enough to fill every list, and written within a minute on two cores. */
export const fullSize = { sessions: 40_000, days: 365 } as const
/** For an installation that is there to be looked at: somebody is always on the site. */
export const demoSize = { sessions: 200_000, days: 180 } as const
const SEED = 11

export interface Samples {
  /** Starts or completes it; while it is being written, answers its progress. */
  begin(): Promise<SampleJson>
  find(): Promise<SampleJson | null>
  /** Removes it, ending a run that is under way. False when there is none. */
  remove(): Promise<boolean>
  /** Writes the visitors of this moment, where the sample is whole. */
  visit(): Promise<void>
  /** Ends the run that is under way; what is written stays, and the next `begin` completes it. */
  close(): Promise<void>
}

interface Run {
  readonly stop: AbortController
  readonly propertyId: string
  readonly claim: Claim
  progress: number
}

/** Pauses often, and ends with the signal, or when another process has the claim. */
function politely(run: Run): DemoPace {
  const { stop, claim } = run
  const rest = restingNow(async () => {
    if (!(await claim.renew(run.progress))) stop.abort(new Error('the sample is of another process, or gone'))
    stop.signal.throwIfAborted()
  })
  return { pieceRows: 1_000, pieces: 1, contacts: 10, submissions: 10, rest }
}

interface Found {
  readonly property: Property
  readonly isWhole: boolean
  readonly run: string
}

async function findOrCreateSample(context: Parts): Promise<Found> {
  const found = await findSample(context)
  if (found) return found
  const property = await createProperty(context, {
    name: SAMPLE_NAME,
    domains: [DEMO_HOST],
    default_period: 'last_28',
    plan: 'paid',
    is_sample: true,
  })
  return { property, isWhole: false, run: '' }
}

async function write(context: Parts, property: Property, options: DemoOptions, run: Run): Promise<void> {
  const noteProgress = ({ sessions }: { readonly sessions: number }): void => {
    run.progress = Math.min(0.99, sessions / options.sessions)
  }
  try {
    await noteSample(context, property.id, false)
    await writeDemo(context, property, { ...options, pace: politely(run) }, noteProgress)
    await noteSample(context, property.id, true)
  } catch (error) {
    if (!run.stop.signal.aborted) context.log.error({ err: error }, 'the sample data could not be written')
  } finally {
    await run.claim.release().catch(() => undefined) // it runs out by itself
  }
}

const runJson = ({ propertyId, progress }: Run): SampleJson => ({
  property_id: propertyId,
  state: 'running',
  progress,
})

/** As any node sees it. */
function foundJson({ property, isWhole, run }: Found, nowMs: number): SampleJson {
  const progress = progressOf(run, nowMs)
  if (progress !== undefined) return { property_id: property.id, state: 'running', progress }
  return { property_id: property.id, state: isWhole ? 'done' : 'failed', progress: isWhole ? 1 : 0 }
}

async function findShown(context: Parts): Promise<SampleJson | null> {
  const found = await findSample(context)
  return found ? foundJson(found, context.now()) : null
}

async function visitSample(context: Parts, size: Pick<DemoOptions, 'sessions' | 'days'>): Promise<void> {
  const found = await findSample(context)
  if (found?.isWhole) await writeTrickle(context, found.property, { ...size, seed: SEED })
}

/** @param size of the sample; tests use a small one, and a short `everyMs`. */
export function openSamples(
  context: Parts,
  size: Pick<DemoOptions, 'sessions' | 'days'>,
  everyMs = RENEWED_MS,
): Samples {
  let run: Run | undefined
  let ended: Promise<void> = Promise.resolve()
  let last: Promise<unknown> = Promise.resolve()

  /** Calls take turns: the second sees the result of the first. */
  const inTurn = <Result>(work: () => Promise<Result>): Promise<Result> => {
    const done = last.then(work)
    last = done.catch(() => undefined)
    return done
  }

  /** Undefined when another node writes it. */
  const start = async ({ property, run: before }: Found): Promise<Run | undefined> => {
    const claim = await claimSample(context, property.id, before, everyMs)
    if (!claim) return undefined
    const own: Run = { stop: new AbortController(), propertyId: property.id, claim, progress: 0 }
    run = own
    ended = write(context, property, { ...size, seed: SEED }, own).finally(() => {
      run = undefined
    })
    return own
  }

  const begin = async (): Promise<SampleJson> => {
    if (run) return runJson(run)
    const found = await findOrCreateSample(context)
    const shown = foundJson(found, context.now())
    if (shown.state === 'running') return shown
    const own = await start(found)
    return own ? runJson(own) : { ...shown, state: 'running', progress: 0 }
  }

  const end = async (): Promise<void> => {
    run?.stop.abort(new Error('the sample is no longer wanted'))
    await ended
  }

  return {
    begin: () => inTurn(begin),
    find: async () => (run ? runJson(run) : findShown(context)),
    remove: () =>
      inTurn(async () => {
        await end()
        const found = await findSample(context)
        // A node that is writing it stops at its next check.
        if (found) await swapSampleRun(context, found.property.id, found.run, '')
        if (found) await removeProperty(context, context, found.property.id)
        return found !== undefined
      }),
    visit: () => inTurn(() => (run ? Promise.resolve() : visitSample(context, size))),
    close: () => inTurn(end),
  }
}
