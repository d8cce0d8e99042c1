// What a move is between, and the stores of either side.
import { join } from 'node:path'
import { pino } from 'pino'
import { type Config, factsSettings } from '../server/config.ts'
import { EngineProcess } from '../server/engine/engine.ts'
import type { CarriedFacts, FactsSide } from '../server/stores/carry-facts.ts'
import type { CarriedRecords } from '../server/stores/carry-records.ts'
import { openFacts } from '../server/stores/facts.ts'
import { openRecords, type Records } from '../server/stores/records.ts'
import { openMeter } from './meter.ts'

export const quiet = pino({ level: 'silent' })

/** What is to be carried, and between which settings. */
export interface Task {
  readonly from: Config
  readonly to: Config
  readonly hasFacts: boolean
  readonly hasRecords: boolean
}

export interface Carried {
  readonly facts: CarriedFacts | null
  readonly records: CarriedRecords | null
}

/** Shown on a terminal, or as a line now and then. */
export async function metered<Result>(
  unit: string,
  work: (onStep: (done: number, all: number) => void) => Promise<Result>,
) {
  let meter: ReturnType<typeof openMeter> | undefined
  try {
    return await work((done, all) => {
      meter ??= openMeter(unit, all, process.stderr.isTTY)
      meter.show(done)
    })
  } finally {
    meter?.stop()
  }
}

export interface Stores {
  readonly facts: FactsSide
  readonly records: Records
  readonly close: () => Promise<void>
}

/**
 * What is open is closed in any case, the last first.
 * @param known facts that both sides share.
 */
export async function openStores(config: Config, known?: FactsSide): Promise<Stores> {
  const closers: (() => Promise<unknown>)[] = []
  const close = async (): Promise<void> => {
    for (const each of closers.toReversed()) await each()
  }
  try {
    const facts = known ?? (await openFactsSide(config, closers))
    const records = await openRecords(config)
    closers.push(() => records.destroy())
    return { facts, records, close }
  } catch (error) {
    await close()
    throw error
  }
}

/** @param closers what is open is added to them. */
export async function openFactsSide(config: Config, closers: (() => Promise<unknown>)[]): Promise<FactsSide> {
  const [first] = config.clickhouseUrls
  const engine = first === undefined ? await openEngine(config) : undefined
  if (engine) closers.push(() => engine.close())
  const given = { ...factsSettings(config), ...(engine && { engineUrl: engine.url }), isPatient: false, log: quiet }
  const facts = await openFacts(given)
  closers.push(() => facts.close())
  return { facts, url: first ?? engine!.url, isWhole: isWhole(config) }
}

/** Several servers that are no cluster are copies: the first one has all there is. */
export const isWhole = ({ clickhouseCluster }: Config): boolean => clickhouseCluster === null

const openEngine = ({ dataDir, factsMemoryMb: memoryMb }: Config): Promise<EngineProcess> =>
  EngineProcess.open({ dataDir, memoryMb, backupDir: join(dataDir, 'backups'), log: quiet })
