// The builder of a managed form: fields, looks and what follows sending, beside the form as visitors will see
// it.
import { useState } from 'react'
import { ApiError } from '../../api.ts'
import type { OwnForm } from '../../api/forms.ts'
import { spoken } from '../../field-errors.ts'
import { toast } from '../../parts/announce.tsx'
import { Button } from '../../parts/button.tsx'
import { Form, type FormState } from '../../parts/form.tsx'
import { Panel, Tabs } from '../../parts/panel.tsx'
import { forms as text } from '../../texts/index.ts'
import { choiceParam, useUrlState } from '../../url.ts'
import { useBuilding } from './building.ts'
import { BuilderPreview } from './builder-preview.tsx'
import { type FieldDraft, fieldsOf, type FormDraft } from './draft.ts'
import { FieldList } from './field-list.tsx'
import styles from './forms.module.css'
import { Look } from './look.tsx'
import { OvertakenNote } from './overtaken.tsx'
import { ThanksFields } from './thanks.tsx'

const parts = ['fields', 'look', 'thanks'] as const
type Part = (typeof parts)[number]
const codecs = { part: choiceParam(parts, 'fields') } as const

/** Choices are one field of the editor. */
const oneForChoices = (path: string): string => path.replace(/^(fields\.\d+\.options)\..*$/, '$1')

/** Where the faults are that the service found first. */
function partOf(error: unknown): { part: Part; index?: number } | undefined {
  const path =
    error instanceof ApiError && error.code === 'validation_failed' ? Object.keys(error.errors)[0] : undefined
  if (path === undefined) return undefined
  const index = /^fields\.(\d+)\./.exec(path)?.[1]
  if (index !== undefined) return { part: 'fields', index: Number(index) }
  if (/^(?:header|footer|button|theme|form_type|website_theme)\b/.test(path)) return { part: 'look' }
  return { part: path === 'success_html' ? 'thanks' : 'fields' }
}

/** The field whose rule a fault is about. */
const fieldOfRule = (error: unknown, fields: readonly FieldDraft[]): FieldDraft | undefined =>
  error instanceof ApiError
    ? fields.find(({ name }) => Object.keys(error.errors).some((path) => path.startsWith(`validation.${name}.`)))
    : undefined

export function Builder({ form }: { form: OwnForm }) {
  const [{ part }, setUrl] = useUrlState<{ part: Part }>(codecs)
  const [openUid, setOpen] = useState<string | null>(null)

  const showFault = (error: unknown, fields: readonly FieldDraft[]): void => {
    const place = partOf(error)
    if (place) setUrl({ part: place.part }, { replace: true })
    const field = place?.index === undefined ? fieldOfRule(error, fields) : fieldsOf(fields)[place.index]
    if (field) setOpen(field.uid)
  }
  const { state, overtaken } = useBuilding(form, async (send, { fields }) => {
    const saved = await send().catch((error: unknown) => {
      showFault(error, fields)
      throw spoken(error, oneForChoices)
    })
    toast(text.builder.saved)
    return saved
  })
  return (
    <div className={styles.builder}>
      <Panel>
        {overtaken && <OvertakenNote form={form} overtaken={overtaken} />}
        {/* Why it was not saved stands above, with what can be done about it. */}
        <Form form={overtaken ? { ...state, problem: undefined } : state}>
          <Tabs
            label={text.builder.parts.label}
            isSmall
            tabs={parts.map((id) => ({ id, label: text.builder.parts[id] }))}
            chosen={part}
            onChoose={(next) => setUrl({ part: next }, { replace: true })}
          >
            {part === 'fields' && <FieldList state={state} openUid={openUid} onOpen={setOpen} />}
            {part === 'look' && <Look state={state} />}
            {part === 'thanks' && (
              <div className={styles.fields}>
                <ThanksFields
                  html={state.values.successHtml}
                  onHtml={(successHtml) => state.set({ successHtml })}
                  branding={state.values.branding}
                  onBranding={(branding) => state.set({ branding })}
                  errors={state.errorsOf('success_html')}
                  hasPreview={false}
                />
              </div>
            )}
          </Tabs>
          <SaveBar state={state} isOvertaken={overtaken !== undefined} />
        </Form>
      </Panel>
      <div className={styles.beside}>
        <BuilderPreview
          draft={state.values}
          edited={part === 'fields' ? state.values.fields.find(({ uid }) => uid === openUid)?.name : undefined}
          isAfter={part === 'thanks'}
          redirectUrl={form.redirect_url}
        />
      </div>
    </div>
  )
}

function SaveBar({ state, isOvertaken }: { state: FormState<FormDraft>; isOvertaken: boolean }) {
  return (
    <div className={styles.saveBar}>
      <Button type="submit" look="primary" isBusy={state.isBusy} isIdle={!state.isChanged || isOvertaken}>
        {text.builder.save}
      </Button>
      {state.isChanged && !isOvertaken && (
        <>
          <Button look="quiet" onClick={() => state.reset()}>
            {text.builder.discard}
          </Button>
          <span className={styles.small}>{text.builder.unsaved}</span>
        </>
      )}
    </div>
  )
}
