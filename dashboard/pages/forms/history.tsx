// The history of a form: its edits, each of which can be put back.
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { listFormEdits, type OwnForm } from '../../api/forms.ts'
import { toast } from '../../parts/announce.tsx'
import { EditList, EDITS_PER_PAGE } from '../../parts/edit-list.tsx'
import { useCan, useProperty } from '../../session.tsx'
import { forms as text, history } from '../../texts/index.ts'
import { numberParam, useUrlState } from '../../url.ts'
import { editsKey, useFormUndo } from './change.ts'

const codecs = { edits: numberParam(1) }

export function FormHistory({ form }: { form: OwnForm }) {
  const property = useProperty()
  const canEdit = useCan('admin')
  const undo = useFormUndo(form)
  const [{ edits: page }, setState] = useUrlState<{ edits: number }>(codecs)
  const query = useQuery({
    queryKey: [...editsKey(property.id, form.id), page],
    queryFn: ({ signal }) => listFormEdits(property.id, form.id, { page, per_page: EDITS_PER_PAGE }, signal),
    placeholderData: keepPreviousData,
  })
  const onUndo = async (id: string): Promise<void> => {
    await undo(id)
    toast(history.undone)
  }
  return (
    <EditList
      query={query}
      page={page}
      onPage={(edits, how) => setState({ edits }, how)}
      fieldNames={text.history.fields}
      canUndo={({ before }) => canEdit && before !== null}
      onUndo={onUndo}
    />
  )
}
