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

export type Readiness = Readonly<Record<Part, boolean>>

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

async function ask({ records, facts, config }: Pick<Deps, 'records' | 'facts' | 'config'>): Promise<Readiness> {
  const [recordsAnswer, factsAnswer, disk] = await Promise.all([
    answers(pingRecords(records)),
    answers(facts.ping()),
    answers(takesWrites(config)),
  ])
  return { records: recordsAnswer, facts: factsAnswer, disk }
}

export function openReadiness(deps: Pick<Deps, 'records' | 'facts' | 'config'>): () => Promise<Readiness> {
  let underWay: Promise<Readiness> | undefined
  return () => {
    underWay ??= ask(deps).finally(() => {
      underWay = undefined
    })
    return underWay
  }
}
