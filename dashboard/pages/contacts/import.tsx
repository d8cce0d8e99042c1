// Contacts from a file: the service checks every row without writing, the reader confirms, then parts are
// written.
import { useQueryClient } from '@tanstack/react-query'
import { CircleCheck, FileUp } from 'lucide-react'
import { type DragEvent, useRef, useState } from 'react'
import { traitFields } from '../../../server/kernel/contact-fields.ts'
import { importPart } from '../../api/contacts.ts'
import { type CsvPart, partsOf, previewOf } from '../../csv.ts'
import { textOfFile } from '../../file-text.ts'
import { number } from '../../format.ts'
import { announce } from '../../parts/announce.tsx'
import { Button, LinkButton } from '../../parts/button.tsx'
import { cx } from '../../parts/cx.ts'
import { ChooseFileButton } from '../../parts/choose-file.tsx'
import { Progress } from '../../parts/marks.tsx'
import { Facts, PageHeader, Panel, Stack } from '../../parts/panel.tsx'
import { EmptyState, ErrorNote, NoPermission, Note } from '../../parts/states.tsx'
import { useCan, useProperty, usePropertyPath } from '../../session.tsx'
import { common, contacts as text } from '../../texts/index.ts'
import { useTitle } from '../../title.ts'
import { addPart, type Checked, nothingYet } from './import-sum.ts'
import { CheckedView, type Preview, PreviewTable } from './import-view.tsx'
import { Up } from './up.tsx'
import styles from './import.module.css'

const words = text.importing

const MAX_BYTES = 20_000_000
/** Other requests wait while a part is written, about 250 ms. A part stays well below the limit of a body. */
const PART = { rows: 1_000, characters: 250_000 }
const PREVIEW_ROWS = 5

/** docs/contacts-csv.md */
const understood = [
  [['external_id', 'email'], words.who],
  [[...traitFields, 'lifecycle_stage'], words.about],
  [['state'], words.standing],
  [['meta.plan', 'meta'], words.custom],
] as const

interface Chosen extends Preview {
  readonly name: string
  readonly parts: readonly CsvPart[]
}

type Stage =
  | { readonly is: 'nothing'; readonly problem?: string }
  | { readonly is: 'checking' | 'writing'; readonly chosen: Chosen; readonly checked: Checked }
  | { readonly is: 'checked'; readonly chosen: Chosen; readonly checked: Checked }
  | { readonly is: 'stopped'; readonly chosen: Chosen; readonly checked: Checked; readonly problem: string }
  | { readonly is: 'done'; readonly chosen: Chosen; readonly checked: Checked }

/** @throws Error in words for the reader. */
async function chosenFile(file: File): Promise<Chosen> {
  const decoded = await textOfFile(file, MAX_BYTES, words)
  const parts = partsOf(decoded, PART)
  if (!parts) throw new Error(words.noRows)
  const rows = parts.reduce((sum, part) => sum + part.rows, 0)
  return { name: file.name, parts, rows, preview: previewOf(decoded, PREVIEW_ROWS) }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : common.errors.unknown)

export default function ImportPage() {
  const property = useProperty()
  const mayImport = useCan('admin')
  useTitle(words.title, property.name)
  return (
    <>
      <PageHeader title={words.title} subtitle={words.subtitle} back={<Up />} />
      {mayImport ? (
        <Import />
      ) : (
        <Panel>
          <NoPermission words={words.noRight} />
        </Panel>
      )}
    </>
  )
}

function useImport() {
  const property = useProperty()
  const queryClient = useQueryClient()
  const [stage, setStage] = useState<Stage>({ is: 'nothing' })
  // A file that is chosen meanwhile ends the check of the one before.
  const current = useRef(0)

  const run = async (is: 'checking' | 'writing', chosen: Chosen, token: number): Promise<void> => {
    let checked = nothingYet
    setStage({ is, chosen, checked })
    try {
      for (const part of chosen.parts) {
        checked = addPart(checked, await importPart(property.id, part.csv, is === 'checking'), part)
        if (token !== current.current) return
        setStage({ is, chosen, checked })
      }
      setStage({ is: is === 'checking' ? 'checked' : 'done', chosen, checked })
    } catch (error) {
      if (token !== current.current) return
      if (is === 'checking') setStage({ is: 'nothing', problem: messageOf(error) })
      else setStage({ is: 'stopped', chosen, checked, problem: messageOf(error) })
    }
    if (is === 'writing') {
      void queryClient.invalidateQueries({ queryKey: ['contacts', property.id] })
      void queryClient.invalidateQueries({ queryKey: ['contact', property.id] })
      announce(words.done(number(checked.created), number(checked.updated)))
    }
  }
  const choose = async (file: File): Promise<void> => {
    const token = ++current.current
    try {
      await run('checking', await chosenFile(file), token)
    } catch (error) {
      setStage({ is: 'nothing', problem: messageOf(error) })
    }
  }
  return {
    stage,
    choose: (file: File) => void choose(file),
    write: (chosen: Chosen) => void run('writing', chosen, ++current.current),
    forget: () => {
      current.current++
      setStage({ is: 'nothing' })
    },
  }
}

function Import() {
  const { stage, choose, write, forget } = useImport()
  if (stage.is === 'nothing')
    return (
      <Stack>
        <Chooser onFile={choose} problem={stage.problem} />
        <Understood />
      </Stack>
    )
  const { chosen, checked } = stage
  if (stage.is === 'done') return <Done checked={checked} onAgain={forget} />
  const isRunning = stage.is === 'checking' || stage.is === 'writing'
  const mayWrite = stage.is === 'checked' && checked.badRows === 0 && checked.created + checked.updated > 0
  return (
    <Stack>
      <Panel title={words.preview} subtitle={chosen.name} isFlush>
        <PreviewTable preview={chosen} />
      </Panel>
      {isRunning ? (
        <Panel>
          <Running stage={stage.is} rows={chosen.rows} done={checked.rows} />
        </Panel>
      ) : (
        <Panel title={words.would}>
          <CheckedView checked={checked} />
        </Panel>
      )}
      {stage.is === 'stopped' && (
        <ErrorNote>
          {stage.problem} {words.stopped(number(checked.rows))}
        </ErrorNote>
      )}
      {!isRunning && (
        <div className={styles.actions}>
          {mayWrite && (
            <Button look="primary" onClick={() => write(chosen)}>
              {words.run(number(checked.created + checked.updated), checked.created + checked.updated)}
            </Button>
          )}
          {stage.is === 'stopped' && (
            <Button look="primary" onClick={() => write(chosen)}>
              {words.retry}
            </Button>
          )}
          <Button onClick={forget}>{words.other}</Button>
        </div>
      )}
    </Stack>
  )
}

/** Which columns a file may have. */
const Understood = () => (
  <Panel title={words.columnsTitle} className={styles.understood}>
    <Facts
      rows={understood.map(([names, meaning]) => [
        <span key={meaning} className={styles.names}>
          {names.map((name) => (
            <code key={name}>{name}</code>
          ))}
        </span>,
        meaning,
      ])}
    />
    <p className={styles.words}>{words.rules}</p>
  </Panel>
)

function Running({ stage, rows, done }: { stage: 'checking' | 'writing'; rows: number; done: number }) {
  const said = words[stage](number(done), number(rows))
  return (
    <div className={styles.running}>
      <p>{said}</p>
      <Progress value={done / rows} label={said} />
    </div>
  )
}

function Chooser({ onFile, problem }: { onFile: (file: File) => void; problem: string | undefined }) {
  const [isOver, setOver] = useState(false)
  const drop = (event: DragEvent): void => {
    event.preventDefault()
    setOver(false)
    const file = event.dataTransfer.files[0]
    if (file) onFile(file)
  }
  return (
    <>
      {problem !== undefined && <ErrorNote>{problem}</ErrorNote>}
      <div
        className={cx(styles.drop, isOver && styles.over)}
        onDragOver={(event) => {
          event.preventDefault()
          setOver(true)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
      >
        <FileUp aria-hidden="true" />
        <ChooseFileButton look="primary" label={words.file} onFile={onFile}>
          {words.choose}
        </ChooseFileButton>
        <p>{words.drop}</p>
      </div>
    </>
  )
}

function Done({ checked, onAgain }: { checked: Checked; onAgain: () => void }) {
  const path = usePropertyPath()
  return (
    <Panel>
      <EmptyState
        icon={<CircleCheck />}
        title={words.doneTitle}
        actions={
          <>
            <Button onClick={onAgain}>{words.again}</Button>
            <LinkButton look="primary" href={path('/contacts')}>
              {words.toContacts}
            </LinkButton>
          </>
        }
      >
        {words.done(number(checked.created), number(checked.updated))}
      </EmptyState>
      {checked.namelessRows > 0 && <Note>{words.namelessHint}</Note>}
    </Panel>
  )
}
