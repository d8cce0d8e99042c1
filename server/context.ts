// Opens everything that endpoints receive, in order, and closes it in reverse order. Wiring only: no rule
// lives here.
import { randomBytes as cryptoRandomBytes } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import type { Logger } from 'pino'
import { type PasswordCost, usualPasswordCost } from './accounts/passwords.ts'
import { type AccountDirectory, openAccountDirectory } from './accounts/sessions.ts'
import { type Answers, openAnswers } from './analytics/answers.ts'
import { type DeliveryStats, newDeliveryStats } from './deliveries/delivery-model.ts'
import { type Forgetting, openForgetting } from './deliveries/forget.ts'
import { openOutbox, type Outbox } from './automations/outbox.ts'
import { emptyProperty } from './empty-property.ts'
import { factsSettings, geoFolder, type Config } from './config.ts'
import type { ErasePerson, ErasePersonAhead } from './contacts/erase.ts'
import { takeInMarks, takeInMarksFrom } from './contacts/marks.ts'
import { type ContentDirectory, openContentDirectory } from './content/directory.ts'
import { demoSize, fullSize, openSamples, type Samples } from './demo/sample.ts'
import { openEnrich, type Enrich } from './enrich/enrich.ts'
import { personalKinds } from './exports/export.ts'
import { Exports } from './exports/exports.ts'
import { answerForOthers } from './exports/office.ts'
import type { ForgetSubmissions } from './submissions/erase.ts'
import { type FormDirectory, openFormDirectory } from './forms/directory.ts'
import { type DraftTries, openDraftTries } from './forms/draft-tries.ts'
import { FACTS_MS } from './form-flow/form-sessions.ts'
import { openLimits, type Limits } from './http/limits.ts'
import { openLog } from './serving/log.ts'
import type { Deps } from './kernel/deps.ts'
import { openKeys } from './kernel/keys.ts'
import { Stopping } from './kernel/stopping.ts'
import { type LinkDirectory, openLinkDirectory } from './redirect/directory.ts'
import { DEADLINE_MS } from './clicks/click-recorder.ts'
import { type DomainProbe, openDomainProbe } from './links/domain-probe.ts'
import { readDeadLinkUrl } from './links/dead-links.ts'
import {
  type DeadLinkRules,
  noteErasure,
  openPropertyDirectory,
  type PropertyContents,
  type PropertyDirectory,
} from './properties/properties.ts'
import { openTokenDirectory, type TokenDirectory } from './properties/tokens.ts'
import { NodeCount } from './node-count.ts'
import { Pause } from './pause.ts'
import { keepSecret, refuseOtherSecret, warnAboutSecret } from './same-secret.ts'
import { openSecret } from './secret.ts'
import { openSharedClock } from './shared-clock.ts'
import { settledWithin } from './queues/deadline.ts'
import { type Markings, openMarkings } from './marks/work.ts'
import { openRates, type Rates } from './rates/rates.ts'
import { type FactsOptions, openFacts } from './stores/facts.ts'
import { SHARED_QUERY_SECONDS } from './stores/facts/engine.ts'
import { WriteGate } from './stores/gate.ts'
import { migrateStores } from './stores/migrate.ts'
import { storeClockOf } from './stores/clock.ts'
import { openRecords, type Records } from './stores/records.ts'
import { openRefusals, type Refusals } from './tracker/refusals.ts'
import { WAIT_FOR_FACTS_MS } from './tracker/days.ts'
import { openVisitors, type Visitors } from './tracker/visitors.ts'
import { openUploads, type UploadStorage } from './uploads/uploads.ts'
import type { Team } from './workers/workers.ts'

/** Everything that can be opened without the rest. */
export interface Parts extends Deps, PropertyContents, DeadLinkRules {
  readonly properties: PropertyDirectory
  readonly tokens: TokenDirectory
  readonly accounts: AccountDirectory
  readonly enrich: Enrich
  readonly visitors: Visitors
  readonly refusals: Refusals
  readonly markings: Markings
  readonly rates: Rates
  readonly limits: Limits
  /** The other processes of the service, where there are some. */
  readonly team: Team | undefined
  readonly links: LinkDirectory
  readonly domainProbe: DomainProbe
  readonly deadlines: Deadlines
  readonly stopping: Stopping
  readonly nodeCount: NodeCount
  /** Of all writes, while the installation is carried to other stores. */
  readonly pause: Pause
  readonly passwordCost: PasswordCost
  readonly triggers: Outbox
  readonly deliveryStats: DeliveryStats
  readonly forms: FormDirectory
  readonly draftTries: DraftTries
  readonly content: ContentDirectory
  readonly exports: Exports
  /** Files that visitors send with forms. */
  readonly uploads: UploadStorage
  /** Of the dashboard: one memory for all its routes, since it has one bound. */
  readonly answers: Answers
  /** What else there is of a person, removed with the contact. */
  readonly erasePerson: ErasePerson
  readonly erasePersonAhead: ErasePersonAhead
  /** What else tells of submissions, forgotten when they are removed. */
  readonly forgetSubmissions: ForgetSubmissions
}

export interface Context extends Parts {
  readonly samples: Samples
}

export type OpenContext = Context & { close(): Promise<void> }

/** How long callers wait for optional parts; those that take longer continue in the background. */
export interface Deadlines {
  /** Whoever follows a link, for the record of it. */
  readonly redirectMs: number
  /** Whoever fills in a form, in each step, for all that the facts know or are told. */
  readonly formFactsMs: number
  /** Whoever comes first on a new day, to hear who carries on over midnight. */
  readonly newDayMs: number
  /** Whoever asks by a share link, while a question runs; the facts are told when they are opened. */
  readonly sharedSeconds: number
}

export const usualDeadlines: Deadlines = {
  redirectMs: DEADLINE_MS,
  formFactsMs: FACTS_MS,
  newDayMs: WAIT_FOR_FACTS_MS,
  sharedSeconds: SHARED_QUERY_SECONDS,
}

/** What a test may replace. */
export interface Overrides extends Pick<FactsOptions, 'lingerMs' | 'keepsRunningDays' | 'patienceMs' | 'engineUrl'> {
  readonly now?: () => number
  readonly randomBytes?: (bytes: number) => Buffer
  readonly log?: Logger
  readonly deadlines?: Deadlines
  readonly passwordCost?: PasswordCost
  readonly domainProbe?: DomainProbe
  readonly team?: Team | undefined
}

/** Whoever cannot say that it leaves is not heard of any more, and forgotten. */
const LEAVE_MS = 1_000

type Close = () => unknown

/** Closes in reverse order; a failure does not keep the others open. */
async function closeAll(closers: readonly Close[], log: Logger): Promise<void> {
  for (const close of closers.toReversed()) {
    try {
      await close()
    } catch (error) {
      log.error({ err: error }, 'closing failed')
    }
  }
}

/** The time of the store that all nodes share; that of this machine, where there is none. */
async function openNow(records: Records, log: Logger, closers: Close[]): Promise<() => number> {
  const read = storeClockOf(records)
  if (!read) return Date.now
  const clock = await openSharedClock({ read, log })
  closers.push(() => clock.close())
  return clock.now
}

async function openParts(config: Config, overrides: Overrides, log: Logger, closers: Close[]): Promise<Parts> {
  const randomBytes = overrides.randomBytes ?? cryptoRandomBytes
  mkdirSync(config.dataDir, { recursive: true, mode: 0o700 })
  const keys = openKeys(openSecret(config, randomBytes))
  const gate = new WriteGate()
  const records = await openRecords(config, gate)
  closers.push(() => records.destroy())
  await refuseOtherSecret(config, records, keys)
  const { lingerMs, keepsRunningDays, patienceMs, team, engineUrl = team?.engineUrl, deadlines } = overrides
  const nodeCount = new NodeCount()
  const nodes = (): number => nodeCount.count * (team?.count ?? 1)
  const given = { lingerMs, keepsRunningDays, patienceMs, engineUrl, nodes, beside: team?.beside, gate }
  const facts = await openFacts({ ...factsSettings(config), ...given, sharedSeconds: deadlines?.sharedSeconds, log })
  closers.push(() => facts.close())
  if (team?.mends ?? true) await migrateStores(records, facts, log)
  await keepSecret(config, records, keys)
  const now = overrides.now ?? (await openNow(records, log, closers))
  const deps: Deps = { config, records, facts, keys, log, now, randomBytes }
  const pause = await Pause.open({ ...deps, gate, team })
  closers.push(() => settledWithin(pause.close(), LEAVE_MS))
  const limits = config.redisUrl === null && team ? team.limits : await openLimits(config.redisUrl, log)
  closers.push(() => limits.close())
  if (config.clickhouseUrls.length > 0) closers.push(() => settledWithin(nodeCount.leave(deps), LEAVE_MS))
  return openRest({ ...deps, nodeCount, pause, uploads: openUploads(config) }, limits, closers, overrides)
}

/**
 * Who is forgotten is forgotten in files that were taken out as well: they go, and are made anew by who asks
 * again. Those of this node go first; those of others, and one that was begun before the commit, are told by
 * the count, before anybody gets them.
 */
function forgettingFiles(forgetting: Forgetting, exports: Exports): Forgetting {
  const forget = (propertyId: string): Promise<void> => exports.removeAll(propertyId, personalKinds)
  return {
    async erasePersonAhead(records, propertyId, person) {
      await forget(propertyId)
      await forgetting.erasePersonAhead(records, propertyId, person)
    },
    async erasePerson(tx, propertyId, person) {
      await noteErasure(tx, propertyId)
      await forget(propertyId)
      return forgetting.erasePerson(tx, propertyId, person)
    },
    async forgetSubmissions(tx, propertyId, submissionIds) {
      await noteErasure(tx, propertyId)
      await forget(propertyId)
      await forgetting.forgetSubmissions(tx, propertyId, submissionIds)
    },
  }
}

/** The links follow later; until the hosts are known, a short link could be taken for a page of ours. */
async function openLinks(deps: Deps, closers: Close[]): Promise<LinkDirectory> {
  const links = openLinkDirectory(deps)
  closers.push(() => links.close())
  await links.hostsKnown
  return links
}

async function openRest(
  deps: Deps & Pick<Parts, 'nodeCount' | 'pause' | 'uploads'>,
  limits: Limits,
  closers: Close[],
  overrides: Overrides,
): Promise<Parts> {
  const deadlines = overrides.deadlines ?? usualDeadlines
  const enrich = openEnrich({ geoDir: geoFolder(deps.config), log: deps.log })
  closers.push(() => enrich.close())
  const exports = new Exports(deps)
  answerForOthers({ exports, team: overrides.team })
  closers.push(() => exports.close())
  const forgetting = forgettingFiles(openForgetting(deps), exports)
  const links = await openLinks(deps, closers)
  const content = openContentDirectory(deps)
  const refusals = openRefusals(deps)
  closers.push(() => refusals.close())
  const draftTries = openDraftTries(deps)
  closers.push(() => draftTries.close())
  const markings = openMarkings({
    ...deps,
    counts: {
      takeIn: (propertyId, sessions) => takeInMarks(deps, propertyId, sessions),
      takeInFrom: (propertyId, place) => takeInMarksFrom(deps, propertyId, place),
    },
  })
  closers.push(() => markings.close())
  return {
    ...deps,
    limits,
    team: overrides.team,
    enrich,
    properties: openPropertyDirectory(deps),
    tokens: openTokenDirectory(deps),
    accounts: openAccountDirectory(deps),
    visitors: openVisitors({ ...deps, deadlines }),
    refusals,
    markings,
    rates: openRates(deps),
    links,
    domainProbe: overrides.domainProbe ?? openDomainProbe(deps.config),
    deadlines,
    stopping: new Stopping(),
    passwordCost: overrides.passwordCost ?? usualPasswordCost,
    triggers: openOutbox(deps),
    deliveryStats: newDeliveryStats(),
    forms: openFormDirectory(deps),
    draftTries,
    content,
    exports,
    answers: openAnswers(deps),
    readDeadLinkUrl: (id, written) => readDeadLinkUrl(deps, id, written),
    emptyProperty: (id) => emptyProperty({ ...deps, ...forgetting, exports, content }, id),
    ...forgetting,
  }
}

/** Opens and migrates both stores. @throws when one of them cannot be opened; then nothing stays open. */
export async function openContext(config: Config, overrides: Overrides = {}): Promise<OpenContext> {
  const log = overrides.log ?? openLog(config.logLevel, overrides.team?.slot)
  warnAboutSecret(config, log)
  const closers: Close[] = []
  try {
    const parts = await openParts(config, overrides, log, closers)
    const samples = openSamples(parts, config.isDemo ? demoSize : fullSize)
    closers.push(() => samples.close())
    return { ...parts, samples, close: () => closeAll(closers, log) }
  } catch (error) {
    await closeAll(closers, log)
    throw error
  }
}
