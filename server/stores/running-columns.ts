// Sessions of a running day that are kept as rows (docs/decisions/0080-running-day.md): which columns they
// have, and how they are read.
import { isFolded, type SessionColumn, sessionColumns } from './session-columns.ts'

/** Kinds of sessions, by SQL, to which few page views belong: what is read of them alone can be kept. */
export const quietSessions = {
  /** Those of which later visits through links are asked (laterVisits). */
  linked: 'notEmpty(visit_starts) AND notEmpty(clicked)',
  /** They may have met a goal of events or forms, or have what others met credited to them. */
  eventful: "(has_event = 1 OR contact_id != '')",
} as const

export type QuietKind = keyof typeof quietSessions
export const quietKinds = Object.keys(quietSessions) as QuietKind[]

/** Another text when anything of these sessions of the day may have changed. */
export type QuietVersions = Readonly<Record<QuietKind, string>>

/** Where the rows of a day are. A session that was folded again has several, of which one is read. */
export interface RunningDay {
  /** YYYY-MM-DD */
  readonly day: string
  readonly table: string
  /** Told a little later than the rest, which need not wait for it. */
  readonly quiet: Promise<QuietVersions>
  /** Sessions that were folded again; of all others the row with `round` 0 is read. */
  readonly sessions: readonly bigint[]
  /** The `round` of the row that is read of each of them, in the same order. */
  readonly rounds: readonly number[]
}

/**
 * Asked about by few questions, which fold the day: computing all that there is of a session takes twice the
 * time of computing the rest.
 */
const rare: ReadonlySet<SessionColumn> = new Set([
  'entry_hostname',
  'utm_source',
  'utm_medium',
  'utm_campaign',
  'utm_term',
  'utm_content',
  'entry_link_group',
  'tags',
])

/** Whether a question about this column of sessions can read the rows. */
export const isRunningColumn = (name: SessionColumn): boolean => !rare.has(name)

export const runningColumns = (Object.keys(sessionColumns) as SessionColumn[]).filter(isRunningColumn).filter(isFolded)

/** For SELECT: these columns of the rows. */
export const keptColumns = (names: readonly SessionColumn[]): string =>
  names.map((name) => (isFolded(name) ? name : `${sessionColumns[name]} AS ${name}`)).join(', ')

/**
 * The one row of each session. The statement also binds `roundParams`.
 * @param place of the day among those of the statement.
 */
export const isLatest = (place: number): string =>
  `round = transform(session, {running_sessions_${place}:Array(UInt64)}, {running_rounds_${place}:Array(UInt32)}, toUInt32(0))`

export const roundParams = ({ sessions, rounds }: Pick<RunningDay, 'sessions' | 'rounds'>, place: number) => ({
  [`running_sessions_${place}`]: sessions,
  [`running_rounds_${place}`]: rounds,
})
