// The page “Bulk create” of links.
import { plural } from './plural.ts'

export const text = {
  title: 'Bulk create',
  subtitle: 'Paste destinations, one per line, or choose a CSV file. You see the result before anything is created.',
  from: 'Import from',
  own: 'List of URLs or CSV',
  services: {
    bitly: 'Bitly',
    dub: 'Dub',
    shlink: 'Shlink',
    yourls: 'YOURLS',
    kutt: 'Kutt',
    rebrandly: 'Rebrandly',
  },
  fromHint: {
    bitly: 'The CSV export, or JSON from the Bitly API. Back-halves are kept.',
    dub: 'The CSV export, or JSON from the Dub API. Keys are kept.',
    shlink: 'The CSV export of the web client, or JSON from the API. Short codes are kept.',
    yourls: 'A CSV of the URL table, or JSON from the stats API. Keywords are kept.',
    kutt: 'JSON from the Kutt API. Short URLs are kept.',
    rebrandly: 'The CSV export, or JSON from the API. Slashtags are kept.',
  },
  foreignHint: 'Paste the export, or choose its file. Back-halves, titles, tags, dates and limits are kept.',
  group: 'Group',
  groupHint: 'For rows without a group.',
  createGroups: 'Create missing groups',
  domainHint: 'For rows without a domain.',
  rows: 'Destinations or CSV',
  rowsHint:
    'One URL per line, or CSV with a header: destination_url, and optionally code, name, group, domain and utm_source to utm_content.',
  choose: 'Choose file',
  file: 'CSV file',
  chosen: (name: string, shown: string, count: number) =>
    `${name}: ${shown} ${plural(count, { one: 'row', other: 'rows' })}`,
  forget: 'Remove file',
  check: 'Check',
  nothing: 'Enter at least one destination.',
  tooLarge: (size: string) =>
    `The file is larger than ${size}. The command “footfall links create” accepts larger ones.`,
  notText: 'The file is not UTF-8. Save it as “CSV UTF-8”.',
  would: (shown: string, count: number) =>
    `${shown} ${plural(count, { one: 'link', other: 'links' })} ready. Nothing has been created yet.`,
  create: (shown: string, count: number) => `Create ${shown} ${plural(count, { one: 'link', other: 'links' })}`,
  change: 'Back',
  bad: (shown: string, count: number) =>
    `${shown} ${plural(count, { one: 'row has', other: 'rows have' })} problems, so nothing will be created.`,
  ignored: (columns: string) => `Ignored columns, as Footfall sets them: ${columns}.`,
  faults: 'Rows with problems',
  line: 'Line',
  column: 'Column',
  reason: 'Problem',
  moreFaults: (shown: string) => `And ${shown} more.`,
  working: { checking: 'Checking every row…', writing: 'Creating the links…' },
  withoutPassword: (shown: string, count: number) =>
    `${shown} ${plural(count, { one: 'link had a password, which no file contains. It stays', other: 'links had a password, which no file contains. They stay' })} turned off until you set one.`,
  done: (shown: string, count: number) => `${shown} ${plural(count, { one: 'link', other: 'links' })} created`,
  doneHint: 'Download them with their short URLs, or go to the list.',
  toList: 'Go to links',
  save: 'Download with short URLs',
  again: 'Create more',
} as const
