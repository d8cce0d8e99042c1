// One form as it is kept while it is shown, and how it is changed.
import { useQueryClient } from '@tanstack/react-query'
import { changeForm, type FormChange, type OwnForm } from '../../api/forms.ts'
import { useProperty } from '../../session.tsx'

export const formKey = (property: string, id: string) => ['form', property, id] as const

/** Changes the form, and what is shown of it. */
export function useFormChange(form: OwnForm) {
  const property = useProperty()
  const client = useQueryClient()
  return async (asked: FormChange): Promise<OwnForm> => {
    const answer = await changeForm(property.id, form.id, asked)
    client.setQueryData(formKey(property.id, form.id), answer)
    await client.invalidateQueries({ queryKey: ['forms', property.id] })
    return answer.form
  }
}
