// Said of a draft that is on pages already: how many people could not use it, and how they could.
import type { OwnForm } from '../../api/forms.ts'
import { number } from '../../format.ts'
import { Note } from '../../parts/states.tsx'
import { useCan } from '../../session.tsx'
import { forms as text } from '../../texts/index.ts'
import { PublishButton } from './form-actions.tsx'
import styles from './forms.module.css'

export function TriedNotice({ form }: { form: OwnForm }) {
  const canEdit = useCan('admin')
  if (form.tried === 0) return null
  return (
    <Note tone="warn">
      <div className={styles.triedNote}>
        <span>{text.tried[form.kind](form.tried, number(form.tried))}</span>
        {canEdit && <PublishButton form={form} />}
      </div>
    </Note>
  )
}
