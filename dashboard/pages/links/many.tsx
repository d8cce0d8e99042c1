// Many links at once, from addresses or from a CSV file: checked row by row without writing anything, looked at, and then made part by part.
import { FileUp, ListChecks } from 'lucide-react'
import { type FormEvent, useRef, useState } from 'react'
import { type Domain, domains, type ImportPart, importLinks, type Link } from '../../api/links.ts'
import { type CsvPart, partsOf } from '../../csv.ts'
import { textOfFile } from '../../file-text.ts'
import { number } from '../../format.ts'
import { announce } from '../../parts/announce.tsx'
import { Button, LinkButton } from '../../parts/button.tsx'
import { BackLink } from '../../parts/detail.tsx'
import { Checkbox, Select, TextArea } from '../../parts/fields.tsx'
import { FormRow } from '../../parts/form.tsx'
import { Progress } from '../../parts/marks.tsx'
import { PageHeader, Panel, Stack } from '../../parts/panel.tsx'
import { EmptyState, ErrorNote, NoPermission, Note } from '../../parts/states.tsx'
import { type Column, DataTable } from '../../parts/table.tsx'
import { saveText } from '../../save.ts'
import { useCan, useProperty, usePropertyPath } from '../../session.tsx'
import { text as common } from '../../texts/en/common.ts'
import { text } from '../../texts/en/links.ts'
import { useTitle } from '../../title.ts'
import { useGroups, useRefresh } from './links.ts'
import styles from './links.module.css'
import { csvOf } from './rows.ts'

const words = text.many

const MAX_BYTES = 20_000_000
/** Others wait while a part is written: a fraction of a second. Its text stays well below what a body may be. */
const PART = { rows: 1_000, characters: 250_000 }
const SHOWN_FAULTS = 50

type Fault = ImportPart['faults'][number]

interface Sum {
  readonly rows: number
  readonly created: number
  readonly badRows: number
  readonly faults: readonly Fault[]
  readonly moreFaults: number
  readonly ignored: readonly string[]
  readonly links: readonly Link[]
}

const nothingYet: Sum = { rows: 0, created: 0, badRows: 0, faults: [], moreFaults: 0, ignored: [], links: [] }

function added(sum: Sum, part: ImportPart, lineOffset: number): Sum {
  const faults = [...sum.faults, ...part.faults.map((fault) => ({ ...fault, line: fault.line + lineOffset }))]
  return {
    rows: sum.rows + part.rows,
    created: sum.created + part.created,
    badRows: sum.badRows + part.bad_rows,
    faults: faults.slice(0, SHOWN_FAULTS),
    moreFaults: sum.moreFaults + part.more_faults + Math.max(0, faults.length - SHOWN_FAULTS),
    ignored: part.ignored_columns,
    links: [...sum.links, ...part.links],
  }
}

interface Asked {
  readonly group: string
  readonly domain: Domain
  readonly createGroups: boolean
  readonly typed: string
  readonly file: { readonly name: string; readonly text: string } | null
}

type Stage =
  | { readonly is: 'asking'; readonly problem?: string }
  | { readonly is: 'checking' | 'writing' | 'checked' | 'done'; readonly parts: readonly CsvPart[]; readonly sum: Sum }

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : common.errors.unknown)

export default function ManyPage() {
  const property = useProperty()
  const path = usePropertyPath()
  const canEdit = useCan('admin')
  useTitle(words.title, property.name)
  return (
    <>
      <PageHeader
        title={words.title}
        subtitle={words.subtitle}
        back={<BackLink href={path('/links')}>{text.back}</BackLink>}
      />
      {canEdit ? (
        <Many />
      ) : (
        <Panel>
          <NoPermission words={common.noPermission.forRole('admin')} />
        </Panel>
      )}
    </>
  )
}

function useRun(asked: Asked) {
  const property = useProperty()
  const refresh = useRefresh()
  const [stage, setStage] = useState<Stage>({ is: 'asking' })
  const run = async (parts: readonly CsvPart[], is: 'checking' | 'writing'): Promise<void> => {
    let sum = nothingYet
    setStage({ is, parts, sum })
    const { group, domain, createGroups } = asked
    try {
      for (const { csv, lineOffset } of parts) {
        const file = { csv, group, domain, create_groups: createGroups }
        sum = added(sum, await importLinks(property.id, file, is === 'checking'), lineOffset)
        setStage({ is, parts, sum })
      }
      setStage({ is: is === 'checking' ? 'checked' : 'done', parts, sum })
      if (is === 'writing') announce(words.done(number(sum.created), sum.created))
    } catch (error) {
      const kept = is === 'writing' && sum.created > 0 ? ` ${words.stopped(number(sum.created))}` : ''
      setStage({ is: 'asking', problem: messageOf(error) + kept })
    }
    if (is === 'writing') await refresh()
  }
  return {
    stage,
    check: async () => {
      const { csv, lineOffset } = asked.file ? { csv: asked.file.text, lineOffset: 0 } : csvOf(asked.typed)
      const parts = partsOf(csv, PART)?.map((part) => ({ ...part, lineOffset: part.lineOffset + lineOffset }))
      if (parts) await run(parts, 'checking')
      else setStage({ is: 'asking', problem: words.nothing })
    },
    write: (parts: readonly CsvPart[]) => void run(parts, 'writing'),
    ask: (problem?: string) => setStage({ is: 'asking', ...(problem !== undefined && { problem }) }),
  }
}

const first: Asked = { group: '', domain: 'link-a', createGroups: true, typed: '', file: null }

function Many() {
  const [asked, setAsked] = useState(first)
  const { stage, check, write, ask } = useRun(asked)
  const set = (patch: Partial<Asked>): void => setAsked((known) => ({ ...known, ...patch }))
  if (stage.is === 'asking')
    return <Asking asked={asked} set={set} onCheck={() => void check()} problem={stage.problem} onProblem={ask} />
  const { parts, sum } = stage
  if (stage.is === 'done')
    return (
      <Done
        sum={sum}
        onAgain={() => {
          setAsked(first)
          ask()
        }}
      />
    )
  if (stage.is !== 'checked') {
    const all = parts.reduce((rows, part) => rows + part.rows, 0)
    const said = words.working(number(sum.rows), number(all))
    return (
      <Panel>
        <p>{said}</p>
        <Progress value={sum.rows / all} label={said} />
      </Panel>
    )
  }
  return <Checked sum={sum} onWrite={() => write(parts)} onChange={() => ask()} />
}

interface AskingProps {
  readonly asked: Asked
  readonly set: (patch: Partial<Asked>) => void
  readonly onCheck: () => void
  readonly problem: string | undefined
  readonly onProblem: (problem: string) => void
}

function Asking({ asked, set, onCheck, problem, onProblem }: AskingProps) {
  const groups = useGroups().data ?? []
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    onCheck()
  }
  return (
    <Panel>
      <form onSubmit={submit} className={styles.many}>
        <FormRow>
          <Select
            label={words.group}
            hint={words.groupHint}
            value={asked.group}
            onChange={(group) => set({ group })}
            options={[{ value: '', label: '–' }, ...groups.map(({ id, name }) => ({ value: id, label: name }))]}
          />
          <Select
            label={text.editor.domain}
            hint={words.domainHint}
            value={asked.domain}
            onChange={(domain) => set({ domain: domain as Domain })}
            options={domains.map((value) => ({ value, label: text.domains[value] }))}
          />
        </FormRow>
        <Rows asked={asked} set={set} onProblem={onProblem} />
        <Checkbox
          label={words.createGroups}
          isOn={asked.createGroups}
          onChange={(createGroups) => set({ createGroups })}
        />
        {problem !== undefined && <ErrorNote>{problem}</ErrorNote>}
        <div>
          <Button type="submit" look="primary" icon={<ListChecks aria-hidden="true" />}>
            {words.check}
          </Button>
        </div>
      </form>
    </Panel>
  )
}

function Rows({ asked, set, onProblem }: Pick<AskingProps, 'asked' | 'set' | 'onProblem'>) {
  const input = useRef<HTMLInputElement>(null)
  const choose = async (file: File): Promise<void> => {
    try {
      set({ file: { name: file.name, text: await textOfFile(file, MAX_BYTES, words) } })
    } catch (error) {
      onProblem(messageOf(error))
    }
  }
  if (asked.file) {
    const rows = partsOf(asked.file.text, PART)?.reduce((sum, part) => sum + part.rows, 0) ?? 0
    return (
      <div className={styles.suggest}>
        <p>{words.chosen(asked.file.name, number(rows), rows)}</p>
        <Button size="small" onClick={() => set({ file: null })}>
          {words.forget}
        </Button>
      </div>
    )
  }
  return (
    <>
      <TextArea
        label={words.rows}
        hint={words.rowsHint}
        rows={8}
        isCode
        wrap="off"
        value={asked.typed}
        onChange={(typed) => set({ typed })}
      />
      <div>
        <Button size="small" icon={<FileUp aria-hidden="true" />} onClick={() => input.current?.click()}>
          {words.choose}
        </Button>
        <input
          ref={input}
          type="file"
          accept=".csv,.tsv,.txt,text/csv"
          aria-label={words.file}
          hidden
          onChange={({ target }) => {
            const file = target.files?.[0]
            target.value = ''
            if (file) void choose(file)
          }}
        />
      </div>
    </>
  )
}

const faultColumns: readonly Column<Fault>[] = [
  { id: 'line', header: words.line, cell: ({ line }) => number(line), width: '6rem' },
  { id: 'column', header: words.column, cell: ({ field }) => <code>{field}</code>, width: '12rem' },
  { id: 'reason', header: words.reason, cell: ({ reason }) => reason },
]

function Checked({ sum, onWrite, onChange }: { sum: Sum; onWrite: () => void; onChange: () => void }) {
  const isGood = sum.badRows === 0
  return (
    <Stack>
      {isGood ? (
        <Note tone="good">{words.would(number(sum.created), sum.created)}</Note>
      ) : (
        <ErrorNote>{words.bad(number(sum.badRows), sum.badRows)}</ErrorNote>
      )}
      {sum.ignored.length > 0 && <Note>{words.ignored(sum.ignored.join(', '))}</Note>}
      {!isGood && (
        <Panel title={words.faults} isFlush>
          <DataTable
            caption={words.faults}
            columns={faultColumns}
            rows={sum.faults}
            rowKey={({ line, field, reason }) => `${line} ${field} ${reason}`}
          />
          {sum.moreFaults > 0 && <p className={styles.foot}>{words.moreFaults(number(sum.moreFaults))}</p>}
        </Panel>
      )}
      <div className={styles.badges}>
        {isGood && (
          <Button look="primary" onClick={onWrite}>
            {words.create(number(sum.created), sum.created)}
          </Button>
        )}
        <Button onClick={onChange}>{words.change}</Button>
      </div>
    </Stack>
  )
}

/** Spreadsheets run cells that begin like a formula: such a cell is marked as text, as the service's own files do it. */
const cellOf = (cell: string): string => `"${cell.replace(/^[=+\-@\t\r]/, "'$&").replaceAll('"', '""')}"`

const listOf = (links: readonly Link[]): string =>
  [
    ['short_url', 'destination_url', 'name'],
    ...links.map(({ short_url, destination_url, name }) => [short_url, destination_url, name ?? '']),
  ]
    .map((row) => `${row.map(cellOf).join(',')}\r\n`)
    .join('')

function Done({ sum: { created, links }, onAgain }: { sum: Sum; onAgain: () => void }) {
  const path = usePropertyPath()
  return (
    <Panel>
      <EmptyState
        icon={<ListChecks />}
        title={words.done(number(created), created)}
        actions={
          <>
            <Button onClick={onAgain}>{words.again}</Button>
            <Button onClick={() => saveText('new-links.csv', listOf(links))}>{words.save}</Button>
            <LinkButton look="primary" href={path('/links')}>
              {words.toList}
            </LinkButton>
          </>
        }
      >
        {words.doneHint}
      </EmptyState>
    </Panel>
  )
}
