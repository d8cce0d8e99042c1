// Conversions that a question names, looked up before it is understood: what they count stands in the
// records.
import { listConversions, MAX_CONVERSIONS } from '../conversions/conversions.ts'
import type { Deps } from '../kernel/deps.ts'
import { invalid } from '../kernel/problem.ts'
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

/** The same question with the conversions that it may name; without a word of any none are looked up. */
export async function withGoals<Ask extends Asked>(
  deps: GoalDeps,
  propertyId: string,
  ask: Ask,
): Promise<Ask & { readonly goals?: Goals }> {
  const isNaming = ask.goal || ask.clauses?.some(({ id }) => id === 'conversion')
  return isNaming ? { ...ask, goals: await findGoals(deps, propertyId) } : ask
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
  if (!found) throw invalid('goal', 'goal is no conversion of this property.')
  return { goal: found, attribution: way }
}
