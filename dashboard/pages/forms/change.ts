// One form as it is kept while it is shown, and how it is changed.
import { useQueryClient } from '@tanstack/react-query'
import { changeForm, type FormChange, type OwnForm, undoFormEdit } from '../../api/forms.ts'
import { useProperty } from '../../session.tsx'

export const formKey = (property: string, id: string) => ['form', property, id] as const
export const editsKey = (property: string, id: string) => ['form-edits', property, id] as const

/** Replaces the cached form by the answer, and refetches what other pages show of it. */
function useKnow({ id }: Pick<OwnForm, 'id'>) {
  const property = useProperty()
  const client = useQueryClient()
  return async (answer: { readonly form: OwnForm }): Promise<OwnForm> => {
    client.setQueryData(formKey(property.id, id), answer)
    const shown = [['forms', property.id], editsKey(property.id, id)]
    await Promise.all(shown.map((queryKey) => client.invalidateQueries({ queryKey })))
    return answer.form
  }
}

export function useFormChange(form: Pick<OwnForm, 'id'>) {
  const property = useProperty()
  const know = useKnow(form)
  return async (asked: FormChange): Promise<OwnForm> => know(await changeForm(property.id, form.id, asked))
}

export function useFormUndo(form: Pick<OwnForm, 'id'>) {
  const property = useProperty()
  const know = useKnow(form)
  return async (edit: string): Promise<OwnForm> => know(await undoFormEdit(property.id, form.id, edit))
}
