// Which submissions nobody of the team has opened yet: the dot at them, and how they become read.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect } from 'react'
import { markAllRead, markSubmissionRead, type OwnForm, type Submission } from '../../api/forms.ts'
import { toast } from '../../parts/announce.tsx'
import type { Page } from '../../api.ts'
import { useProperty } from '../../session.tsx'
import { forms as text } from '../../texts/index.ts'
import styles from './forms.module.css'

/** A dot, or a count. @param label for readers. */
export function Unread({ label, children }: { label: string; children?: ReactNode }) {
  return (
    <>
      {' '}
      <span className={children === undefined ? styles.dot : styles.unreadCount} title={label} aria-hidden="true">
        {children}
      </span>
      <span className="visually-hidden">{label} </span>
    </>
  )
}

/** Marks one where it is shown already: a list of unread ones keeps its rows while they are read. */
function usePatch({ id: form }: Pick<OwnForm, 'id'>) {
  const property = useProperty()
  const client = useQueryClient()
  return async (id: string, is_read: boolean): Promise<void> => {
    const withMark = (row: Submission): Submission => (row.id === id ? { ...row, is_read } : row)
    client.setQueriesData<Page<Submission>>(
      { queryKey: ['submissions', property.id, form] },
      (page) => page && { ...page, data: page.data.map(withMark) },
    )
    client.setQueryData<{ submission: Submission }>(
      ['submission', property.id, form, id],
      (answer) => answer && { submission: withMark(answer.submission) },
    )
    await client.invalidateQueries({ queryKey: ['forms', property.id] })
  }
}

/** All of a form at once. */
export function useReadAll({ id }: Pick<OwnForm, 'id'>) {
  const property = useProperty()
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => markAllRead(property.id, id),
    onSuccess: async () => {
      toast(text.submissions.allRead)
      const kept = [
        ['submissions', property.id, id],
        ['forms', property.id],
      ]
      await Promise.all(kept.map((queryKey) => client.invalidateQueries({ queryKey })))
    },
  })
}

/** Opened is read. In the demo nothing is kept. @returns how it becomes unread again. */
export function useReading(form: Pick<OwnForm, 'id'>, submission: Submission | undefined): () => void {
  const property = useProperty()
  const patch = usePatch(form)
  const { mutate } = useMutation({
    mutationFn: ({ id, is_read }: Pick<Submission, 'id' | 'is_read'>) =>
      markSubmissionRead(property.id, form.id, id, is_read),
    onSuccess: ({ is_read }, { id }) => patch(id, is_read),
  })
  const id = submission?.id
  const isUnread = submission?.is_read === false && !property.isDemo
  useEffect(() => {
    if (isUnread && id !== undefined) mutate({ id, is_read: true })
  }, [isUnread, id, mutate])
  return () => {
    if (id !== undefined) mutate({ id, is_read: false })
  }
}
