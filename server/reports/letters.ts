// A report as a letter.
import { type Config, dashboardUrl } from '../config.ts'
import { type Block, button, heading, type Letter, text } from '../mail/mail.ts'
import type { Property } from '../properties/properties.ts'
import type { Report, ReportRow } from './report-model.ts'
import { counted } from './words.ts'

const periodNames = { weekly: 'week', monthly: 'month' } as const

function listOf(title: string, [name, count]: readonly [string, string], rows: readonly ReportRow[]): Block[] {
  if (rows.length === 0) return []
  return [
    heading(title),
    { kind: 'table', head: [name, count], rows: rows.map((row) => [row.label, counted(row.count)]) },
  ]
}

export function reportLetter(config: Config, property: Pick<Property, 'id' | 'name'>, report: Report): Letter {
  const { kind, days, sentence, metrics, sources, pages, goals } = report
  const period = kind === 'weekly' ? 'last_week' : 'last_month'
  return {
    subject: `${property.name}: your ${periodNames[kind]}, ${days}`,
    title: `${property.name}, ${days}`,
    blocks: [
      text(sentence),
      {
        kind: 'table',
        head: ['Metric', 'Total', 'Change'],
        rows: metrics.map(({ label, value, change }) => [label, value, change]),
      },
      ...listOf('Top sources', ['Source', 'Sessions'], sources),
      ...listOf('Top entry pages', ['Page', 'Sessions'], pages),
      ...listOf('Goals', ['Goal', 'Conversions'], goals),
      button('Open the dashboard', `${dashboardUrl(config)}/properties/${property.id}?period=${period}`),
    ],
    reason: `You get this email because somebody who runs ${property.name} entered your email address for its ${kind} report.`,
  }
}
