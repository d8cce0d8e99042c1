// A link for people without an account, shown once; and the address of this very view for those who have one.
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'wouter'
import { createShare } from '../../api/shares.ts'
import { toast } from '../../parts/announce.tsx'
import { CodeBlock, Copyable } from '../../parts/copy.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { TextField } from '../../parts/fields.tsx'
import { Form, useForm } from '../../parts/form.tsx'
import { Note } from '../../parts/states.tsx'
import { useCan, useProperty, usePropertyPath } from '../../session.tsx'
import { overview as text } from '../../texts/index.ts'
import { sharedSearch, useCarriedSearch } from '../../window.ts'
import styles from './share-dialog.module.css'

export function ShareDialog({ onClose }: { onClose: () => void }) {
  const canShare = useCan('admin')
  const path = usePropertyPath()
  const search = sharedSearch(useCarriedSearch())
  const [url, setUrl] = useState<string>()
  return (
    <Dialog title={text.share.title} onClose={onClose}>
      <div className={styles.parts}>
        {canShare && url !== undefined && (
          <div className={styles.made}>
            <Note tone="good">{text.share.done}</Note>
            <CodeBlock label={text.share.url} code={url + search} />
          </div>
        )}
        {canShare && url === undefined && <NewShare onMade={setUrl} />}
        <section className={styles.view}>
          <h3>{text.share.copyView}</h3>
          <p className={styles.hint}>{text.share.viewHint}</p>
          <Copyable words={location.href} label={text.share.copyView} />
        </section>
        {canShare && (
          <p className={styles.hint}>
            <Link href={path('/settings/sharing')}>{text.share.manage}</Link>
          </p>
        )}
      </div>
    </Dialog>
  )
}

function NewShare({ onMade }: { onMade: (url: string) => void }) {
  const property = useProperty()
  const client = useQueryClient()
  const form = useForm({ name: '', password: '' }, async ({ name, password }) => {
    const { url } = await createShare(property.id, { name: name.trim(), ...(password !== '' && { password }) })
    onMade(url)
    void client.invalidateQueries({ queryKey: ['shares', property.id] })
    toast(text.share.made)
  })
  return (
    <section className={styles.view}>
      <p className={styles.hint}>{text.share.hint}</p>
      <Form form={form} action={text.share.make}>
        <TextField label={text.share.name} placeholder={text.share.namePlaceholder} {...form.field('name')} />
        <TextField
          type="password"
          autoComplete="new-password"
          label={text.share.password}
          hint={text.share.passwordHint}
          {...form.field('password')}
        />
      </Form>
    </section>
  )
}
