// Settings of a property: files, what is kept, erasing, and the sample data.
import { plural } from './plural.ts'

const days = (count: number) => `${count} ${plural(count, { one: 'day', other: 'days' })}`

const exports_ = {
  title: 'Exports',
  subtitle: 'Download your data. Files are created in the background and expire after a day.',
  caption: 'Exports of this property',
  add: 'New export',
  make: 'Export',
  what: 'What to export',
  groups: { csv: 'Lists (CSV)', facts: 'Raw facts (Parquet)', records: 'Everything else (JSON)' },
  kinds: {
    sessions: 'Sessions',
    events: 'Events',
    clicks: 'Link clicks',
    contacts: 'Contacts',
    links: 'Links',
    submissions: 'Form submissions',
    deliveries: 'Webhook deliveries',
    facts: 'Raw facts',
    records: 'Records',
  },
  tables: {
    views: 'Page views',
    events: 'Events',
    sessions: 'Sessions',
    clicks: 'Clicks',
    form_events: 'Form events',
    impressions: 'Experiment views',
    vitals: 'Web Vitals',
    lib_errors: 'Script errors',
  },
  recordsHint: 'Contacts, links, forms, automations, experiments and settings in one file.',
  form: 'Form',
  noForm: 'This property has no forms.',
  window: 'Date range',
  allDays: 'All dates',
  from: 'From',
  to: 'To',
  zone: 'Whole days, in the time zone of the property.',
  utc: 'Whole days, in UTC.',
  begun: 'Export started.',
  file: 'File',
  state: 'Status',
  size: 'Size',
  made: 'Created',
  running: (percent: string) => `Creating: ${percent}`,
  progress: (file: string) => `Progress of ${file}`,
  done: 'Ready',
  failed: 'Failed',
  /** By the code of the service's fault; what stands here for none is the service's own sentence. */
  faults: {
    too_large: 'Too much data for one file. Choose a shorter date range.',
    too_many: 'No room for another export. Delete some, or wait until they expire.',
    no_room: 'The server’s disk is full. Free up space and export again.',
    unavailable: 'The database didn’t respond. Try again later.',
  },
  until: (when: string) => `expires ${when}`,
  download: 'Download',
  remove: 'Delete',
  stop: 'Stop',
  removeTitle: (file: string) => `Delete ${file}?`,
  removeWords: 'Only the file is deleted. Your data stays.',
  removed: 'Export deleted.',
  emptyTitle: 'No exports yet',
  empty: 'Your data is yours. Export it at any time.',
}

const kept = {
  title: 'Data retention',
  subtitle: 'Applies to the whole installation unless stated otherwise.',
  what: 'Data',
  long: 'Kept for',
  facts: 'Page views, sessions, events, clicks',
  forGood: 'Forever',
  days,
  submissions: 'Form submissions',
  submissionsLong: 'Set in each form’s settings',
  deliveries: 'Webhook deliveries',
  signIns: 'Sign-ins to this dashboard, with IP address',
  ips: 'Visitor IP addresses',
  ipsLong: 'Not stored. Only location, network and a hash whose key is deleted after two days',
  senderIps: 'IP addresses in form submissions',
  senderIpsLong: 'Not stored unless turned on in a form’s settings. A keyed hash is kept for one day to detect spam.',
}

const erase = {
  title: 'Erase a person',
  subtitle: 'For deletion requests. Their visits stay, anonymized.',
  label: 'Email or contact ID',
  find: 'Find',
  none: 'No contact with this email or ID.',
  noneHint: 'Delete submissions that didn’t create a contact in the form itself.',
  found: 'Found',
  caption: 'People found',
  person: 'Person',
  sessions: 'Sessions',
  seen: 'Last seen',
  erased: 'Already erased',
  erase: 'Erase',
  confirmTitle: 'Erase this person?',
  words:
    'This permanently deletes their contact details and form submissions, here and in exports that haven’t been downloaded yet.',
  receiptTitle: 'Erased',
  receipt: (fields: number, entries: number, submissions: number) =>
    [
      `${fields} ${plural(fields, { one: 'field', other: 'fields' })}`,
      `${entries} ${plural(entries, { one: 'custom field', other: 'custom fields' })}`,
      `${submissions} ${plural(submissions, { one: 'submission', other: 'submissions' })}`,
    ].join(', '),
  when: 'When',
  who: 'Contact',
  gone: 'Deleted',
  stays: 'Kept',
  linked: (sessions: number) =>
    sessions === 0
      ? 'The ID only.'
      : `The ID and ${sessions} anonymous ${plural(sessions, { one: 'session', other: 'sessions' })}.`,
  noName: 'No name',
}

const deletion = {
  title: 'Delete this property',
  subtitle: 'Deletes its contacts, links, forms, automations and experiments. Short links and forms stop working.',
  ownerOnly: 'Only owners of the property can delete it.',
  button: 'Delete property',
  confirm: (name: string) => `Delete “${name}”?`,
  words:
    'This permanently deletes everything in it. Access ends right away; files are removed from disk one week at a time. Export anything you want to keep first.',
  deleted: (name: string) => `${name} was deleted.`,
}

/** What goes: as it is shown, and how many. */
type Figure = readonly [shown: string, count: number]

const figureOf = ([shown, count]: Figure, one: string, other: string): string =>
  `${shown} ${plural(count, { one, other })}`

interface GoingFigures {
  readonly sessions: Figure
  readonly views: Figure
  readonly events: Figure
  readonly clicks: Figure
  readonly days: string
}

const stored = {
  counting: 'Counting stored data…',
  unknown: 'Couldn’t count the stored data right now.',
  none: 'No visits stored.',
  goes: ({ sessions, views, events, clicks, days: when }: GoingFigures) => {
    const figures = [
      figureOf(sessions, 'session', 'sessions'),
      figureOf(views, 'page view', 'page views'),
      figureOf(events, 'event', 'events'),
      figureOf(clicks, 'click', 'clicks'),
    ]
    return `This deletes ${figures.join(', ')}, bots included (${when}).`
  },
}

const retention = {
  title: 'Visit retention',
  subtitle: 'Sessions, page views, events, clicks and experiment views. Contacts and submissions are not affected.',
  days: 'Delete after (days)',
  hint: 'Deleted in the background, one week at a time. Leave empty to use the installation’s setting.',
  reset: {
    title: 'Start over',
    subtitle: 'Deletes all visits. Settings, contacts, links, forms, submissions and experiments are kept.',
    button: 'Delete all visits',
    confirm: (name: string) => `Delete all visits of ${name}?`,
    words:
      'Visits are deleted in the background, newest week first. New visits are counted as usual. This can’t be undone.',
    begun: 'Deleting visits…',
  },
}

const sample = {
  title: 'Sample data',
  subtitle: 'Explore Footfall with a year of sample visits.',
  label: 'Show sample data',
  hint: 'Takes about 20 seconds. It’s a separate property and doesn’t affect your data.',
  making: (percent: string) => `Creating: ${percent}. You can already open it.`,
  progress: 'Progress of the sample data',
  look: 'Open sample',
  complete: 'Finish creating',
  broken: 'Sample data is incomplete.',
  made: 'Sample data is ready.',
  removeTitle: 'Remove the sample data?',
  removeWords: 'This deletes the sample property. You can create it again at any time.',
  remove: 'Remove sample data',
  removed: 'Sample data removed.',
}

export const text = { exports: exports_, kept, erase, deletion, stored, retention, sample } as const
