// Reports by email.
import { get, post } from '../api.ts'
import type { ReportKind } from '../../server/reports/report-model.ts'
import type {
  PreviewJson as ReportPreview,
  ReportsChange,
  ReportsJson as Reports,
} from '../../server/reports/schema.ts'

export type { ReportKind, Reports }

const pathOf = (property: string, rest = ''): string =>
  `/manage/properties/${encodeURIComponent(property)}/reports${rest}`

export const readReports = (property: string, signal?: AbortSignal) => get<Reports>(pathOf(property), { signal })
export const changeReports = (property: string, asked: ReportsChange) => post<Reports>(pathOf(property), asked)
export const previewReport = (property: string, kind: ReportKind, signal?: AbortSignal) =>
  get<ReportPreview>(pathOf(property, `/${kind}/preview`), { signal })
export const sendReport = (property: string, kind: ReportKind) =>
  post<{ readonly to: string }>(pathOf(property, `/${kind}/send`))
