// Finds the form of a command: without an id where there is only one, and by a name that only one has.
import type { Form } from '../server/forms/form-model.ts'
import { getForm, listForms } from '../server/forms/forms.ts'
import { Problem } from '../server/kernel/problem.ts'
import { UsageError } from './command.ts'
import type { Recorded } from './with-records.ts'
import { everyRow } from '../server/kernel/page.ts'

export const everyForm = (deps: Recorded, propertyId: string): Promise<Form[]> =>
  everyRow((ask) => listForms(deps, propertyId, ask))

/** By id or name. @throws Problem('not_found') UsageError when several have the name. */
export async function namedForm(deps: Recorded, propertyId: string, word: string): Promise<Form> {
  if (word.startsWith('fm_')) return getForm(deps, propertyId, word)
  const [found, ...others] = (await everyForm(deps, propertyId)).filter(({ name }) => name === word)
  if (others.length > 0) throw new UsageError('several forms have that name: give the id of one')
  if (!found) throw new Problem('not_found', 'There is no form of that name in this property.')
  return found
}

/** The named one, or the only one. @throws UsageError when it has to be named. */
export async function formFor(deps: Recorded, propertyId: string, word: string | undefined): Promise<Form> {
  if (word !== undefined) return namedForm(deps, propertyId, word)
  const { rows, total } = await listForms(deps, propertyId, { page: 1, perPage: 1 })
  const [only] = rows
  if (only && total === 1) return only
  throw new UsageError(only ? 'there are several forms: name one with --form' : 'there is no form yet')
}
