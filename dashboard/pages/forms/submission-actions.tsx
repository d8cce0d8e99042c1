// What an owner does with a submission: answer it, first of all; the rest is in a menu.
import { Ellipsis, Reply, Trash2 } from 'lucide-react'
import type { Mark, OwnForm, Submission } from '../../api/forms.ts'
import { Button } from '../../parts/button.tsx'
import buttons from '../../parts/button.module.css'
import { cx } from '../../parts/cx.ts'
import { Menu, type MenuItem } from '../../parts/popover.tsx'
import { forms as text } from '../../texts/index.ts'
import { mailtoOf, replyTo } from './reply.ts'

const words = text.submission

export interface SubmissionActionsProps {
  readonly form: Pick<OwnForm, 'name'>
  readonly submission: Submission
  readonly isBusy: boolean
  readonly onMark: (mark: Mark | null) => void
  readonly onUnread: () => void
  readonly onDelete: () => void
}

export function SubmissionActions({ form, submission, isBusy, onMark, onUnread, onDelete }: SubmissionActionsProps) {
  const { is_spam, mark } = submission
  const to = replyTo(submission)
  const items: readonly MenuItem[] = [
    ...(is_spam ? [] : [{ label: words.markUnread, onSelect: onUnread }]),
    ...(is_spam ? [] : [{ label: words.isSpam, onSelect: () => onMark('spam') }]),
    ...(mark === null ? [] : [{ label: words.unmark, onSelect: () => onMark(null) }]),
    { label: words.delete, icon: <Trash2 />, isDanger: true, startsGroup: true, onSelect: onDelete },
  ]
  return (
    <>
      <Menu button={<Ellipsis aria-hidden="true" />} label={words.more} align="end" items={items} />
      {is_spam && (
        <Button look={to === undefined ? 'primary' : 'plain'} isBusy={isBusy} onClick={() => onMark('not_spam')}>
          {words.notSpam}
        </Button>
      )}
      {to !== undefined && (
        <a
          className={cx(buttons.button, buttons.primary)}
          href={mailtoOf(to, words.replySubject(form.name))}
          title={to}
        >
          <Reply aria-hidden="true" />
          <span className={buttons.words}>{words.reply}</span>
        </a>
      )}
    </>
  )
}
