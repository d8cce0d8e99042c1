// The history of a block: its edits, each of which can be put back, and the phases that its figures are of.
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import { History as HistoryIcon, Undo2 } from 'lucide-react'
import { type Block, type Edit, listEdits, listPhases, type Phase, undoEdit } from '../../api/content.ts'
import { anyOf, dateTime, number, percent } from '../../format.ts'
import { useExistingPage } from '../../paging.ts'
import { toast, toastError } from '../../parts/announce.tsx'
import { Button, LinkButton } from '../../parts/button.tsx'
import { Badge, RelativeTime, type Tone } from '../../parts/marks.tsx'
import { Panel } from '../../parts/panel.tsx'
import { EmptyState } from '../../parts/states.tsx'
import { type Column, DataTable, Pagination } from '../../parts/table.tsx'
import { useCan, useProperty, usePropertyPath } from '../../session.tsx'
import { text } from '../../texts/en/content.ts'
import { numberParam, useUrlState } from '../../url.ts'
import { useRefresh } from './change.ts'

const words = text.history
const PER_PAGE = 15
const codecs = { edits: numberParam(1), phases: numberParam(1) }
const tones: Readonly<Record<Edit['kind'], Tone>> = { create: 'good', update: 'accent', delete: 'bad', undo: 'plain' }

const fieldNames: Readonly<Record<string, string>> = words.fields

/** The names of the fields; of a creation and a deletion all of them, which says nothing. */
function changedFields({ before, after }: Edit): string {
  if (before === null || after === null) return ''
  return Object.keys(after)
    .map((field) => (Object.hasOwn(fieldNames, field) ? fieldNames[field] : field))
    .join(', ')
}

/** Of a version that is gone, what the edit knows of it. */
function subjectOf({ version_id, before, after }: Edit, block: Block): string {
  if (version_id === null) return words.block
  const known = block.versions.find(({ id }) => id === version_id)?.label ?? after?.['label'] ?? before?.['label']
  return typeof known === 'string' ? known : words.gone
}

/** A block that was made is not unmade. */
const canUndo = ({ version_id, before }: Edit): boolean => version_id !== null || before !== null

export function History({ block }: { block: Block }) {
  return (
    <>
      <Edits block={block} />
      <Phases block={block} />
    </>
  )
}

function Edits({ block }: { block: Block }) {
  const property = useProperty()
  const canEdit = useCan('admin')
  const refresh = useRefresh(block.id)
  const [{ edits: page }, setState] = useUrlState<{ edits: number; phases: number }>(codecs)
  const edits = useQuery({
    queryKey: ['content-of', property.id, block.id, 'edits', page],
    queryFn: ({ signal }) => listEdits(property.id, block.id, page, PER_PAGE, signal),
    placeholderData: keepPreviousData,
  })
  useExistingPage(page, edits.data, (next) => setState({ edits: next }, { replace: true }))
  const undo = useMutation({
    mutationFn: (edit: string) => undoEdit(property.id, block.id, edit),
    onSuccess: async ({ removed }) => {
      await refresh()
      toast(removed.length === 0 ? words.undone : words.undoneWithout(anyOf(removed)))
    },
    onError: toastError,
  })
  const columns: readonly Column<Edit>[] = [
    { id: 'what', header: words.what, width: '34%', cell: (edit) => subjectOf(edit, block) },
    { id: 'kind', header: words.done, cell: ({ kind }) => <Badge tone={tones[kind]}>{words.kinds[kind]}</Badge> },
    { id: 'changed', header: words.changed, isMinor: true, cell: changedFields },
    { id: 'when', header: words.when, cell: ({ edited_ms }) => <RelativeTime ts={Math.floor(edited_ms / 1000)} /> },
    {
      id: 'undo',
      header: words.undo,
      align: 'end',
      isAction: true,
      cell: (edit) =>
        canEdit &&
        canUndo(edit) && (
          <Button
            size="small"
            icon={<Undo2 aria-hidden="true" />}
            isBusy={undo.isPending && undo.variables === edit.id}
            onClick={() => undo.mutate(edit.id)}
          >
            {words.undo}
          </Button>
        ),
    },
  ]
  return (
    <Panel title={words.edits} subtitle={words.editsHint} isFlush>
      <DataTable
        caption={words.caption}
        columns={columns}
        rows={edits.data?.data}
        rowKey={({ id }) => id}
        error={edits.error}
        onRetry={edits.refetch}
        isStale={edits.isPlaceholderData}
        skeletonRows={4}
      />
      <Pagination
        page={page}
        perPage={PER_PAGE}
        total={edits.data?.total ?? 0}
        onPage={(next) => setState({ edits: next })}
      />
    </Panel>
  )
}

function setupWords({ setup }: Phase): string {
  const sum = setup.reduce((total, { weight }) => total + weight, 0)
  return setup.map(({ label, weight }) => text.versions.share(label, percent(sum === 0 ? 0 : weight / sum))).join(', ')
}

function Phases({ block }: { block: Block }) {
  const property = useProperty()
  const path = usePropertyPath()
  const [{ phases: page }, setState] = useUrlState<{ edits: number; phases: number }>(codecs)
  const phases = useQuery({
    queryKey: ['content-of', property.id, block.id, 'phases', page],
    queryFn: ({ signal }) => listPhases(property.id, block.id, page, PER_PAGE, signal),
    placeholderData: keepPreviousData,
  })
  useExistingPage(page, phases.data, (next) => setState({ phases: next }, { replace: true }))
  const columns: readonly Column<Phase>[] = [
    { id: 'number', header: words.number, width: '6rem', cell: (phase) => number(phase.number) },
    { id: 'setup', header: words.setup, cell: (phase) => setupWords(phase) || text.states.idle },
    { id: 'from', header: words.from, cell: ({ started_ms }) => dateTime(started_ms / 1000) },
    {
      id: 'to',
      header: words.to,
      isMinor: true,
      cell: ({ ended_ms }) => (ended_ms === null ? <Badge tone="good">{words.now}</Badge> : dateTime(ended_ms / 1000)),
    },
    {
      id: 'results',
      header: words.results,
      align: 'end',
      isAction: true,
      cell: (phase) => (
        <LinkButton size="small" href={path(`/content/${block.id}/results?phase=${phase.number}`)}>
          {words.results}
        </LinkButton>
      ),
    },
  ]
  return (
    <Panel title={words.phases} subtitle={words.phasesHint} isFlush>
      <DataTable
        caption={words.phasesCaption}
        columns={columns}
        rows={phases.data?.data}
        rowKey={(phase) => String(phase.number)}
        error={phases.error}
        onRetry={phases.refetch}
        isStale={phases.isPlaceholderData}
        skeletonRows={2}
        empty={
          <EmptyState isSmall icon={<HistoryIcon />} title={text.results.emptyTitle}>
            {text.results.empty}
          </EmptyState>
        }
      />
      <Pagination
        page={page}
        perPage={PER_PAGE}
        total={phases.data?.total ?? 0}
        onPage={(next) => setState({ phases: next })}
      />
    </Panel>
  )
}
