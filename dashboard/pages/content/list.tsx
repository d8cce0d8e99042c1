// All content blocks of the property, with how their versions are shown.
import { useQueryClient } from '@tanstack/react-query'
import { Blocks } from 'lucide-react'
import { useLocation } from 'wouter'
import { createBlock, type ListedBlock, listBlocks } from '../../api/content.ts'
import { rethrowSpoken } from '../../field-errors.ts'
import { number } from '../../format.ts'
import { TextField } from '../../parts/fields.tsx'
import { useForm } from '../../parts/form.tsx'
import { RelativeTime, StatusDot } from '../../parts/marks.tsx'
import { RecordList } from '../../parts/record-list.tsx'
import type { Column } from '../../parts/table.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { useCan, useProperty, usePropertyPath } from '../../session.tsx'
import { sortingBy } from '../../sorting.ts'
import { content as text } from '../../texts/index.ts'
import { useTitle } from '../../title.ts'
import { ShareBar, sharesOf } from './shares.tsx'

export function BlockState({ block }: { block: Pick<ListedBlock, 'is_archived' | 'versions'> }) {
  if (block.is_archived) return <StatusDot>{text.states.archived}</StatusDot>
  if (sharesOf(block.versions).size === 0) return <StatusDot tone="warn">{text.states.idle}</StatusDot>
  return <StatusDot tone="good">{text.states.live}</StatusDot>
}

const columns: readonly Column<ListedBlock>[] = [
  { id: 'name', isSortable: true, header: text.list.name, width: '30%', cell: ({ name }) => name },
  { id: 'state', header: text.list.state, cell: (block) => <BlockState block={block} /> },
  { id: 'goal', header: text.list.goal, isMinor: true, cell: ({ goal }) => text.goals[goal.type] },
  {
    id: 'shares',
    header: text.list.shares,
    width: '20%',
    isMinor: true,
    cell: ({ versions }) => <ShareBar versions={versions} isSmall />,
  },
  {
    id: 'versions',
    isSortable: true,
    header: text.list.versions,
    align: 'end',
    cell: ({ versions }) => number(versions.length),
  },
  {
    id: 'changed',
    isSortable: true,
    header: text.list.changed,
    align: 'end',
    isMinor: true,
    cell: ({ updated_ts }) => <RelativeTime ts={updated_ts} />,
  },
]

const sorting = sortingBy(['name', 'versions', 'changed'], null)

export function BlockList() {
  const property = useProperty()
  const path = usePropertyPath()
  useTitle(text.title, property.name)
  return (
    <RecordList
      title={text.title}
      subtitle={text.subtitle}
      words={text.list}
      icon={<Blocks />}
      columns={columns}
      sorting={sorting}
      rowHref={({ id }) => path(`/content/${id}`)}
      queryKey={['contents', property.id]}
      load={(ask, signal) => listBlocks(property.id, ask, signal)}
      canEdit={useCan('admin')}
      dialog={(onClose) => <CreateDialog onClose={onClose} />}
    />
  )
}

function CreateDialog({ onClose }: { onClose: () => void }) {
  const property = useProperty()
  const path = usePropertyPath()
  const client = useQueryClient()
  const [, navigate] = useLocation()
  const form = useForm({ name: '', key: '' }, async ({ name, key }) => {
    const asked = { name, ...(key !== '' && { key }) }
    const { content } = await createBlock(property.id, asked).catch(rethrowSpoken)
    await client.invalidateQueries({ queryKey: ['contents', property.id] })
    navigate(path(`/content/${content.id}`), { replace: true })
  })
  return (
    <FormDialog form={form} action={text.create.submit} title={text.create.title} onClose={onClose}>
      <TextField label={text.create.name} hint={text.create.nameHint} maxLength={120} {...form.field('name')} />
      <TextField
        label={text.create.key}
        hint={text.create.keyHint}
        maxLength={64}
        spellCheck={false}
        autoCapitalize="none"
        {...form.field('key')}
      />
    </FormDialog>
  )
}
