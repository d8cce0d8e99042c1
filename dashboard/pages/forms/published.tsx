// What follows publishing: the form is put on a page.
import { useLocation } from 'wouter'
import type { OwnForm } from '../../api/forms.ts'
import { Button } from '../../parts/button.tsx'
import { CodeBlock, Copyable } from '../../parts/copy.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { usePropertyPath } from '../../session.tsx'
import { common, forms as text } from '../../texts/index.ts'
import styles from './forms.module.css'
import { htmlSnippet, managedSnippet, plainUrl } from './snippets.ts'

const words = text.publishedDialog

export function PublishedDialog({ form, onClose }: { form: OwnForm; onClose: () => void }) {
  const path = usePropertyPath()
  const [, navigate] = useLocation()
  const isManaged = form.kind === 'managed'
  return (
    <Dialog
      title={words.title}
      subtitle={isManaged ? words.subtitle : text.embed.htmlHint}
      onClose={onClose}
      actions={
        <>
          <Button
            onClick={() => {
              onClose()
              navigate(path(`/forms/${form.id}/embed`))
            }}
          >
            {words.more}
          </Button>
          <Button look="primary" onClick={onClose}>
            {common.actions.done}
          </Button>
        </>
      }
    >
      <div className={styles.fields}>
        <CodeBlock label={text.embed.code} code={isManaged ? managedSnippet(form.key) : htmlSnippet(form.key)} />
        {isManaged && form.is_plain_on && (
          <p>
            {words.hosted} <Copyable words={plainUrl(form.key)} />
          </p>
        )}
        <p className={styles.small}>{words.test}</p>
      </div>
    </Dialog>
  )
}
