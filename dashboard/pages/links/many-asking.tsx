// Which links are to be made: addresses that are typed or a file, into which group, on which domain.
import { FileUp, ListChecks } from 'lucide-react'
import type { FormEvent } from 'react'
import { type Domain, domains, type ForeignFormat, foreignFormats } from '../../api/links.ts'
import { rowsIn } from './rows.ts'
import { textOfFile } from '../../file-text.ts'
import { number } from '../../format.ts'
import { Button } from '../../parts/button.tsx'
import { Checkbox, Select, TextArea } from '../../parts/fields.tsx'
import { ChooseFileButton } from '../../parts/choose-file.tsx'
import { FormRow } from '../../parts/form.tsx'
import { Panel } from '../../parts/panel.tsx'
import { ErrorNote } from '../../parts/states.tsx'
import { bulk as words, links as text } from '../../texts/index.ts'
import { useGroups } from './links.ts'
import styles from './links.module.css'
import { type Asked, messageOf } from './many-run.ts'

/** As the service takes. */
const MAX_BYTES = 8_000_000
interface AskingProps {
  readonly asked: Asked
  readonly set: (patch: Partial<Asked>) => void
  readonly onCheck: () => void
  readonly problem: string | undefined
  readonly onProblem: (problem: string) => void
}

export function Asking({ asked, set, onCheck, problem, onProblem }: AskingProps) {
  const groups = useGroups().data ?? []
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    onCheck()
  }
  return (
    <Panel>
      <form onSubmit={submit} className={styles.many}>
        <Select
          label={words.from}
          hint={asked.from === '' ? undefined : words.fromHint[asked.from]}
          value={asked.from}
          onChange={(from) => set({ from: from as ForeignFormat | '' })}
          options={[
            { value: '', label: words.own },
            ...foreignFormats.map((value) => ({ value, label: words.services[value] })),
          ]}
        />
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
  const choose = async (file: File): Promise<void> => {
    try {
      set({ file: { name: file.name, text: await textOfFile(file, MAX_BYTES, words) } })
    } catch (error) {
      onProblem(messageOf(error))
    }
  }
  if (asked.file) {
    const rows = rowsIn(asked.file.text)
    return (
      <div className={styles.suggest}>
        <p>{rows === undefined ? asked.file.name : words.chosen(asked.file.name, number(rows), rows)}</p>
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
        hint={asked.from === '' ? words.rowsHint : words.foreignHint}
        rows={8}
        isCode
        wrap="off"
        value={asked.typed}
        onChange={(typed) => set({ typed })}
      />
      <div>
        <ChooseFileButton
          size="small"
          icon={<FileUp aria-hidden="true" />}
          label={words.file}
          onFile={(file) => void choose(file)}
        >
          {words.choose}
        </ChooseFileButton>
      </div>
    </>
  )
}
