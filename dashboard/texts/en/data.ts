// Settings of a property: files, what is kept, erasing, and the sample data.
import { plural } from './plural.ts'

const days = (count: number) => `${count} ${plural(count, { one: 'day', other: 'days' })}`

const exports_ = {
  title: 'Exports',
  subtitle: 'Everything that is here, as files. Made in the background, kept for a day.',
  caption: 'Exports of this property',
  add: 'New export',
  make: 'Make the file',
  what: 'What',
  groups: { csv: 'Lists (CSV)', facts: 'Raw facts (Parquet)', records: 'Everything else (JSON)' },
  kinds: {
    sessions: 'Sessions',
    events: 'Events',
    clicks: 'Clicks on links',
    contacts: 'Contacts',
    links: 'Links',
    submissions: 'Submissions of a form',
    deliveries: 'Deliveries of webhooks',
    facts: 'Raw facts',
    records: 'Records',
  },
  tables: {
    views: 'Page views',
    events: 'Events',
    sessions: 'Sessions',
    clicks: 'Clicks',
    form_events: 'Form events',
    impressions: 'Content seen',
    vitals: 'Web Vitals',
    lib_errors: 'Errors of the script',
  },
  recordsHint: 'Contacts, links, forms, automations, content and settings, in one file.',
  form: 'Form',
  noForm: 'This property has no form.',
  window: 'Which days',
  allDays: 'All there are',
  from: 'From',
  to: 'To',
  utc: 'Whole days, in UTC.',
  begun: 'The file is being made.',
  file: 'File',
  state: 'State',
  size: 'Size',
  made: 'Made',
  running: (percent: string) => `Being made: ${percent}`,
  progress: (file: string) => `How far ${file} is`,
  done: 'Ready',
  failed: 'Failed',
  /** By the code of the service's fault; what stands here for none is the service's own sentence. */
  faults: {
    too_large: 'There is more than fits into one file. Choose fewer days.',
    too_many: 'The files that are kept here leave no room for this one. Delete some, or wait until they expire.',
    no_room: 'The disk of the service is full. Whoever runs it can make room; then make the file again.',
    unavailable: 'A store did not answer. Make the file again in a while.',
  },
  until: (when: string) => `kept until ${when}`,
  download: 'Download',
  remove: 'Delete',
  stop: 'Stop',
  removeTitle: (file: string) => `Delete ${file}?`,
  removeWords: 'The file goes. What it was made from stays.',
  removed: 'The file is deleted.',
  emptyTitle: 'No file is waiting',
  empty: 'Make one to take your data elsewhere: it is yours.',
}

const kept = {
  title: 'What is kept, and for how long',
  subtitle: 'Set for the whole installation, where nothing else is said.',
  what: 'What',
  long: 'For how long',
  facts: 'Page views, sessions, events, clicks',
  forGood: 'For good',
  days,
  submissions: 'Submissions of forms',
  submissionsLong: 'As each form says in its settings',
  deliveries: 'Deliveries of webhooks',
  signIns: 'Sign-ins of people with an account, with their IP address',
  ips: 'IP addresses of visitors',
  ipsLong: 'Not stored: only place and network, and a hash whose key is deleted after two days',
  senderIps: 'IP addresses of those who send forms',
  senderIpsLong:
    'Not stored, unless a form is set to: then as its settings say. For the spam score a keyed hash is stored for one day.',
}

const erase = {
  title: 'Erase a person',
  subtitle: 'For whoever asks to be forgotten. Their sessions stay, and lead to nobody.',
  label: 'E-mail or contact id',
  find: 'Find',
  none: 'Nobody here has this e-mail or id.',
  noneHint: 'What was sent through forms without becoming a contact is deleted in the form’s submissions.',
  found: 'Found',
  caption: 'People found',
  person: 'Person',
  sessions: 'Sessions',
  seen: 'Last seen',
  erased: 'Erased already',
  erase: 'Erase',
  confirmTitle: 'Erase this person?',
  words:
    'Name, address, everything known of them and what they sent through forms is gone at once, here and in files that wait to be fetched. This cannot be undone.',
  receiptTitle: 'Erased',
  receipt: (fields: number, entries: number, submissions: number) =>
    [
      `${fields} ${plural(fields, { one: 'field', other: 'fields' })}`,
      `${entries} ${plural(entries, { one: 'own entry', other: 'own entries' })}`,
      `${submissions} ${plural(submissions, { one: 'submission', other: 'submissions' })}`,
    ].join(', '),
  when: 'When',
  who: 'Contact',
  gone: 'Gone',
  stays: 'Stays',
  linked: (sessions: number) =>
    sessions === 0
      ? 'The id alone.'
      : `The id, and ${sessions} ${plural(sessions, { one: 'session', other: 'sessions' })} that nobody can be told from.`,
  noName: 'Without a name',
}

const deletion = {
  title: 'Delete this property',
  subtitle: 'With its contacts, links, forms, automations and content. Its short links and forms stop working.',
  ownerOnly: 'Only owners of the property may delete it.',
  button: 'Delete the property',
  confirm: (name: string) => `Delete “${name}”?`,
  words:
    'Everything that belongs to it is gone for good: at once for everybody, and from the disk a week at a time. Export first what you want to keep.',
  deleted: (name: string) => `“${name}” is deleted.`,
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
  counting: 'Counting what is stored…',
  unknown: 'How much is stored cannot be counted right now.',
  none: 'No visits are stored.',
  goes: ({ sessions, views, events, clicks, days: when }: GoingFigures) => {
    const figures = [
      figureOf(sessions, 'session', 'sessions'),
      figureOf(views, 'page view', 'page views'),
      figureOf(events, 'event', 'events'),
      figureOf(clicks, 'click', 'clicks'),
    ]
    return `What goes: ${figures.join(', ')}, bots included (${when}).`
  },
}

const retention = {
  title: 'How long visits are kept',
  subtitle:
    'Sessions, page views, events, clicks and what was seen of content. Contacts and submissions are not visits.',
  days: 'Remove after so many days',
  hint: 'By whole weeks, in the background. Left empty, the setting of the installation holds.',
  reset: {
    title: 'Begin anew',
    subtitle: 'Removes all visits and keeps the settings, contacts, links, forms, submissions and content.',
    button: 'Remove all visits',
    confirm: (name: string) => `Remove all visits of “${name}”?`,
    words:
      'They are removed in the background, the newest week first. What comes from now on counts. This cannot be undone.',
    begun: 'The visits are being removed.',
  },
}

const sample = {
  title: 'Sample data',
  subtitle: 'A property with a year of made-up visits, to look around before your own arrive.',
  label: 'Show sample data',
  hint: 'Takes a minute or two. It is marked as what it is, and touches nothing of yours.',
  making: (percent: string) => `Being made: ${percent}. You can look at it already.`,
  progress: 'How far the sample data is',
  look: 'Look at it',
  complete: 'Complete it',
  broken: 'It was broken off before its end.',
  made: 'The sample data is ready.',
  removeTitle: 'Remove the sample data?',
  removeWords: 'The property with it goes. You can make it again at any time.',
  remove: 'Remove it',
  removed: 'The sample data is gone.',
}

export const text = { exports: exports_, kept, erase, deletion, stored, retention, sample } as const
