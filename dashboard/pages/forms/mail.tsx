// Who is told of submissions by email.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { changeFormMail, type FormMail, type OwnForm, readFormMail } from '../../api/forms.ts'
import { spoken, spokenByLine } from '../../field-errors.ts'
import { toast } from '../../parts/announce.tsx'
import { Checkbox, NumberField, TextArea, TextField } from '../../parts/fields.tsx'
import { useForm } from '../../parts/form.tsx'
import { Panel } from '../../parts/panel.tsx'
import { MissingMail, recipientLines, Recipients, recipientsIn } from '../../parts/recipients.tsx'
import { SaveForm } from '../../parts/save-form.tsx'
import { Loaded, SkeletonLines } from '../../parts/states.tsx'
import { useProperty } from '../../session.tsx'
import { forms as text } from '../../texts/index.ts'
import { formKey } from './change.ts'

/** Of a field that was emptied: what forms begin with. */
const MOST_AN_HOUR = 10

const useFormMail = (form: OwnForm) => {
  const property = useProperty()
  const client = useQueryClient()
  const queryKey = [...formKey(property.id, form.id), 'mail']
  const query = useQuery({ queryKey, queryFn: ({ signal }) => readFormMail(property.id, form.id, signal) })
  const change = async (asked: Parameters<typeof changeFormMail>[2]): Promise<FormMail> => {
    const saved = await changeFormMail(property.id, form.id, asked)
    client.setQueryData(queryKey, saved)
    return saved
  }
  return { query, change }
}

/** Mail to the owner of a form, and to whoever sends it. */
export function MailSettings({ form }: { form: OwnForm }) {
  const { query, change } = useFormMail(form)
  const panel = (title: string, subtitle: string, Settings: (props: FormProps) => ReactNode) => (
    <Panel title={title} subtitle={subtitle}>
      <Loaded query={query} skeleton={<SkeletonLines />}>
        {(mail) => (
          <>
            <MissingMail missing={mail.missing} words={text.mail.who} />
            <Settings mail={mail} change={change} />
          </>
        )}
      </Loaded>
    </Panel>
  )
  return (
    <>
      {panel(text.mail.title, text.mail.subtitle, RecipientsForm)}
      {panel(text.mail.confirmTitle, text.mail.confirmSubtitle, ConfirmationForm)}
    </>
  )
}

interface FormProps {
  readonly mail: FormMail
  readonly change: ReturnType<typeof useFormMail>['change']
}

function ConfirmationForm({ mail, change }: FormProps) {
  const valuesOf = ({ confirmation: { fields: _fields, ...values } }: FormMail) => values
  const state = useForm(valuesOf(mail), async (confirmation, { settle }) => {
    const saved = await change({ confirmation }).catch((error: unknown) => {
      throw spoken(error, (path) => path.replace(/^confirmation\./, ''))
    })
    settle(valuesOf(saved))
    toast(text.settings.saved)
  })
  const { is_on } = state.values
  return (
    <SaveForm form={state} label={text.settings.save} isPrimary>
      <Checkbox
        label={text.mail.confirm}
        hint={text.mail.confirmHint}
        isOn={is_on}
        onChange={(isOn) => state.set({ is_on: isOn })}
        errors={state.errorsOf('is_on')}
      />
      {is_on && (
        <>
          <TextField label={text.mail.subject} maxLength={150} {...state.field('subject')} />
          <TextArea
            label={text.mail.text}
            hint={text.mail.fields(mail.confirmation.fields.map((name) => `%${name}%`))}
            rows={6}
            {...state.field('text')}
          />
          <TextField label={text.mail.replyTo} hint={text.mail.replyToHint} type="email" {...state.field('reply_to')} />
        </>
      )}
    </SaveForm>
  )
}

function RecipientsForm({ mail, change }: FormProps) {
  const valuesOf = ({ recipients, most_an_hour }: FormMail) => ({
    recipients: recipientLines(recipients),
    most_an_hour: most_an_hour as number | null,
  })
  const state = useForm(valuesOf(mail), async ({ recipients: lines, most_an_hour: most }, { settle }) => {
    const recipients = recipientsIn(lines)
    const saved = await change({ recipients, most_an_hour: most ?? MOST_AN_HOUR }).catch((error: unknown) => {
      throw spokenByLine(error, { recipients })
    })
    settle(valuesOf(saved))
    toast(text.settings.saved)
  })
  return (
    <SaveForm form={state} label={text.settings.save} isPrimary>
      <Recipients
        label={text.mail.recipients}
        hint={text.mail.recipientsHint}
        recipients={mail.recipients}
        words={text.mail.who}
        {...state.field('recipients')}
      />
      <NumberField
        label={text.mail.most}
        hint={text.mail.mostHint}
        min={0}
        max={100}
        placeholder={`${MOST_AN_HOUR}`}
        {...state.field('most_an_hour')}
      />
    </SaveForm>
  )
}
