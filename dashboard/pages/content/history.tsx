// The history of a block: its edits, each of which can be put back, and the phases that its figures are of.
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { History as HistoryIcon } from 'lucide-react'
import { type Block, type BlockEdit, listEdits, listPhases, type Phase, undoEdit } from '../../api/content.ts'
import { anyOf, dateTime, number, percent } from '../../format.ts'
import { toast } from '../../parts/announce.tsx'
import { LinkButton } from '../../parts/button.tsx'
import { EditList, EDITS_PER_PAGE } from '../../parts/edit-list.tsx'
import { Badge } from '../../parts/marks.tsx'
import { Panel } from '../../parts/panel.tsx'
import { EmptyState } from '../../parts/states.tsx'
import type { Column } from '../../parts/table.tsx'
import { PagedTable } from '../../parts/paged-table.tsx'
import { useCan, useProperty, usePropertyPath } from '../../session.tsx'
import { content as text, history } from '../../texts/index.ts'
import { numberParam, useUrlState } from '../../url.ts'
import { useRefresh } from './change.ts'

const words = text.history
const PER_PAGE = 15
const codecs = { edits: numberParam(1), phases: numberParam(1) }

/** Of a version that is gone, what the edit knows of it. */
function subjectOf({ version_id, before, after }: BlockEdit, block: Block): string {
  if (version_id === null) return words.block
  const known = block.versions.find(({ id }) => id === version_id)?.label ?? after?.['label'] ?? before?.['label']
  return typeof known === 'string' ? known : words.gone
}

/** A block that was made is not unmade. */
const canUndo = ({ version_id, before }: BlockEdit): boolean => version_id !== null || before !== null

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
  const query = useQuery({
    queryKey: ['content-of', property.id, block.id, 'edits', page],
    queryFn: ({ signal }) => listEdits(property.id, block.id, { page, per_page: EDITS_PER_PAGE }, signal),
    placeholderData: keepPreviousData,
  })
  const undo = async (id: string): Promise<void> => {
    const { removed } = await undoEdit(property.id, block.id, id)
    await refresh()
    toast(removed.length === 0 ? history.undone : words.undoneWithout(anyOf(removed)))
  }
  return (
    <EditList
      query={query}
      page={page}
      onPage={(edits, how) => setState({ edits }, how)}
      what={(edit) => subjectOf(edit, block)}
      fieldNames={words.fields}
      canUndo={(edit) => canEdit && canUndo(edit)}
      onUndo={undo}
    />
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
    queryFn: ({ signal }) => listPhases(property.id, block.id, { page, per_page: PER_PAGE }, signal),
    placeholderData: keepPreviousData,
  })
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
      <PagedTable
        list={phases}
        page={page}
        perPage={PER_PAGE}
        onPage={(next, how) => setState({ phases: next }, how)}
        caption={words.phasesCaption}
        columns={columns}
        rowKey={(phase) => String(phase.number)}
        skeletonRows={2}
        empty={
          <EmptyState isSmall icon={<HistoryIcon />} title={text.results.emptyTitle}>
            {text.results.empty}
          </EmptyState>
        }
      />
    </Panel>
  )
}
