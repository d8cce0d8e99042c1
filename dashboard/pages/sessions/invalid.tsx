// Whether a visit counts: its owner may take it out of every figure, and put it back.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { markSession, type Story } from '../../api/sessions.ts'
import { toast } from '../../parts/announce.tsx'
import { Button } from '../../parts/button.tsx'
import { useCan, useProperty } from '../../session.tsx'
import { sessions as all } from '../../texts/index.ts'
import styles from './story.module.css'

const text = all.story.invalid

export function Invalid({ session: { id, is_invalid: isInvalid } }: Pick<Story, 'session'>) {
  const property = useProperty()
  const canMark = useCan('admin')
  const client = useQueryClient()
  const mark = useMutation({
    mutationFn: () => markSession(property.id, id, !isInvalid),
    onSuccess: async () => {
      toast(isInvalid ? text.counted : text.marked)
      // Every figure may be another one now.
      await client.invalidateQueries()
    },
  })
  if (!canMark) return null
  return (
    <section aria-label={text.label} className={styles.invalid}>
      <div>
        <Button size="small" isBusy={mark.isPending} onClick={() => mark.mutate()}>
          {isInvalid ? text.count : text.mark}
        </Button>
        {!isInvalid && <p className={styles.soft}>{text.hint}</p>}
      </div>
    </section>
  )
}
