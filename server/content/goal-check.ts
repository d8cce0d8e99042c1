// A goal must name something of the same property, or it could never be reached.
import { getConversion } from '../conversions/conversions.ts'
import { getForm } from '../forms/forms.ts'
import { invalid, Problem } from '../kernel/problem.ts'
import type { Records } from '../stores/records.ts'
import type { Goal } from './content-model.ts'

/**
 * @throws Problem('validation_failed') naming goal.value when it is a form or conversion that the property
 * does not have.
 */
export async function assertGoal(records: Records, propertyId: string, { type, value }: Goal): Promise<void> {
  if (type !== 'form' && type !== 'conversion') return
  const get = type === 'form' ? getForm : getConversion
  try {
    await get({ records }, propertyId, value ?? '')
  } catch (error) {
    if (error instanceof Problem && error.kind === 'not_found')
      throw invalid('goal.value', `goal.value: there is no ${type} with this id in the property.`)
    throw error
  }
}
