// Conversions that a question names, looked up before it is understood: what they count stands in the
// records.
import { listConversions, MAX_CONVERSIONS } from '../conversions/conversions.ts'
import type { Deps } from '../kernel/deps.ts'
import { invalid } from '../kernel/problem.ts'
import { checkNamed, expandSegments, SEGMENT } from '../segments/expand.ts'
import type { ClauseInput, Goal, Goals } from './clauses.ts'
import { attributions, type Credit } from './credit-sql.ts'

export type GoalDeps = Pick<Deps, 'records'>

export async function findGoals(deps: GoalDeps, propertyId: string): Promise<Goals> {
  const { rows } = await listConversions(deps, propertyId, { page: 1, perPage: MAX_CONVERSIONS })
  const goals = rows.map(({ id, name, event_type, event_value }): Goal => ({ id, name, event_type, event_value }))
  return new Map(goals.map((goal) => [goal.id, goal]))
}

/** Whose conversions are counted, and to which session of a contact they are credited. */
export interface GoalInput {
  readonly goal?: string | null | undefined
  readonly attribution?: string | null | undefined
}

interface Asked extends GoalInput {
  readonly clauses?: readonly ClauseInput[] | null | undefined
}

const hasClause = ({ clauses }: Asked, wanted: string): boolean => clauses?.some(({ id }) => id === wanted) ?? false

/**
 * The same question with the filters of the segments that it names, and the conversions that it may name;
 * without a word of any none are looked up.
 * @throws Problem('validation_failed') for a segment that there is not, or that does not work any more.
 */
export async function withGoals<Ask extends Asked>(
  deps: GoalDeps,
  propertyId: string,
  ask: Ask,
): Promise<Ask & { readonly goals?: Goals }> {
  const expanded = hasClause(ask, SEGMENT) ? await expandSegments(deps, propertyId, ask.clauses ?? []) : undefined
  const asked = expanded ? { ...ask, clauses: expanded.clauses } : ask
  const goals = ask.goal || hasClause(asked, 'conversion') ? await findGoals(deps, propertyId) : undefined
  checkNamed(expanded?.named ?? [], goals)
  return { ...asked, ...(goals && { goals }) }
}

/**
 * @param goals those that may be named.
 * @throws Problem('validation_failed') for a goal that there is not.
 */
export function parseCredit({ goal, attribution }: GoalInput, goals: Goals | undefined): Credit | undefined {
  const way = attributions.find((known) => known === (attribution || 'first'))
  if (!way) throw invalid('attribution', `attribution must be one of ${attributions.join(', ')}.`)
  if (!goal) return undefined
  const found = goals?.get(goal)
  if (!found) throw invalid('goal', 'goal does not match a conversion of this property.')
  return { goal: found, attribution: way }
}
