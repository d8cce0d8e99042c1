// Who gets the weekly and the monthly report, what it looks like, and one to oneself.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Eye, Send } from 'lucide-react'
import { useState } from 'react'
import {
  changeReports,
  previewReport,
  readReports,
  type ReportKind,
  type Reports,
  sendReport,
} from '../../api/reports.ts'
import { spokenByLine } from '../../field-errors.ts'
import { dateTime } from '../../format.ts'
import { toast } from '../../parts/announce.tsx'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { useForm } from '../../parts/form.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Preview } from '../../parts/preview.tsx'
import { MissingMail, recipientLines, Recipients, recipientsIn } from '../../parts/recipients.tsx'
import { SaveForm } from '../../parts/save-form.tsx'
import { Loaded, SkeletonLines } from '../../parts/states.tsx'
import { useProperty } from '../../session.tsx'
import { reports as text } from '../../texts/index.ts'
import { AlertsPanel } from './alerts.tsx'

const reportsKey = (property: string) => ['reports', property] as const

export default function ReportsSection() {
  const { id } = useProperty()
  const query = useQuery({ queryKey: reportsKey(id), queryFn: ({ signal }) => readReports(id, signal) })
  return (
    <>
      {(['weekly', 'monthly'] as const).map((kind) => (
        <Panel key={kind} title={text.titles[kind]} subtitle={text.subtitles[kind]}>
          <Loaded query={query} skeleton={<SkeletonLines />}>
            {(reports) => <ReportForm kind={kind} reports={reports} />}
          </Loaded>
        </Panel>
      ))}
      <AlertsPanel />
    </>
  )
}

interface ReportProps {
  readonly kind: ReportKind
  readonly reports: Reports
}

function ReportForm({ kind, reports }: ReportProps) {
  const { id } = useProperty()
  const client = useQueryClient()
  const [isShown, setShown] = useState(false)
  const { recipients, next_ts } = reports[kind]
  const linesOf = (stored: Reports) => ({ lines: recipientLines(stored[kind].recipients) })
  const state = useForm(linesOf(reports), async ({ lines }, { settle }) => {
    const emails = recipientsIn(lines)
    const saved = await changeReports(id, { [kind]: emails }).catch((error: unknown) => {
      throw spokenByLine(error, { [kind]: emails })
    })
    client.setQueryData(reportsKey(id), saved)
    settle(linesOf(saved))
    toast(text.saved)
  })
  const send = useMutation({
    mutationFn: () => sendReport(id, kind),
    onSuccess: ({ to }) => toast(text.sent(to)),
  })
  return (
    <>
      <MissingMail missing={reports.missing} words={text.who} />
      <SaveForm
        form={state}
        label={text.save}
        isPrimary
        more={
          <>
            <Button icon={<Eye aria-hidden="true" />} onClick={() => setShown(true)}>
              {text.preview}
            </Button>
            {reports.missing.length === 0 && (
              <Button
                look="quiet"
                icon={<Send aria-hidden="true" />}
                isBusy={send.isPending}
                onClick={() => send.mutate()}
              >
                {text.send}
              </Button>
            )}
          </>
        }
      >
        <Recipients
          label={text.recipients}
          hint={text.recipientsHint(dateTime(next_ts))}
          recipients={recipients}
          words={text.who}
          {...state.field('lines', kind)}
        />
      </SaveForm>
      {isShown && <ReportPreview kind={kind} onClose={() => setShown(false)} />}
    </>
  )
}

function ReportPreview({ kind, onClose }: { kind: ReportKind; onClose: () => void }) {
  const { id } = useProperty()
  const preview = useQuery({
    queryKey: [...reportsKey(id), kind, 'preview'],
    queryFn: ({ signal }) => previewReport(id, kind, signal),
    staleTime: 0,
  })
  return (
    <Dialog title={text.titles[kind]} onClose={onClose}>
      <Loaded query={preview} skeleton={<SkeletonLines lines={8} />}>
        {({ subject, html }) => <Preview html={html} title={subject} />}
      </Loaded>
    </Dialog>
  )
}
