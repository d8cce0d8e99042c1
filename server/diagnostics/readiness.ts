// Whether the service can serve: both stores answer, and DATA_DIR is writable. Concurrent callers share one
// check.
import { rm, statfs, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Deps } from '../kernel/deps.ts'
import { KEPT_FREE_BYTES } from '../kernel/room.ts'
import { pingRecords } from './records.ts'

/** A slower store cannot serve anybody. */
const PING_TIMEOUT_MS = 2000
/** More than the slack that a file system leaves at the end of another file. */
const PROBE_BYTES = 64 * 1024

export const parts = ['records', 'facts', 'disk'] as const
type Part = (typeof parts)[number]

export type Readiness = Readonly<Partial<Record<Part, boolean>>>

/** What another node could do better: stores that all nodes share are away for each of them. */
export const ownParts: readonly Part[] = ['disk']

async function answers(ping: Promise<boolean>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), PING_TIMEOUT_MS)
  })
  const answered = await Promise.race([ping.catch(() => false), late])
  clearTimeout(timer)
  return answered
}

/**
 * Only a write can tell: quotas, full disks and read-only mounts look alike otherwise. @throws the system's
 * error.
 */
async function tryWriting(dataDir: string): Promise<true> {
  const path = join(dataDir, `.probe-${process.pid}`)
  try {
    await writeFile(path, Buffer.alloc(PROBE_BYTES), { mode: 0o600 })
    return true
  } finally {
    await rm(path, { force: true })
  }
}

/** Below this much free space, facts that are stored on this disk are not written. */
async function hasRoom(dataDir: string): Promise<boolean> {
  const { bavail, bsize } = await statfs(dataDir)
  return bavail * bsize >= KEPT_FREE_BYTES
}

/** @throws the system's error. */
async function takesWrites({ dataDir, clickhouseUrls }: Deps['config']): Promise<boolean> {
  return (await tryWriting(dataDir)) && (clickhouseUrls.length > 0 || hasRoom(dataDir))
}

type ReadinessDeps = Pick<Deps, 'records' | 'facts' | 'config'>

const checksOf = ({ records, facts, config }: ReadinessDeps): Readonly<Record<Part, () => Promise<boolean>>> => ({
  records: () => answers(pingRecords(records)),
  facts: () => answers(facts.ping()),
  disk: () => answers(takesWrites(config)),
})

/** @param asked others are not waited for. */
export function openReadiness(deps: ReadinessDeps, asked: readonly Part[]): () => Promise<Readiness> {
  const checks = checksOf(deps)
  let underWay: Promise<Readiness> | undefined
  const ask = async (): Promise<Readiness> =>
    Object.fromEntries(await Promise.all(asked.map(async (part) => [part, await checks[part]()] as const)))
  return () => {
    underWay ??= ask().finally(() => {
      underWay = undefined
    })
    return underWay
  }
}
