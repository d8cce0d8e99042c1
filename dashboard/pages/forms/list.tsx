// All forms of the property, with how often each was shown and sent.
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Plus, TextCursorInput } from 'lucide-react'
import { listForms, type ListedForm } from '../../api/forms.ts'
import { NO_FIGURE, number, percent } from '../../format.ts'
import { Button } from '../../parts/button.tsx'
import { PageHeader, Panel } from '../../parts/panel.tsx'
import { EmptyState } from '../../parts/states.tsx'
import { type Column, DataTable, Pagination } from '../../parts/table.tsx'
import { useCan, useProperty, usePropertyPath } from '../../session.tsx'
import { text } from '../../texts/en/forms.ts'
import { useTitle } from '../../title.ts'
import { flagParam, numberParam, useUrlState } from '../../url.ts'
import { CreateDialog } from './create.tsx'
import { FormState } from './state.tsx'

const PER_PAGE = 25
const codecs = { page: numberParam(1), new: flagParam }

const counted = (count: number | null): string => (count === null ? NO_FIGURE : number(count))

const rateOf = ({ views, submitted }: ListedForm): string =>
  views === null || submitted === null || views === 0 ? NO_FIGURE : percent(Math.min(1, submitted / views))

const columns: readonly Column<ListedForm>[] = [
  { id: 'name', header: text.list.name, cell: ({ name }) => name },
  { id: 'kind', header: text.list.kind, cell: ({ kind }) => text.kinds[kind], isMinor: true },
  { id: 'state', header: text.list.state, cell: (form) => <FormState form={form} /> },
  { id: 'views', header: text.list.views, align: 'end', cell: ({ views }) => counted(views) },
  { id: 'submitted', header: text.list.submitted, align: 'end', cell: ({ submitted }) => counted(submitted) },
  { id: 'rate', header: text.list.rate, align: 'end', cell: rateOf },
]

export function FormList() {
  const property = useProperty()
  const path = usePropertyPath()
  const canEdit = useCan('admin')
  const [state, setState] = useUrlState<{ page: number; new: boolean }>(codecs)
  useTitle(text.title, property.name)
  const forms = useQuery({
    queryKey: ['forms', property.id, state.page],
    queryFn: ({ signal }) => listForms(property.id, state.page, PER_PAGE, signal),
    placeholderData: keepPreviousData,
  })
  const add = canEdit && (
    <Button look="primary" icon={<Plus aria-hidden="true" />} onClick={() => setState({ new: true })}>
      {text.list.add}
    </Button>
  )
  return (
    <>
      <PageHeader
        title={text.title}
        subtitle={text.subtitle}
        actions={(forms.data?.total ?? 0) > 0 ? add : undefined}
      />
      <Panel isFlush>
        <DataTable
          caption={text.list.caption}
          columns={columns}
          rows={forms.data?.data}
          rowKey={({ id }) => id}
          rowHref={({ id }) => path(`/forms/${id}`)}
          error={forms.error}
          onRetry={forms.refetch}
          isStale={forms.isPlaceholderData}
          empty={
            <EmptyState icon={<TextCursorInput />} title={text.list.emptyTitle} actions={add}>
              {canEdit ? text.list.empty : text.list.emptyViewer}
            </EmptyState>
          }
        />
        <Pagination
          page={state.page}
          perPage={PER_PAGE}
          total={forms.data?.total ?? 0}
          onPage={(page) => setState({ page })}
        />
      </Panel>
      {canEdit && state.new && <CreateDialog onClose={() => setState({ new: false }, { replace: true })} />}
    </>
  )
}
