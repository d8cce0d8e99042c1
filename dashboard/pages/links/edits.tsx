// The history of what was changed of links together, each of which can be undone.
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type LinkEdit, listLinkEdits } from '../../api/links.ts'
import { number } from '../../format.ts'
import { BackLink } from '../../parts/detail.tsx'
import { EditList, EDITS_PER_PAGE } from '../../parts/edit-list.tsx'
import { PageHeader } from '../../parts/panel.tsx'
import { useCan, useProperty, usePropertyPath } from '../../session.tsx'
import { links as text } from '../../texts/index.ts'
import { useTitle } from '../../title.ts'
import { numberParam, useUrlState } from '../../url.ts'
import { useCarriedSearch } from '../../window.ts'
import { useUndo } from './edit-links.ts'

const words = text.edits
const codecs = { page: numberParam(1) }

const whatOf = ({ links }: LinkEdit): string => words.links(number(links), links)

export default function EditsPage() {
  const property = useProperty()
  const path = usePropertyPath()
  const carried = useCarriedSearch()
  const canEdit = useCan('admin')
  const undo = useUndo()
  const [{ page }, setState] = useUrlState<{ page: number }>(codecs)
  const query = useQuery({
    queryKey: ['links', property.id, 'edits', page],
    queryFn: ({ signal }) => listLinkEdits(property.id, { page, per_page: EDITS_PER_PAGE }, signal),
    placeholderData: keepPreviousData,
  })
  useTitle(words.history, property.name)
  return (
    <>
      <PageHeader back={<BackLink href={path('/links') + carried}>{text.back}</BackLink>} title={words.history} />
      <EditList
        query={query}
        page={page}
        onPage={(next, how) => setState({ page: next }, how)}
        what={whatOf}
        fieldNames={words.fields}
        canUndo={() => canEdit}
        onUndo={undo}
      />
    </>
  )
}
