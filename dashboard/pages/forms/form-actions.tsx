// What is done with a whole form, in its header: published, and copied.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Copy, Ellipsis } from 'lucide-react'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { createForm, type FormChange, type OwnForm } from '../../api/forms.ts'
import { toast, toastError } from '../../parts/announce.tsx'
import { Button } from '../../parts/button.tsx'
import { Menu } from '../../parts/popover.tsx'
import { useCan, useProperty, usePropertyPath } from '../../session.tsx'
import { forms as text } from '../../texts/index.ts'
import { useFormChange } from './change.ts'
import { PublishedDialog } from './published.tsx'

const LONGEST_NAME = 120

export function FormActions({ form }: { form: OwnForm }) {
  const canEdit = useCan('admin')
  const duplicate = useDuplicate(form)
  if (!canEdit) return null
  return (
    <>
      {!form.is_archived && <PublishButton form={form} />}
      <Menu
        button={<Ellipsis />}
        label={text.more}
        align="end"
        items={[{ label: text.duplicate, icon: <Copy />, onSelect: () => void duplicate().catch(toastError) }]}
      />
    </>
  )
}

export function PublishButton({ form }: { form: OwnForm }) {
  const [isShown, setShown] = useState(false)
  const change = useFormChange(form)
  const publish = useMutation({
    mutationFn: () => change({ is_published: !form.is_published }),
    onSuccess: ({ is_published }) => {
      toast(is_published ? text.published : text.unpublished)
      setShown(is_published)
    },
  })
  return (
    <>
      <Button
        look={form.is_published ? 'plain' : 'primary'}
        isBusy={publish.isPending}
        onClick={() => publish.mutate()}
      >
        {form.is_published ? text.unpublish : text.publish}
      </Button>
      {isShown && <PublishedDialog form={form} onClose={() => setShown(false)} />}
    </>
  )
}

/** What the service knows of this form alone is not a part of the copy. */
const own = new Set(['id', 'key', 'fullness', 'tried', 'stored_ips_until_ts', 'revision', 'created_ts', 'updated_ts'])

function definitionOf(form: OwnForm) {
  const members = Object.fromEntries(Object.entries(form).filter(([name]) => !own.has(name))) as FormChange
  return {
    ...members,
    kind: form.kind,
    name: text.copyOf(form.name).slice(0, LONGEST_NAME),
    success_html: form.success_html === '' ? null : form.success_html,
    ip_retention_days: form.is_ip_kept ? form.ip_retention_days : null,
    is_published: false,
    is_archived: false,
  }
}

/** A draft with everything that the form is made of. Who gets its email is not copied. */
function useDuplicate(form: OwnForm) {
  const property = useProperty()
  const path = usePropertyPath()
  const client = useQueryClient()
  const [, navigate] = useLocation()
  return async (): Promise<void> => {
    const { form: copy } = await createForm(property.id, definitionOf(form))
    toast(text.duplicated)
    await client.invalidateQueries({ queryKey: ['forms', property.id] })
    navigate(path(`/forms/${copy.id}/${copy.kind === 'managed' ? 'build' : 'settings'}`))
  }
}
