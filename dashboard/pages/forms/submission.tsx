// One submission: its answers, its spam score and why, where it came from, and the owner's verdict.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'wouter'
import {
  deleteSubmission,
  type Mark,
  markSubmission,
  type OwnForm,
  readSubmission,
  type Submission,
} from '../../api/forms.ts'
import { dateTime } from '../../format.ts'
import { toast } from '../../parts/announce.tsx'
import { aroundOf } from '../../parts/around.tsx'
import { ConfirmDialog, Drawer } from '../../parts/dialog.tsx'
import { Address } from '../../parts/address.tsx'
import { OutsideLink } from '../../parts/marks.tsx'
import { Facts } from '../../parts/panel.tsx'
import { Loaded, Skeleton, SkeletonLines } from '../../parts/states.tsx'
import { useCan, useProperty, usePropertyPath } from '../../session.tsx'
import { forms as text } from '../../texts/index.ts'
import styles from './forms.module.css'
import { useReading } from './reading.tsx'
import { SentFiles } from './sent-files.tsx'
import { SubmissionActions } from './submission-actions.tsx'
import { VerdictBadge } from './verdict.tsx'
import { deviceName, placeName, wordOf } from '../../service-words.ts'

interface DrawerProps {
  readonly form: OwnForm
  readonly id: string
  /** Those of the list that it was opened from, in its order. */
  readonly ids: readonly string[]
  readonly onStep: (id: string) => void
  readonly onClose: () => void
}

/** How it is kept while it is shown, and what follows from a change of it. */
function useSubmission({ form, id }: Pick<DrawerProps, 'form' | 'id'>) {
  const property = useProperty()
  const client = useQueryClient()
  const key = ['submission', property.id, form.id, id]
  const query = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => readSubmission(property.id, form.id, id, signal),
  })
  const refresh = (): Promise<unknown> =>
    Promise.all(
      [
        ['submissions', property.id, form.id],
        ['forms', property.id],
        ['form-statistics', property.id, form.id],
      ].map((queryKey) => client.invalidateQueries({ queryKey })),
    )
  const mark = useMutation({
    mutationFn: (word: Mark | null) => markSubmission(property.id, form.id, id, word),
    onSuccess: async (answer) => {
      client.setQueryData(key, answer)
      toast(saidOf(answer.submission.mark))
      await refresh()
    },
  })
  const drop = async (): Promise<void> => {
    await deleteSubmission(property.id, form.id, id)
    toast(text.submission.deleted)
    await refresh()
  }
  return { query, mark, drop }
}

const saidOf = (mark: Mark | null): string => {
  if (mark === null) return text.submission.unmarked
  return mark === 'spam' ? text.submission.markedSpam : text.submission.markedNotSpam
}

export function SubmissionDrawer({ form, id, ids, onStep, onClose }: DrawerProps) {
  const canEdit = useCan('admin')
  const { query, mark, drop } = useSubmission({ form, id })
  const [isAsking, setAsking] = useState(false)
  const submission = query.data?.submission
  const markUnread = useReading(form, submission)
  const actions = submission && canEdit && (
    <SubmissionActions
      form={form}
      submission={submission}
      isBusy={mark.isPending}
      onMark={(word) => mark.mutate(word)}
      onUnread={() => {
        onClose()
        markUnread()
      }}
      onDelete={() => setAsking(true)}
    />
  )
  return (
    <Drawer
      title={text.submission.title}
      subtitle={submission ? dateTime(submission.submitted_ts) : <Skeleton width="9rem" />}
      around={aroundOf(ids, id, onStep)}
      onClose={onClose}
      actions={actions || undefined}
    >
      <Loaded query={query} skeleton={<SkeletonLines lines={10} />}>
        {(answer) => <SubmissionView form={form} submission={answer.submission} />}
      </Loaded>
      {isAsking && (
        <ConfirmDialog
          title={text.submission.deleteTitle}
          action={text.submission.deleteAction}
          onConfirm={async () => {
            await drop()
            onClose()
          }}
          onClose={() => setAsking(false)}
        >
          {text.submission.deleteWords}
        </ConfirmDialog>
      )}
    </Drawer>
  )
}

function SubmissionView({ form, submission }: { form: OwnForm; submission: Submission }) {
  return (
    <div className={styles.sections}>
      <section>
        <h3 className="visually-hidden">{text.submission.answers}</h3>
        <dl className={styles.answers}>
          {submission.raw_fields.map(({ name, label, value }) => (
            <div key={name}>
              <dt>{label}</dt>
              <dd>
                <Answer value={value} />
              </dd>
            </div>
          ))}
        </dl>
      </section>
      <SentFiles form={form} submission={submission} />
      <Score submission={submission} />
      <Origin submission={submission} />
    </div>
  )
}

function Answer({ value }: { value: string | readonly string[] }) {
  const texts = [value].flat()
  if (texts.every((one) => one.trim() === '')) return <span className={styles.soft}>{text.submission.empty}</span>
  if (texts.length === 1 && /^https?:\/\/\S+$/i.test(texts[0] ?? '')) return <OutsideLink url={texts[0] ?? ''} />
  return <span className={styles.written}>{texts.join(', ')}</span>
}

const signed = (points: number): string => (points > 0 ? `+${points}` : String(points).replace('-', '−'))

function Score({ submission }: { submission: Submission }) {
  const { score, reasons } = submission
  return (
    <section>
      <h3 className={styles.scoreTitle}>
        {text.submission.score}
        <span>{text.submission.scoreOf(score)}</span>
        <VerdictBadge submission={submission} />
      </h3>
      <meter className={styles.meter} min={0} max={100} low={50} high={80} optimum={0} value={score}>
        {text.submission.scoreOf(score)}
      </meter>
      <p className={styles.small}>{text.submission.scoreHint}</p>
      {reasons.length === 0 ? (
        <p className={styles.small}>{text.submission.noReasons}</p>
      ) : (
        <table className={styles.reasons}>
          <thead className="visually-hidden">
            <tr>
              <th scope="col">{text.submission.points}</th>
              <th scope="col">{text.submission.reasons}</th>
            </tr>
          </thead>
          <tbody>
            {reasons.map(({ reason, points, sentence }) => (
              <tr key={reason}>
                <td className={points < 0 ? styles.good : styles.bad}>{signed(points)}</td>
                <td>{wordOf(text.submission.spamReasons, reason) ?? sentence ?? reason}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  )
}

const joined = (...parts: readonly (string | null)[]): string =>
  parts.filter(Boolean).join(', ') || text.submission.unknown

function Origin({ submission }: { submission: Submission }) {
  const path = usePropertyPath()
  const { session_id, contact_id, country_code, country, city, source, is_bot, bot_name, bot_reason } = submission
  return (
    <section>
      <h3>{text.submission.details}</h3>
      <Facts
        rows={[
          contact_id !== null && [
            text.submission.contact,
            <Link key="contact" href={path(`/contacts/${contact_id}`)}>
              {text.submission.toContact}
            </Link>,
          ],
          [text.submission.sent, dateTime(submission.submitted_ts)],
          [text.submission.page, source === null ? text.submission.unknown : <Address key="page" address={source} />],
          [text.submission.place, joined(city, country && placeName(country_code, country))],
          submission.network !== null && [text.submission.network, submission.network],
          [text.submission.ip, submission.ip ?? text.submission.noIp],
          [
            text.submission.device,
            joined(submission.browser, submission.os, submission.device && deviceName(submission.device)),
          ],
          submission.language !== null && [text.submission.language, submission.language],
          is_bot && [text.submission.bot, joined(bot_name, bot_reason)],
          session_id !== null && [
            text.submission.visit,
            <Link key="visit" href={path(`/sessions/${session_id}`)}>
              {text.submission.toVisit}
            </Link>,
          ],
        ]}
      />
    </section>
  )
}
