// All content blocks of the property, with how their versions are shown.
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { Blocks, Plus } from 'lucide-react'
import { useId } from 'react'
import { useLocation } from 'wouter'
import { createBlock, type ListedBlock, listBlocks } from '../../api/content.ts'
import { spoken } from '../../field-errors.ts'
import { number } from '../../format.ts'
import { useExistingPage } from '../../paging.ts'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { TextField } from '../../parts/fields.tsx'
import { Form, useForm } from '../../parts/form.tsx'
import { RelativeTime, StatusDot } from '../../parts/marks.tsx'
import { PageHeader, Panel } from '../../parts/panel.tsx'
import { EmptyState } from '../../parts/states.tsx'
import { type Column, DataTable, Pagination } from '../../parts/table.tsx'
import { useCan, useProperty, usePropertyPath } from '../../session.tsx'
import { text as common } from '../../texts/en/common.ts'
import { text } from '../../texts/en/content.ts'
import { useTitle } from '../../title.ts'
import { flagParam, numberParam, useUrlState } from '../../url.ts'
import { ShareBar, sharesOf } from './shares.tsx'

const PER_PAGE = 25
const codecs = { page: numberParam(1), new: flagParam }

export function BlockState({ block }: { block: Pick<ListedBlock, 'is_archived' | 'versions'> }) {
  if (block.is_archived) return <StatusDot>{text.states.archived}</StatusDot>
  if (sharesOf(block.versions).size === 0) return <StatusDot tone="warn">{text.states.idle}</StatusDot>
  return <StatusDot tone="good">{text.states.live}</StatusDot>
}

const columns: readonly Column<ListedBlock>[] = [
  { id: 'name', header: text.list.name, width: '30%', cell: ({ name }) => name },
  { id: 'state', header: text.list.state, cell: (block) => <BlockState block={block} /> },
  { id: 'goal', header: text.list.goal, isMinor: true, cell: ({ goal }) => text.goals[goal.type] },
  {
    id: 'shares',
    header: text.list.shares,
    width: '20%',
    isMinor: true,
    cell: ({ versions }) => <ShareBar versions={versions} isSmall />,
  },
  { id: 'versions', header: text.list.versions, align: 'end', cell: ({ versions }) => number(versions.length) },
  {
    id: 'changed',
    header: text.list.changed,
    align: 'end',
    isMinor: true,
    cell: ({ updated_ts }) => <RelativeTime ts={updated_ts} />,
  },
]

export function BlockList() {
  const property = useProperty()
  const path = usePropertyPath()
  const canEdit = useCan('admin')
  const [state, setState] = useUrlState<{ page: number; new: boolean }>(codecs)
  useTitle(text.title, property.name)
  const blocks = useQuery({
    queryKey: ['contents', property.id, state.page],
    queryFn: ({ signal }) => listBlocks(property.id, state.page, PER_PAGE, signal),
    placeholderData: keepPreviousData,
  })
  useExistingPage(state.page, blocks.data, (page) => setState({ page }, { replace: true }))
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
        actions={(blocks.data?.total ?? 0) > 0 ? add : undefined}
      />
      <Panel isFlush>
        <DataTable
          caption={text.list.caption}
          columns={columns}
          rows={blocks.data?.data}
          rowKey={({ id }) => id}
          rowHref={({ id }) => path(`/content/${id}`)}
          error={blocks.error}
          onRetry={blocks.refetch}
          isStale={blocks.isPlaceholderData}
          empty={
            <EmptyState icon={<Blocks />} title={text.list.emptyTitle} actions={add}>
              {canEdit ? text.list.empty : text.list.emptyViewer}
            </EmptyState>
          }
        />
        <Pagination
          page={state.page}
          perPage={PER_PAGE}
          total={blocks.data?.total ?? 0}
          onPage={(page) => setState({ page })}
        />
      </Panel>
      {canEdit && state.new && <CreateDialog onClose={() => setState({ new: false }, { replace: true })} />}
    </>
  )
}

function CreateDialog({ onClose }: { onClose: () => void }) {
  const property = useProperty()
  const path = usePropertyPath()
  const client = useQueryClient()
  const [, navigate] = useLocation()
  const id = useId()
  const form = useForm({ name: '', key: '' }, async ({ name, key }) => {
    const asked = { name, ...(key !== '' && { key }) }
    const { content } = await createBlock(property.id, asked).catch((error: unknown) => {
      throw spoken(error)
    })
    await client.invalidateQueries({ queryKey: ['contents', property.id] })
    navigate(path(`/content/${content.id}`), { replace: true })
  })
  const actions = (
    <>
      <Button onClick={onClose}>{common.actions.cancel}</Button>
      <Button type="submit" form={id} look="primary" isBusy={form.isBusy}>
        {text.create.submit}
      </Button>
    </>
  )
  return (
    <Dialog title={text.create.title} onClose={onClose} actions={actions}>
      <Form form={form} id={id}>
        <TextField label={text.create.name} hint={text.create.nameHint} maxLength={120} {...form.field('name')} />
        <TextField
          label={text.create.key}
          hint={text.create.keyHint}
          maxLength={64}
          spellCheck={false}
          autoCapitalize="none"
          {...form.field('key')}
        />
      </Form>
    </Dialog>
  )
}
