// Whether mail is set up, and every message with what became of it. For owners of the installation.
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Mail as MailIcon, RefreshCw, Send } from 'lucide-react'
import { getMailStatus, listMails, MAILS_PER_PAGE, type MailStatus, states, type State } from '../../api/mail.ts'
import { Button } from '../../parts/button.tsx'
import { CodeBlock } from '../../parts/copy.tsx'
import { Select } from '../../parts/fields.tsx'
import { OwnersOnly } from '../../parts/owners-only.tsx'
import { Facts, PageHeader, Panel, Stack } from '../../parts/panel.tsx'
import { EmptyState, Loaded, Note, SkeletonLines } from '../../parts/states.tsx'
import { PagedTable } from '../../parts/paged-table.tsx'
import { mail as text } from '../../texts/index.ts'
import { choiceParam, flagParam, numberParam, useUrlState } from '../../url.ts'
import { columns } from './columns.tsx'
import { TestDialog } from './test.tsx'
import styles from './page.module.css'

const codecs = { state: choiceParam(states, null), page: numberParam(1), test: flagParam } as const
/** While a message is on its way. */
const POLL_MS = 3_000

export default function MailPage() {
  return (
    <OwnersOnly title={text.title} words={text.noRight}>
      {({ email }) => <MailOfInstallation address={email} />}
    </OwnersOnly>
  )
}

function MailOfInstallation({ address }: { address: string }) {
  const [{ test }, setState] = useUrlState(codecs)
  const status = useQuery({ queryKey: ['mail'], queryFn: ({ signal }) => getMailStatus(signal) })
  return (
    <>
      <PageHeader
        title={text.title}
        subtitle={text.subtitle}
        actions={
          status.data?.is_on === true && (
            <Button look="primary" icon={<Send aria-hidden="true" />} onClick={() => setState({ test: true })}>
              {text.test}
            </Button>
          )
        }
      />
      <Stack>
        <Panel title={text.setup}>
          <Loaded query={status} skeleton={<SkeletonLines />}>
            {(data) => (data.is_on ? <SetUp status={data} /> : <Missing status={data} />)}
          </Loaded>
        </Panel>
        <Log />
      </Stack>
      {test && <TestDialog address={address} onClose={() => setState({ test: false }, { replace: true })} />}
    </>
  )
}

const SetUp = ({ status: { server, from, encryption } }: { status: MailStatus }) => (
  <Facts
    rows={[
      [text.server, server],
      [text.from, from],
      [text.encryption, encryption && text.encryptions[encryption]],
    ]}
  />
)

const Missing = ({ status: { missing } }: { status: MailStatus }) => (
  <div className={styles.missing}>
    <Note tone="warn">
      <strong>{text.offTitle}</strong> {text.off(missing)}
    </Note>
    <CodeBlock label={text.example} code={text.exampleSettings} />
    <p className={styles.hint}>{text.exampleMore}</p>
  </div>
)

function Log() {
  const [{ state, page }, setState] = useUrlState(codecs)
  const list = useQuery({
    queryKey: ['mails', state, page],
    queryFn: ({ signal }) => listMails({ state, page }, signal),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state: { data } }) => (data?.data.some((mail) => mail.state === 'pending') ? POLL_MS : false),
    staleTime: 0,
  })
  return (
    <Panel title={text.log} subtitle={text.logHint} isFlush>
      <div className={styles.filters}>
        <Select
          label={text.filter}
          hidesLabel
          value={state ?? ''}
          onChange={(next) => setState({ state: states.find((one) => one === next) ?? null, page: 1 })}
          options={[
            { value: '', label: text.all },
            ...states.map((one: State) => ({ value: one, label: text.states[one] })),
          ]}
        />
        <Button
          size="small"
          icon={<RefreshCw aria-hidden="true" />}
          isBusy={list.isFetching && !list.isPending}
          onClick={() => void list.refetch()}
        >
          {text.refresh}
        </Button>
      </div>
      <PagedTable
        list={list}
        page={page}
        perPage={MAILS_PER_PAGE}
        onPage={(next, how) => setState({ page: next }, how)}
        caption={text.caption}
        columns={columns}
        empty={<Empty isFiltered={state !== null} onClear={() => setState({ state: null, page: 1 })} />}
      />
    </Panel>
  )
}

function Empty({ isFiltered, onClear }: { isFiltered: boolean; onClear: () => void }) {
  if (isFiltered)
    return (
      <EmptyState
        icon={<MailIcon />}
        title={text.emptyFiltered}
        actions={<Button onClick={onClear}>{text.showAll}</Button>}
      />
    )
  return (
    <EmptyState icon={<MailIcon />} title={text.emptyTitle}>
      {text.empty}
    </EmptyState>
  )
}
