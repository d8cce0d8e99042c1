// The section “Reports” of the settings.
import { recipients } from './recipients.ts'

export const text = {
  titles: { weekly: 'Weekly report', monthly: 'Monthly report' },
  subtitles: {
    weekly: 'Last week’s metrics, sources, pages and goals, by email.',
    monthly: 'Last month’s metrics, sources, pages and goals, by email.',
  },
  who: recipients,
  recipients: 'Recipients',
  recipientsHint: (next: string) =>
    `One email address per line, with or without an account. Each email has a link to unsubscribe. Next report: ${next}.`,
  save: 'Save',
  saved: 'Saved',
  preview: 'Preview',
  send: 'Send me one now',
  sent: (to: string) => `The report is on its way to ${to}.`,
  alerts: {
    title: 'Alerts',
    subtitle: 'An email when something unusual happens, at most twice a day.',
    sessions: 'Sessions are far above or below usual',
    conversions: 'Conversions are far above or below usual',
    usual: 'Each hour is compared with the same hour and weekday in the last eight weeks.',
    live: 'More visitors right now than',
    liveHint: 'Leave empty for no alert.',
    recipientsHint: 'One email address per line, with or without an account. Each email has a link to unsubscribe.',
  },
} as const
