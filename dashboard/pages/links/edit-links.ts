// A change of one or many links that can be undone: by the toast that says it, or in the history.
import { editLinks, type LinksChange, undoLinkEdit } from '../../api/links.ts'
import { number } from '../../format.ts'
import { toast, toastError } from '../../parts/announce.tsx'
import { useProperty } from '../../session.tsx'
import { history, links as text } from '../../texts/index.ts'
import { useRefresh } from './links.ts'

const words = text.edits

/** Each is one transaction of the service. */
const MOST_AT_ONCE = 500

export function useUndo(): (id: string) => Promise<void> {
  const property = useProperty()
  const refresh = useRefresh()
  return async (id) => {
    const { skipped } = await undoLinkEdit(property.id, id)
    toast(skipped === 0 ? history.undone : words.skipped(number(skipped), skipped))
    await refresh()
  }
}

export function useEditLinks(): (ids: readonly string[], change: LinksChange) => Promise<void> {
  const property = useProperty()
  const refresh = useRefresh()
  const undo = useUndo()
  return async (ids, change) => {
    const { edit_id, changed } = await editLinks(property.id, ids.slice(0, MOST_AT_ONCE), change)
    if (edit_id === null) toast(words.nothing)
    else
      toast(words.done(number(changed), changed), 'good', {
        label: history.undo,
        run: () => void undo(edit_id).catch(toastError),
      })
    await refresh()
  }
}
