// A form as it is answered alone: with what its owner has to be told of it.
import type { Records } from '../stores/records.ts'
import { findFullness } from './eviction-records.ts'
import type { Form } from './form.ts'
import { shownForm } from './forms.ts'

export const formAnswer = async ({ records }: { readonly records: Records }, form: Form) => ({
  form: { ...shownForm(form), fullness: await findFullness(records, form.id) },
})
