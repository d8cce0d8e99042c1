// How long the property keeps its facts, and how all of them go at once while everything else stays.
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type Property, resetProperty } from '../../api/properties.ts'
import { toast } from '../../parts/announce.tsx'
import { Button } from '../../parts/button.tsx'
import { ConfirmDialog } from '../../parts/dialog.tsx'
import { NumberField } from '../../parts/fields.tsx'
import { useForm } from '../../parts/form.tsx'
import { Panel } from '../../parts/panel.tsx'
import { SaveForm } from '../../parts/save-form.tsx'
import { useCan } from '../../session.tsx'
import { data as all, settings } from '../../texts/index.ts'
import styles from './page.module.css'
import { useChange } from './property.ts'
import { StoredFacts } from './stored.tsx'

const text = all.retention

export function Retention({ property }: { property: Property }) {
  const change = useChange()
  const form = useForm({ kept_days: property.kept_days }, async (values) => change(values))
  return (
    <Panel title={text.title} subtitle={text.subtitle}>
      <div className={styles.narrow}>
        <SaveForm form={form} label={settings.save}>
          <NumberField
            label={text.days}
            hint={text.hint}
            min={1}
            step={1}
            inputMode="numeric"
            {...form.field('kept_days')}
          />
        </SaveForm>
      </div>
    </Panel>
  )
}

export function Reset({ property: { id, name } }: { property: Property }) {
  const client = useQueryClient()
  const mayReset = useCan('owner')
  const [isAsking, setAsking] = useState(false)
  const confirm = async (): Promise<void> => {
    await resetProperty(id)
    toast(text.reset.begun)
    await client.invalidateQueries({ predicate: ({ queryKey }) => queryKey.includes(id) })
  }
  if (!mayReset) return null
  return (
    <Panel title={text.reset.title} subtitle={text.reset.subtitle}>
      <Button look="danger" onClick={() => setAsking(true)}>
        {text.reset.button}
      </Button>
      {isAsking && (
        <ConfirmDialog
          title={text.reset.confirm(name)}
          action={text.reset.button}
          typed={name}
          onConfirm={confirm}
          onClose={() => setAsking(false)}
        >
          <StoredFacts id={id} />
          {text.reset.words}
        </ConfirmDialog>
      )}
    </Panel>
  )
}
