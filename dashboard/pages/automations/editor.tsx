// The editor of an automation: its trigger, its condition and its webhook. For new and existing ones.
import { Plus, X } from 'lucide-react'
import { isChat, payloads } from '../../../server/kernel/payloads.ts'
import { type ReactNode, useState } from 'react'
import type { Action, Automation, AutomationChange, Payload, TriggerSpec, Warnings } from '../../api/automations.ts'
import { rethrowSpoken } from '../../field-errors.ts'
import { Button, IconButton } from '../../parts/button.tsx'
import { CodeBlock } from '../../parts/copy.tsx'
import { Select, TextField } from '../../parts/fields.tsx'
import { Form, type FormState, useForm } from '../../parts/form.tsx'
import { Facts, Panel, Stack } from '../../parts/panel.tsx'
import { Note } from '../../parts/states.tsx'
import { useProperty } from '../../session.tsx'
import { automations as text } from '../../texts/index.ts'
import styles from './automations.module.css'
import { exampleBody, exampleMessage, type ExampleOf } from './example.ts'
import { TriggerFields } from './trigger-fields.tsx'
import { useNames } from './use-names.ts'

const MOST_ACTIONS = 5

interface Values {
  readonly name: string
  readonly trigger: TriggerSpec
  /** '': for all. */
  readonly conversion: string
  readonly actions: readonly Action[]
}

const newAction: Action = { type: 'webhook', url: '', payload: 'envelope' }

const valuesOf = (automation: Automation | undefined): Values => ({
  name: automation?.name ?? '',
  trigger: automation?.trigger ?? { event_type: 'form_submit', event_value: null },
  conversion: automation?.conversion_id ?? '',
  actions: automation?.actions ?? [newAction],
})

const changeOf = ({ name, trigger, conversion, actions }: Partial<Values>): AutomationChange => ({
  ...(name !== undefined && { name: name.trim() || null }),
  ...(trigger && { trigger }),
  ...(conversion !== undefined && { conversion_id: conversion || null }),
  ...(actions && { actions }),
})

export interface EditorProps {
  /** Left out for a new one. */
  readonly automation?: Automation
  readonly submitLabel: string
  /** What it throws is shown at its fields, and so are the warnings that it comes back with. */
  readonly onSave: (change: AutomationChange) => Promise<Warnings | undefined>
}

const { editor } = text

export function AutomationEditor({ automation, submitLabel, onSave }: EditorProps) {
  const names = useNames()
  const [warnings, setWarnings] = useState<Warnings>({})
  const form = useForm<Values>(valuesOf(automation), async (values, { changed }) => {
    setWarnings({})
    const warned = await onSave(changeOf(automation ? changed : values)).catch(rethrowSpoken)
    setWarnings(warned ?? {})
  })
  const { values, set, errorsOf } = form
  const conversions = names.conversions.map(({ id, name }) => ({ value: id, label: name }))
  return (
    <Form
      form={form}
      actions={
        <Button
          type="submit"
          look="primary"
          isBusy={form.isBusy}
          disabled={automation !== undefined && !form.isChanged}
        >
          {submitLabel}
        </Button>
      }
    >
      <Stack>
        <Panel title={editor.when}>
          <div className={styles.fields}>
            <TriggerFields
              label={editor.what}
              value={values.trigger}
              onChange={(trigger) => set({ trigger })}
              forms={names.forms}
              typeErrors={errorsOf('trigger.event_type')}
              valueErrors={errorsOf('trigger.event_value')}
            />
            <Select
              label={editor.conversion}
              hint={editor.conversionHint}
              options={[{ value: '', label: editor.noConversion }, ...conversions]}
              {...form.field('conversion', 'conversion_id')}
            />
          </div>
        </Panel>
        <Panel title={editor.call} subtitle={editor.callHint}>
          <Actions form={form} warnings={warnings} onChanged={() => setWarnings({})} />
        </Panel>
        <Panel>
          <TextField label={editor.name} hint={editor.nameHint} maxLength={120} {...form.field('name')} />
        </Panel>
      </Stack>
    </Form>
  )
}

interface ActionsProps {
  readonly form: FormState<Values>
  /** Of what was saved last; they say nothing of what is typed since. */
  readonly warnings: Warnings
  readonly onChanged: () => void
}

function Actions({ form, warnings, onChanged }: ActionsProps) {
  const { actions } = form.values
  const change = (next: readonly Action[]): void => {
    form.set({ actions: next })
    onChanged()
  }
  const patch = (index: number, part: Partial<Action>): void =>
    change(actions.map((action, at) => (at === index ? { ...action, ...part } : action)))
  return (
    <div className={styles.fields}>
      {actions.map((action, index) => (
        <ActionFields
          key={index}
          action={action}
          onChange={(part) => patch(index, part)}
          errors={form.errorsOf(`actions.${index}.url`)}
          warnings={warnings[`actions.${index}.url`] ?? []}
          remove={
            actions.length > 1 && (
              <IconButton
                label={editor.removeUrl}
                icon={<X />}
                onClick={() => change(actions.filter((_, at) => at !== index))}
              />
            )
          }
        />
      ))}
      {actions.length < MOST_ACTIONS && (
        <div>
          <Button
            look="quiet"
            size="small"
            icon={<Plus aria-hidden="true" />}
            onClick={() => change([...actions, newAction])}
          >
            {editor.addUrl}
          </Button>
        </div>
      )}
      <Examples values={form.values} />
    </div>
  )
}

interface ActionFieldsProps {
  readonly action: Action
  readonly onChange: (change: Partial<Action>) => void
  readonly errors: readonly string[]
  readonly warnings: readonly string[]
  readonly remove: ReactNode
}

/** After a save, what the service says of the addresses that it took all the same. */
export const WarningNote = ({ sentences }: { sentences: readonly string[] }) =>
  sentences.length > 0 && (
    <div role="status" className={styles.warning}>
      <Note tone="warn">{sentences.join(' ')}</Note>
    </div>
  )

function ActionFields({ action, onChange, errors, warnings, remove }: ActionFieldsProps) {
  return (
    <div className={styles.action}>
      <TextField
        label={editor.url}
        hint={editor.urlHints[action.payload]}
        type="url"
        placeholder={editor.urlPlaceholder}
        spellCheck={false}
        maxLength={2048}
        value={action.url}
        onChange={(url) => onChange({ url })}
        errors={errors}
      />
      <Select
        label={editor.payload}
        value={action.payload}
        onChange={(payload) => onChange({ payload: payload as Payload })}
        options={payloads.map((value) => ({ value, label: editor.payloads[value] }))}
      />
      {remove}
      <WarningNote sentences={warnings} />
    </div>
  )
}

/** As a reader of the chat would see it, or as an endpoint gets it. */
function Example({ payload, of }: { payload: Payload; of: ExampleOf }) {
  const label = `${editor.exampleOf}: ${editor.payloads[payload]}`
  if (!isChat(payload)) return <CodeBlock label={label} code={exampleBody(payload, of)} />
  const { title, facts } = exampleMessage(of)
  return (
    <figure className={styles.chat} aria-label={label}>
      <figcaption className={styles.small}>{label}</figcaption>
      <strong>{title}</strong>
      <Facts rows={facts.map(([name, value]) => [name, value] as const)} />
    </figure>
  )
}

/** One for each kind of body that is chosen. */
function Examples({ values }: { values: Values }) {
  const { id } = useProperty()
  const { conversions } = useNames()
  const conversion = conversions.find((one) => one.id === values.conversion)
  const payloads = [...new Set(values.actions.map(({ payload }) => payload))]
  return (
    <details className={styles.more}>
      <summary>{editor.example}</summary>
      <div className={styles.fields}>
        {payloads.map((payload) => (
          <Example
            key={payload}
            payload={payload}
            of={{ trigger: values.trigger, name: values.name, propertyId: id, conversion }}
          />
        ))}
        <p className={styles.small}>{editor.docs}</p>
      </div>
    </details>
  )
}
