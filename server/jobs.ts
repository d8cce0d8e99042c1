// What the process repeats beside its requests, in one table: at the start, and then periodically.
import type { Logger } from 'pino'
import { removeOldAccountRows } from './accounts/retention.ts'
import { workOnBackups } from './backups/backups.ts'
import { listSummedGoals } from './conversions/conversions.ts'
import { forgetOldMerges } from './contact-merge/contact-merge.ts'
import type { Context } from './context.ts'
import { removeOldDeliveries } from './deliveries/retention.ts'
import { tellSubmissions } from './form-mail/telling.ts'
import { noteSubmissions } from './form-flow/note.ts'
import { noteLinks } from './identify/contact-sessions.ts'
import { openWatch } from './alerts/alerts.ts'
import { openNotices } from './notices/notices.ts'
import { removeOutlived, workOnRemovals } from './removals/removals.ts'
import { sendReports } from './reports/sending.ts'
import { removeOldMails } from './mail/log.ts'
import { openMending } from './stores/facts/mend.ts'
import { dropOldFacts } from './stores/facts/retention.ts'
import { removeIps } from './submissions/ip-retention.ts'
import { makeDueContacts } from './submissions/leads.ts'
import { letFrozenGo, removeOldForms } from './submissions/retention.ts'
import { fillSearch } from './submissions/search-filling.ts'
import { sweepUploads } from './uploads/uploads.ts'

export interface Job {
  readonly name: string
  /** A run that is still under way is not met by the next one. */
  readonly everyMs: number
  /**
   * Answers with how much it did, which is logged when it is anything. A run that fails is made up for by the
   * next.
   */
  readonly run: () => Promise<number | void>
}

const SECOND_MS = 1_000
const TEN_SECONDS_MS = 10_000
const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000
const DAY_MS = 86_400_000

/** The intervals: data outlives its time by at most that, and what was missed is made up for within it. */
export function jobsOf(context: Context): readonly Job[] {
  const { config, records, facts, now, team } = context
  // Processes that share a machine would only be in each other's way.
  if (team && team.slot !== 1) return []
  return [
    // RETENTION_DAYS: without the setting no fact is ever dropped.
    ...(config.retentionDays === null ? [] : [dropFacts(context, config.retentionDays)]),
    { name: 'remove outlived facts', everyMs: HOUR_MS, run: () => removeOutlived(context).then(unsaid) },
    // Of properties that were deleted or reset, or that outlived their time.
    { name: 'remove facts', everyMs: TEN_SECONDS_MS, run: () => workOnRemovals(context) },
    // Where others write meanwhile, there may be a minute of all their rows: no start waits for that.
    ...(config.clickhouseUrls.length > 0 ? [{ name: 'mend folds', everyMs: MINUTE_MS, run: openMending(facts) }] : []),
    ...(config.clickhouseUrls.length > 0 ? [countNodes(context)] : []),
    // Also for how long a week must be quiet before it is copied: what comes late comes together.
    { name: 'settle days', everyMs: 5 * MINUTE_MS, run: () => settleDays(context) },
    // Markings that another node or a crash left unfinished. Who begins one does not wait for this.
    { name: 'mark sessions', everyMs: TEN_SECONDS_MS, run: () => context.markings.work() },
    // A command that asks for a backup waits for somebody to begin; a schedule is looked at in passing.
    { name: 'take backups', everyMs: SECOND_MS, run: () => workOnBackups(context).then(unsaid) },
    // With a salt goes the way back from a session to its visitor.
    { name: 'remove salts', everyMs: HOUR_MS, run: () => context.visitors.removeOldSalts() },
    // What a crash or an absent store left out of the facts.
    { name: 'note sessions of contacts', everyMs: MINUTE_MS, run: () => noteLinks(context) },
    { name: 'note submissions', everyMs: MINUTE_MS, run: () => noteSubmissions(context) },
    // As short as it is cheap: what one caller can have stored grows with it.
    { name: 'end form sessions', everyMs: MINUTE_MS, run: () => letFrozenGo({ records, now }).then(unsaid) },
    // Again and again, since a node of an older version may still be storing.
    { name: 'create contacts of submissions', everyMs: TEN_SECONDS_MS, run: () => makeDueContacts(context) },
    // Somebody waits for it at the other end.
    { name: 'tell owners', everyMs: MINUTE_MS, run: openNotices(context) },
    { name: 'send alerts', everyMs: MINUTE_MS, run: openWatch(context) },
    { name: 'send reports', everyMs: 5 * MINUTE_MS, run: () => sendReports(context) },
    { name: 'mail submissions', everyMs: 2 * SECOND_MS, run: () => tellSubmissions(context).then(unsaid) },
    { name: 'make submissions searchable', everyMs: MINUTE_MS, run: () => fillSearch(context) },
    { name: 'remove submissions and form sessions', everyMs: HOUR_MS, run: () => removeForms(context) },
    // Files of submissions that were deleted are personal data: what is left of them goes soon.
    { name: 'remove unused uploads', everyMs: TEN_SECONDS_MS, run: () => sweepUploads(context) },
    { name: 'remove IP addresses of submissions', everyMs: HOUR_MS, run: () => removeIps(context) },
    { name: 'remove exports', everyMs: 10 * MINUTE_MS, run: () => context.exports.sweep() },
    // The log of sign-ins stays small this way: no more is noted in ten minutes than some ten thousand wrong
    // passwords.
    { name: 'tidy accounts', everyMs: 10 * MINUTE_MS, run: () => removeOldAccountRows(context) },
    // Visitors of this moment, where there is sample data.
    { name: 'visit the sample', everyMs: MINUTE_MS, run: () => context.samples.visit() },
    ...(config.isDemo ? [{ name: 'write the demo', everyMs: MINUTE_MS, run: () => writeSample(context) }] : []),
    { name: 'remove deliveries', everyMs: HOUR_MS, run: () => removeOldDeliveries(context) },
    { name: 'forget old merges', everyMs: HOUR_MS, run: () => forgetOldMerges(context) },
    { name: 'remove mail', everyMs: HOUR_MS, run: () => removeOldMails(context) },
  ]
}

/** Form sessions end all the time: their number is not logged. */
const unsaid = (): void => {}

const settleDays = async (context: Context): Promise<number> =>
  (await context.facts.settle(context.now(), true, await listSummedGoals(context))).length

/** At the first start, and where it was broken off. */
async function writeSample({ samples }: Context): Promise<void> {
  if ((await samples.find())?.state !== 'done') await samples.begin()
}

const countNodes = (context: Context): Job => ({
  name: 'count nodes',
  everyMs: TEN_SECONDS_MS,
  run: () => context.nodeCount.note(context),
})

const dropFacts = ({ facts, now }: Context, days: number): Job => ({
  name: 'drop old facts',
  everyMs: DAY_MS,
  run: async () => (await dropOldFacts(facts, days, now())).length,
})

async function removeForms(context: Context): Promise<number> {
  const removed = await removeOldForms(context)
  return removed.form_sessions + removed.submissions
}

/**
 * @param isResting no run begins while it says so.
 * @returns the function that stops it; a run that is under way ends by itself.
 */
export function startJob({ name, everyMs, run }: Job, log: Logger, isResting = (): boolean => false): () => void {
  let isUnderWay = false
  const runOnce = async (): Promise<void> => {
    if (isUnderWay || isResting()) return
    isUnderWay = true
    try {
      const count = (await run()) ?? 0
      if (count > 0) log.info({ job: name, count }, 'job done')
    } catch (error) {
      // What is kept a little longer harms nobody; ending the service would.
      log.error({ job: name, err: error }, 'job failed')
    } finally {
      isUnderWay = false
    }
  }
  void runOnce()
  const timer = setInterval(() => void runOnce(), everyMs)
  timer.unref()
  return () => clearInterval(timer)
}
