// Asks for a domain for short links, and which of the two short domains it replaces.
import { addOwnDomain } from '../../api/domains.ts'
import type { Domain } from '../../api/links.ts'
import { toast } from '../../parts/announce.tsx'
import { Select, TextField } from '../../parts/fields.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { useForm } from '../../parts/form.tsx'
import { useProperty } from '../../session.tsx'
import { domains as text } from '../../texts/index.ts'

interface AddDomainProps {
  /** Short domains that are free. */
  readonly options: readonly { readonly value: Domain; readonly label: string }[]
  readonly onAdded: () => Promise<void>
  readonly onClose: () => void
}

export function AddDomain({ options, onAdded, onClose }: AddDomainProps) {
  const { id } = useProperty()
  const form = useForm({ host: '', domain: options[0]?.value ?? 'link-a' }, async (values) => {
    await addOwnDomain(id, values)
    await onAdded()
    toast(text.added)
    onClose()
  })
  return (
    <FormDialog form={form} action={text.create} title={text.add} onClose={onClose}>
      <TextField
        label={text.host}
        hint={text.hostHint}
        placeholder={text.hostPlaceholder}
        inputMode="url"
        autoCapitalize="none"
        spellCheck={false}
        {...form.field('host')}
      />
      <Select
        label={text.domain}
        hint={text.domainHint}
        options={options}
        {...form.field('domain')}
        onChange={(domain) => form.set({ domain: domain as Domain })}
      />
    </FormDialog>
  )
}
