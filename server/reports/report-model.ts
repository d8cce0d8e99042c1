// Reports: what a property's week or month was, for people who do not open the dashboard for it.

export const reportKinds = ['weekly', 'monthly'] as const
export type ReportKind = (typeof reportKinds)[number]

/** A metric as readers see it. */
export interface ReportMetric {
  readonly label: string
  readonly value: string
  /** Beside the period before; '' where there was nothing to compare with. */
  readonly change: string
}

export interface ReportRow {
  readonly label: string
  readonly count: number
}

export interface Report {
  readonly kind: ReportKind
  /** The days that it is about, in words. */
  readonly days: string
  /** One sentence on what mattered. */
  readonly sentence: string
  readonly metrics: readonly ReportMetric[]
  readonly sources: readonly ReportRow[]
  readonly pages: readonly ReportRow[]
  readonly goals: readonly ReportRow[]
  /** Sessions of the period and of the one before together: without any there is nothing to report. */
  readonly isEmpty: boolean
}
