// What an owner decides about any form, and its end.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { deleteForm, type OwnForm } from '../../api/forms.ts'
import { spokenByLine } from '../../field-errors.ts'
import { hostsIn } from '../../hosts.ts'
import { toast } from '../../parts/announce.tsx'
import { Button } from '../../parts/button.tsx'
import { ConfirmDialog } from '../../parts/dialog.tsx'
import { NumberField, TextArea, TextField } from '../../parts/fields.tsx'
import { useForm } from '../../parts/form.tsx'
import { Panel } from '../../parts/panel.tsx'
import { SaveForm } from '../../parts/save-form.tsx'
import { useProperty, usePropertyPath } from '../../session.tsx'
import { forms as text } from '../../texts/index.ts'
import { formKey, useFormChange } from './change.ts'
import { IpSettings } from './ips.tsx'
import { LeadSettings } from './leads.tsx'
import { MailSettings } from './mail.tsx'
import { SendingSettings } from './sending.tsx'
import { ThanksFields } from './thanks.tsx'

interface Values {
  readonly name: string
  readonly domains: string
  readonly retention_days: number | null
  readonly success_html: string
  readonly branding: boolean
}

export function FormSettings({ form }: { form: OwnForm }) {
  return (
    <>
      <Panel title={text.settings.title}>
        <GeneralForm key={form.id} form={form} />
      </Panel>
      <MailSettings form={form} />
      <SendingSettings form={form} />
      <LeadSettings form={form} />
      <IpSettings form={form} />
      <Archive form={form} />
      <Deletion form={form} />
    </>
  )
}

const valuesOf = ({ name, domains, retention_days, success_html, branding }: OwnForm): Values => ({
  name,
  domains: domains.join('\n'),
  retention_days,
  success_html,
  branding,
})

function GeneralForm({ form }: { form: OwnForm }) {
  const change = useFormChange(form)
  const isOpen = form.kind === 'open'
  const state = useForm<Values>(valuesOf(form), async (_values, { changed: { domains, ...rest }, settle }) => {
    const hosts = domains === undefined ? undefined : hostsIn(domains)
    const saved = await change({ ...rest, ...(hosts && { domains: hosts }) }).catch((error: unknown) => {
      throw spokenByLine(error, { domains: hosts ?? [] })
    })
    settle(valuesOf(saved))
    toast(text.settings.saved)
  })
  return (
    <SaveForm form={state} label={text.settings.save} isPrimary>
      <TextField label={text.settings.name} maxLength={120} {...state.field('name')} />
      <TextArea
        label={text.settings.domains}
        hint={text.settings.domainsHint}
        rows={2}
        spellCheck={false}
        {...state.field('domains')}
      />
      <NumberField
        label={text.settings.retention}
        hint={text.settings.retentionHint}
        min={1}
        max={3650}
        {...state.field('retention_days')}
      />
      {isOpen && (
        <ThanksFields
          html={state.values.success_html}
          onHtml={(success_html) => state.set({ success_html })}
          branding={state.values.branding}
          onBranding={(branding) => state.set({ branding })}
          errors={state.errorsOf('success_html')}
        />
      )}
    </SaveForm>
  )
}

function Archive({ form }: { form: OwnForm }) {
  const change = useFormChange(form)
  const archive = useMutation({
    mutationFn: () => change({ is_archived: !form.is_archived }),
    onSuccess: ({ is_archived }) => toast(is_archived ? text.settings.archived : text.settings.restored),
  })
  return (
    <Panel title={text.settings.archiveTitle} subtitle={text.settings.archiveHint}>
      <Button isBusy={archive.isPending} onClick={() => archive.mutate()}>
        {form.is_archived ? text.settings.restore : text.settings.archive}
      </Button>
    </Panel>
  )
}

function Deletion({ form }: { form: OwnForm }) {
  const property = useProperty()
  const path = usePropertyPath()
  const client = useQueryClient()
  const [, navigate] = useLocation()
  const [isAsking, setAsking] = useState(false)
  const confirm = async (): Promise<void> => {
    await deleteForm(property.id, form.id)
    toast(text.settings.deleted)
    navigate(path('/forms'), { replace: true })
    window.scrollTo(0, 0) // it was asked for at the end of a long page
    client.removeQueries({ queryKey: formKey(property.id, form.id) })
    await client.invalidateQueries({ queryKey: ['forms', property.id] })
  }
  return (
    <Panel title={text.settings.deleteTitle} subtitle={text.settings.deleteHint}>
      <Button look="danger" onClick={() => setAsking(true)}>
        {text.settings.delete}
      </Button>
      {isAsking && (
        <ConfirmDialog
          title={text.settings.confirmTitle}
          action={text.settings.delete}
          typed={form.name}
          onConfirm={confirm}
          onClose={() => setAsking(false)}
        >
          {text.settings.confirmWords}
        </ConfirmDialog>
      )}
    </Panel>
  )
}
