// The end of a property. For its owners, who type its name first.
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { type Property, removeProperty } from '../../api/properties.ts'
import { toast } from '../../parts/announce.tsx'
import { Button } from '../../parts/button.tsx'
import { ConfirmDialog } from '../../parts/dialog.tsx'
import { Panel } from '../../parts/panel.tsx'
import { refreshSession, useCan } from '../../session.tsx'
import { data as all } from '../../texts/index.ts'
import styles from './page.module.css'
import { StoredFacts } from './stored.tsx'

const text = all.deletion

export function Deletion({ property: { id, name } }: { property: Property }) {
  const client = useQueryClient()
  const [, navigate] = useLocation()
  const mayDelete = useCan('owner')
  const [isAsking, setAsking] = useState(false)
  const confirm = async (): Promise<void> => {
    await removeProperty(id)
    await refreshSession()
    toast(text.deleted(name))
    navigate('/', { replace: true })
    client.removeQueries({ predicate: ({ queryKey }) => queryKey.includes(id) || queryKey[0] === 'sample' })
  }
  return (
    <Panel title={text.title} subtitle={text.subtitle}>
      {mayDelete ? (
        <Button look="danger" onClick={() => setAsking(true)}>
          {text.button}
        </Button>
      ) : (
        <p className={styles.hint}>{text.ownerOnly}</p>
      )}
      {isAsking && (
        <ConfirmDialog
          title={text.confirm(name)}
          action={text.button}
          typed={name}
          onConfirm={confirm}
          onClose={() => setAsking(false)}
        >
          <StoredFacts id={id} />
          {text.words}
        </ConfirmDialog>
      )}
    </Panel>
  )
}
