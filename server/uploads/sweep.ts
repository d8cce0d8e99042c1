// Deletes files that belong to nothing: sent without a form, or of submissions that are gone. A row goes
// after its file, so that a crash in between leaves no file that nobody knows.
import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Context } from '../context.ts'
import { scrubDeleted } from '../stores/records.ts'
import { inSteps } from '../stores/steps.ts'
import { UNUSED_MS } from './receive.ts'
import { deleteUpload, listUnused } from './records.ts'

type SweepDeps = Pick<Context, 'records' | 'uploads' | 'now'>

/** Another node's clock may be behind: to it an upload that has expired here can still be sent. */
const CLOCK_SLACK_MS = 60_000

/** Of this machine alone: others have drafts of their own. */
async function sweepDrafts({ uploads, now }: SweepDeps): Promise<void> {
  const names = await readdir(uploads.drafts).catch(() => [])
  for (const name of names) {
    const path = join(uploads.drafts, name)
    const made = await stat(path).catch(() => undefined)
    if (made && made.mtimeMs < now() - UNUSED_MS) await rm(path, { force: true })
  }
}

/** @returns how many were deleted. */
export async function sweepUploads(deps: SweepDeps): Promise<number> {
  const { records, uploads, now } = deps
  await sweepDrafts(deps)
  const beforeMs = now() - CLOCK_SLACK_MS
  const swept = await inSteps(async (most) => {
    const ids = await listUnused(records, beforeMs, most)
    for (const id of ids) {
      await uploads.storage.remove(id)
      await deleteUpload(records, id)
    }
    return ids.length
  })
  if (swept > 0) await scrubDeleted(records)
  return swept
}
