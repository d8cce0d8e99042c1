// Steps that the visitor of one session took in forms, for the story of the session.
import { dayFromText, storedDay } from '../kernel/days.ts'
import type { SessionKey } from '../sessions/sessions.ts'
import type { Facts } from '../stores/facts.ts'
import type { FormEventKind } from '../stores/tables.ts'

const MOST_STEPS = 200

export interface SessionStep {
  readonly atMs: number
  readonly form: string
  /** The name of the form at that time. */
  readonly name: string
  readonly kind: FormEventKind
  /** Id of the submission, for a submit or a drop; else ''. */
  readonly submission: string
}

/** In the order of time. */
export async function readSessionSteps(
  facts: Pick<Facts, 'query'>,
  propertyId: string,
  { day, session }: SessionKey,
): Promise<SessionStep[]> {
  const rows = await facts.query<Omit<SessionStep, 'atMs'> & { at_ms: string }>(
    'forms.sessionSteps',
    `SELECT toUnixTimestamp64Milli(at) AS at_ms, form, form_name AS name, kind, submission FROM form_events FINAL
WHERE property = {property:String} AND day BETWEEN {day:Date} AND {next:Date} AND session_day = {day:Date} AND session = {session:UInt64}
ORDER BY at, indexOf(['view', 'open', 'submit', 'drop'], kind), id LIMIT ${MOST_STEPS}`,
    { property: propertyId, day, next: storedDay(dayFromText(day) + 1), session: BigInt(session) },
  )
  return rows.map(({ at_ms, ...step }) => ({ ...step, atMs: Number(at_ms) }))
}
