// What advertising cost: a file is checked without writing, the reader confirms, then it is imported.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Coins, FileUp, Trash2 } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { type CostRow, importCosts, type Imported, listCosts } from '../../api/costs.ts'
import { money, number } from '../../format.ts'
import { textOfFile } from '../../file-text.ts'
import { later } from '../../later.ts'
import { toast } from '../../parts/announce.tsx'
import { Button } from '../../parts/button.tsx'
import { ChooseFileButton } from '../../parts/choose-file.tsx'
import { PagedTable } from '../../parts/paged-table.tsx'
import { Facts, Panel, Stack } from '../../parts/panel.tsx'
import { EmptyState, ErrorNote } from '../../parts/states.tsx'
import type { Column } from '../../parts/table.tsx'
import { useCan, useProperty } from '../../session.tsx'
import { common, costs as text } from '../../texts/index.ts'
import { CheckedCosts } from './checked-costs.tsx'
import styles from './page.module.css'

const RemoveCosts = lazy(later(async () => ({ default: (await import('./remove-costs.tsx')).RemoveCosts })))

/** Below what a body may hold, whatever of it is escaped. */
const MAX_BYTES = 800_000
const PER_PAGE = 25

export default function Costs() {
  const mayImport = useCan('admin')
  return (
    <Stack>
      {mayImport && <Import />}
      <Recorded mayRemove={mayImport} />
    </Stack>
  )
}

export const costsKey = (property: string) => ['costs', property] as const

/** Every figure of advertising is another one then. */
export function useRefreshCosts(): () => Promise<void> {
  const { id } = useProperty()
  const client = useQueryClient()
  return async () => {
    const keys = [costsKey(id), ['overview', id], ['list', id]]
    await Promise.all(keys.map((queryKey) => client.invalidateQueries({ queryKey })))
  }
}

// ---------------------------------------------------------------- importing

interface Chosen {
  readonly name: string
  readonly csv: string
  /** Undefined while it is being checked. */
  readonly checked?: Imported
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : common.errors.unknown)

function useImport() {
  const { id } = useProperty()
  const refresh = useRefreshCosts()
  const [chosen, setChosen] = useState<Chosen>()
  const [problem, setProblem] = useState<string>()
  const [isWriting, setWriting] = useState(false)
  const choose = async (file: File): Promise<void> => {
    setProblem(undefined)
    try {
      const csv = await textOfFile(file, MAX_BYTES, text)
      setChosen({ name: file.name, csv })
      setChosen({ name: file.name, csv, checked: await importCosts(id, csv, true) })
    } catch (error) {
      setChosen(undefined)
      setProblem(messageOf(error))
    }
  }
  const write = async ({ csv }: Chosen): Promise<void> => {
    setWriting(true)
    try {
      const { created, replaced, removed } = await importCosts(id, csv, false)
      toast(text.done(number(created), number(replaced), number(removed)))
      setChosen(undefined)
      await refresh()
    } catch (error) {
      setProblem(messageOf(error))
    }
    setWriting(false)
  }
  return { chosen, problem, isWriting, choose, write }
}

function Import() {
  const { chosen, problem, isWriting, choose, write } = useImport()
  const checked = chosen?.checked
  const changed = checked ? checked.created + checked.replaced + checked.removed : 0
  return (
    <Panel title={text.title} subtitle={text.subtitle}>
      <Stack>
        {problem !== undefined && <ErrorNote>{problem}</ErrorNote>}
        {!chosen && <Columns />}
        {chosen && !checked && <p role="status">{text.checking(chosen.name)}</p>}
        {chosen && checked && <CheckedCosts name={chosen.name} checked={checked} />}
        <div className={styles.row}>
          {chosen && changed > 0 && (
            <Button look="primary" isBusy={isWriting} onClick={() => void write(chosen)}>
              {text.run(number(changed), changed)}
            </Button>
          )}
          <ChooseFileButton
            look={chosen ? 'plain' : 'primary'}
            icon={<FileUp aria-hidden="true" />}
            label={text.file}
            onFile={(file) => void choose(file)}
          >
            {chosen ? text.other : text.choose}
          </ChooseFileButton>
        </div>
      </Stack>
    </Panel>
  )
}

/** docs/api/dashboard.md, "Costs" */
const Columns = () => (
  <>
    <Facts
      rows={[
        [<code key="key">{'day, source, medium, campaign'}</code>, text.about.key],
        [<code key="amount">{'amount, currency'}</code>, text.about.amount],
      ]}
    />
    <p className={styles.hint}>{text.rules}</p>
  </>
)

// ---------------------------------------------------------------- what is recorded

const columns: readonly Column<CostRow>[] = [
  { id: 'day', header: text.head.day, cell: ({ day }) => day, width: '8rem' },
  { id: 'source', header: text.head.source, cell: ({ source }) => source },
  { id: 'medium', header: text.head.medium, cell: ({ medium }) => medium },
  { id: 'campaign', header: text.head.campaign, cell: ({ campaign }) => campaign },
  { id: 'amount', header: text.head.amount, align: 'end', cell: ({ amount, currency }) => money(amount, currency) },
]

const keyOf = ({ day, source, medium, campaign }: CostRow): string => JSON.stringify([day, source, medium, campaign])

function Recorded({ mayRemove }: { mayRemove: boolean }) {
  const { id } = useProperty()
  const [page, setPage] = useState(1)
  const [isRemoving, setRemoving] = useState(false)
  const list = useQuery({
    queryKey: [...costsKey(id), page],
    queryFn: ({ signal }) => listCosts(id, page, PER_PAGE, signal),
    placeholderData: (known) => known,
  })
  const hasSome = (list.data?.total ?? 0) > 0
  const remove = mayRemove && hasSome && (
    <Button icon={<Trash2 aria-hidden="true" />} onClick={() => setRemoving(true)}>
      {text.remove}
    </Button>
  )
  return (
    <Panel title={text.recorded} actions={remove} isFlush>
      {list.data?.total === 0 ? (
        <EmptyState isSmall icon={<Coins />} title={text.emptyTitle}>
          {text.empty}
        </EmptyState>
      ) : (
        <PagedTable
          caption={text.recorded}
          columns={columns}
          list={list}
          page={page}
          perPage={PER_PAGE}
          onPage={setPage}
          rowKey={keyOf}
          countWords={(total) => text.total(number(total), total)}
        />
      )}
      <Suspense>{isRemoving && <RemoveCosts onClose={() => setRemoving(false)} />}</Suspense>
    </Panel>
  )
}
