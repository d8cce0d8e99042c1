// Leads the workers of WORKERS: what belongs to the machine is opened once, here, and ends last.
import { randomBytes } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { acknowledgesFromLog, type Config, noticeSeconds } from '../config.ts'
import { backupFolder, EngineProcess } from '../engine/engine.ts'
import { settledWithin } from '../queues/deadline.ts'
import { openSecret } from '../secret.ts'
import { openLog } from '../serving/log.ts'
import { Primary } from './primary.ts'
import { openWaiting } from './waiting.ts'

/** After the notice workers end by themselves within it; those that do not are ended with this process. */
const END_MS = 15_000

/**
 * Serves until SIGTERM or SIGINT. Resolves once it serves.
 * @param command how the command line was started, for the first words.
 * @throws when a setting or a store is not usable; what a worker has said already is not said again.
 */
export async function lead(config: Config, command: string): Promise<void> {
  const log = openLog(config.logLevel)
  const { dataDir, clickhouseUrls, factsMemoryMb: memoryMb, workers: count } = config
  const nodes = clickhouseUrls.length
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  openSecret(config, randomBytes) // a lost one is refused before there is a folder of the facts
  const waitingFile = openWaiting(dataDir, count)
  const backupDir = backupFolder(dataDir)
  const engine = nodes > 0 ? undefined : await EngineProcess.open({ dataDir, memoryMb, backupDir, log })
  const isLogFirst = acknowledgesFromLog(config)
  const primary = new Primary({ count, nodes, command, engineUrl: engine?.url, isLogFirst, waitingFile, log })
  const end = async (code: number): Promise<never> => {
    await engine?.close()
    process.exit(code)
  }
  const stop = async (): Promise<never> => {
    const isDone = await settledWithin(primary.ended, noticeSeconds(config) * 1000 + END_MS)
    if (isDone === undefined) log.error('stopping took too long')
    return end(isDone ? 0 : 1)
  }
  let stopping: Promise<never> | undefined
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    process.on(signal, () => {
      if (!primary.hasBegun) return void end(1)
      primary.stop(signal)
      stopping ??= stop()
    })
  await primary.open().catch(() => end(1))
}
