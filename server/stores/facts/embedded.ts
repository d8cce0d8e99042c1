// The embedded ClickHouse: an engine in a process of its own (engine/engine.ts), its files under DATA_DIR,
// to which this process alone writes. Small when idle, under one memory ceiling, without logs of its own.
import type { Logger } from 'pino'
import { backupFolder, EngineProcess } from '../../engine/engine.ts'
import type { Beside } from '../beside.ts'
import type { FactsEngine, QuestionOptions } from './engine.ts'
import type { HeldLimits } from './held.ts'
import { engineOver, type NodeLimits } from './http-engine.ts'
import { Nodes, parseNode } from './nodes.ts'
import type { RunningLimits } from './running.ts'
import { openQuestionTurns } from '../question-turns.ts'

export interface EmbeddedOptions extends QuestionOptions {
  readonly dataDir: string
  readonly memoryMb: number
  readonly log: Logger
  /** Of an engine that somebody else runs for this process; then it runs none itself. */
  readonly engineUrl?: string | undefined
  readonly beside?: Beside | undefined
}

const MIB = 1024 * 1024
/** A backup of everything takes as long as its disk. */
const COMMAND_MS = 24 * 3_600_000

/**
 * Shares of the memory, so that all together leave room for inserts and merges: of one question, one of a
 * share link, one look-up, which reads a few rows by their key, and one file that is written.
 */
const shares = { question: 0.23, shared: 0.08, lookup: 0.1, files: 0.15 } as const

/** What questions keep for their statements, all together, and the rows of one. */
const HELD_SHARE = 0.16
const HELD_ROWS = 750_000

const limitsOf = (memoryMb: number): NodeLimits => ({
  bytes: {
    question: Math.floor(memoryMb * MIB * shares.question),
    shared: Math.floor(memoryMb * MIB * shares.shared),
    lookup: Math.floor(memoryMb * MIB * shares.lookup),
    files: Math.floor(memoryMb * MIB * shares.files),
  },
  lookupThreads: 1,
  commandMs: COMMAND_MS,
})

export const heldEmbedded = ({ memoryMb }: Pick<EmbeddedOptions, 'memoryMb'>): HeldLimits => ({
  nodes: 1,
  mostRows: HELD_ROWS,
  mostBytes: memoryMb * MIB * HELD_SHARE,
})

/** Of the tables of all days, which all processes share; for a minute there may be twice as much. */
const RUNNING_SHARE = 0.06

interface RunningOptions extends Pick<EmbeddedOptions, 'memoryMb' | 'beside'> {
  readonly keepsRunningDays?: boolean | undefined
}

export const runningEmbedded = ({ memoryMb, beside, keepsRunningDays = true }: RunningOptions): RunningLimits => ({
  mostBytes: keepsRunningDays ? (memoryMb * MIB * RUNNING_SHARE) / (beside?.count ?? 1) : 0,
})

/** @throws Error with a sentence for the owner when another process holds the store. */
export async function openEmbedded(options: EmbeddedOptions): Promise<FactsEngine> {
  const { dataDir, memoryMb, engineUrl, beside } = options
  const limits = limitsOf(memoryMb)
  const turns = beside?.turns ?? openQuestionTurns(0)
  const over = (url: string) => engineOver(new Nodes([parseNode(url)], limits), { ...options, limits, turns })
  if (engineUrl !== undefined) return over(engineUrl)
  const engine = await EngineProcess.open({ ...options, backupDir: backupFolder(dataDir) })
  const node = over(engine.url)
  const close = async () => {
    await node.close()
    await engine.close()
  }
  return { ...node, close }
}
