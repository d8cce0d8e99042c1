// The endpoints of reports (/manage/properties/:property/reports).
import { role } from '../http/access.ts'
import { chapter, get, post } from '../http/endpoint.ts'
import { Problem } from '../kernel/problem.ts'
import { type ReportKind, reportKinds } from './report-model.ts'
import { changeReports, previewReport, readReports, sendReportTo } from './reports.ts'
import * as schema from './schema.ts'

function readKind(text: string): ReportKind {
  const kind = reportKinds.find((one) => one === text)
  if (!kind) throw new Problem('not_found', 'There is no such report.')
  return kind
}

export const reportEndpoints = chapter('Management', [
  get(
    '/manage/properties/:property/reports',
    role('admin'),
    { summary: 'Get the recipients of weekly and monthly reports', answer: schema.reportsFields },
    async ({ context, property }) => readReports(context, property),
  ),
  post(
    '/manage/properties/:property/reports',
    role('admin'),
    {
      summary: 'Update the recipients of reports',
      body: schema.ReportsBody,
      answer: schema.reportsFields,
      says: 'What is left out stays.',
    },
    async ({ context, property, body }) => changeReports(context, property, body),
  ),
  get(
    '/manage/properties/:property/reports/:report/preview',
    role('admin'),
    { summary: 'Preview the report of the last week or month', answer: schema.previewFields },
    async ({ context, property, params }) => previewReport(context, property, readKind(params.report)),
  ),
  post(
    '/manage/properties/:property/reports/:report/send',
    role('admin'),
    {
      summary: 'Send yourself the report of the last week or month, at most once a minute',
      answer: schema.sentFields,
    },
    async ({ context, property, caller, params }) => {
      const kind = readKind(params.report)
      if (caller.kind !== 'user') throw new Problem('validation_failed', 'A report is sent to a person: sign in.')
      await sendReportTo(context, property, kind, caller.user.email)
      return { to: caller.user.email }
    },
  ),
])
