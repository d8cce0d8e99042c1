// Settings of a property: what its advertising cost.
import { plural } from './plural.ts'

const rows = (count: number) => plural(count, { one: 'row', other: 'rows' })

export const text = {
  title: 'Ad costs',
  subtitle: 'Import what you spend on advertising to see cost, cost per conversion and return by source and campaign.',
  file: 'CSV file',
  choose: 'Import a CSV file',
  other: 'Choose another file',
  columns: 'Supported columns',
  about: {
    key: 'when and where: day as 2026-01-31, and the UTM values of your ads',
    amount: 'what it cost, as 12.50, and in which currency',
  },
  rules:
    'A second import of a day replaces its rows with the same source, medium and campaign. An amount of 0 removes one. Other columns are ignored.',
  tooLarge: (size: string) => `The file is larger than ${size}. Import it in parts.`,
  notText: 'The file isn’t UTF-8. Save it as “CSV UTF-8”.',
  checking: (name: string) => `Checking ${name}…`,
  checked: (name: string) => `Preview of ${name}`,
  created: 'New rows',
  replaced: 'Replaced rows',
  removed: 'Removed rows',
  rows: 'Rows',
  bad: 'Rows with problems',
  ignored: (names: string) => `Ignored columns: ${names}.`,
  nothing: 'Nothing in this file would change anything.',
  faults: 'Rows with problems',
  faultsHint: 'Fix these rows and choose the file again. Nothing was imported.',
  where: 'Where',
  line: (line: string) => `Line ${line}`,
  column: 'Column',
  reason: 'Problem',
  moreFaults: (shown: string, count: number) =>
    `And ${shown} more ${plural(count, { one: 'problem', other: 'problems' })}.`,
  run: (shown: string, count: number) => `Import ${shown} ${rows(count)}`,
  done: (created: string, replaced: string, removed: string) =>
    `Imported: ${created} new, ${replaced} replaced, ${removed} removed.`,
  recorded: 'Imported costs',
  total: (shown: string, count: number) => `${shown} ${rows(count)}`,
  emptyTitle: 'No costs yet',
  empty: 'Reports show cost and return once you import some.',
  head: { day: 'Day', source: 'Source', medium: 'Medium', campaign: 'Campaign', amount: 'Amount' },
  remove: 'Remove days',
  removing: {
    title: 'Remove costs',
    words: 'All imported costs of these days are removed permanently.',
    from: 'First day',
    to: 'Last day',
    action: 'Remove',
    done: (shown: string, count: number) => `Removed ${shown} ${rows(count)}.`,
  },
}
