// How backups are set up, which ones can be restored, and what the last runs came to. For owners of the
// installation.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Archive } from 'lucide-react'
import { type Backups, getBackupSetup, listBackups, takeBackup } from '../../api/backups.ts'
import { toast, toastError } from '../../parts/announce.tsx'
import { Button } from '../../parts/button.tsx'
import { CodeBlock } from '../../parts/copy.tsx'
import { OwnersOnly } from '../../parts/owners-only.tsx'
import { PageHeader, Panel, Stack } from '../../parts/panel.tsx'
import { EmptyState, Loaded, SkeletonLines } from '../../parts/states.tsx'
import { DataTable } from '../../parts/table.tsx'
import { backups as text } from '../../texts/index.ts'
import { backupColumns, runColumns } from './columns.tsx'
import { canBackUp, Setup } from './setup.tsx'
import styles from './page.module.css'

const LIST_KEY = ['backups'] as const
/** While a backup is being taken. */
const POLL_MS = 1_000

const isUnderWay = (data: Backups | undefined): boolean =>
  data?.runs.some(({ state }) => state === 'asked' || state === 'running') ?? false

export default function BackupsPage() {
  return (
    <OwnersOnly title={text.title} words={text.noRight}>
      {() => <BackupsOfInstallation />}
    </OwnersOnly>
  )
}

function BackupsOfInstallation() {
  const setup = useQuery({ queryKey: ['backup-setup'], queryFn: ({ signal }) => getBackupSetup(signal) })
  const isPossible = setup.data !== undefined && canBackUp(setup.data)
  return (
    <>
      <PageHeader title={text.title} subtitle={text.subtitle} actions={isPossible && <BackUpNow />} />
      <Stack>
        <Panel title={text.setup}>
          <Loaded query={setup} skeleton={<SkeletonLines />}>
            {(data) => <Setup setup={data} />}
          </Loaded>
        </Panel>
        {isPossible && <Lists target={setup.data.target ?? ''} />}
      </Stack>
    </>
  )
}

function BackUpNow() {
  const client = useQueryClient()
  const take = useMutation({
    mutationFn: takeBackup,
    onSuccess: async () => {
      toast(text.started)
      await client.invalidateQueries({ queryKey: LIST_KEY })
    },
    onError: toastError,
  })
  return (
    <Button
      look="primary"
      icon={<Archive aria-hidden="true" />}
      isBusy={take.isPending}
      onClick={() => take.mutate(undefined)}
    >
      {text.now}
    </Button>
  )
}

function Lists({ target }: { target: string }) {
  const list = useQuery({
    queryKey: LIST_KEY,
    queryFn: ({ signal }) => listBackups(signal),
    refetchInterval: ({ state: { data } }) => (isUnderWay(data) ? POLL_MS : false),
    staleTime: 0,
  })
  const shared = { error: list.error, onRetry: list.refetch, skeletonRows: 3 }
  const [newest] = list.data?.backups ?? []
  return (
    <>
      <Panel title={text.list} subtitle={text.listHint} isFlush>
        <DataTable
          {...shared}
          caption={text.caption}
          columns={backupColumns}
          rows={list.data?.backups}
          rowKey={({ id }) => id}
          empty={
            <EmptyState icon={<Archive />} title={text.emptyTitle}>
              {text.empty}
            </EmptyState>
          }
        />
      </Panel>
      {newest && (
        <Panel title={text.restore} subtitle={text.restoreHint}>
          <CodeBlock
            label={text.restore}
            code={`DATA_DIR=./restored npm run -s footfall -- restore ${target} --backup ${newest.id}`}
          />
        </Panel>
      )}
      <Panel title={text.runs} isFlush>
        <DataTable
          {...shared}
          caption={text.runsCaption}
          columns={runColumns}
          rows={list.data?.runs}
          rowKey={({ id }) => id}
          empty={<p className={styles.none}>{text.noRuns}</p>}
        />
      </Panel>
    </>
  )
}
