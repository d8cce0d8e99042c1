// The page “Bots”: what is not people.
import { plural } from './plural.ts'

export const text = {
  title: 'Bots',
  back: 'Settings',
  subtitle: 'Bots are counted here and excluded from all other reports.',
  tabs: { label: 'What to show', bots: 'Bots', errors: 'Library errors' },
  sessions: (count: number) => plural(count, { one: 'bot session', other: 'bot sessions' }),
  views: (shown: string, count: number) => `${shown} ${plural(count, { one: 'page view', other: 'page views' })}`,
  graph: 'Bot sessions',
  who: 'Bots',
  whoHint: 'Identified by name or behavior.',
  columns: { name: 'Name', kind: 'Known by', sessions: 'Sessions', views: 'Views', last: 'Last seen' },
  nameless: 'No name',
  kinds: {
    agent: { name: 'User agent', hint: 'It identifies itself.' },
    empty_agent: { name: 'No user agent', hint: 'It sends no user agent.' },
    headless: { name: 'Automation', hint: 'A browser driven by software.' },
    network: { name: 'Data center', hint: 'A browser running in a data center.' },
  },
  pages: { title: 'Pages', head: ['Page', 'Views', 'Share'] },
  networks: { title: 'Networks', head: ['Network', 'Sessions', 'Share'], none: 'No networks known.' },
  noPages: 'No pages viewed.',
  empty: {
    title: 'No bots in this period',
    hint: 'Crawlers, monitors and scripts appear here.',
  },
  emptyFiltered: { hint: 'Remove a filter to see more.', clear: 'Clear filters' },
  errors: {
    intro:
      'Errors reported by signals.js and form.js in visitors’ browsers. Most come from old browsers, ad blockers and lost connections.',
    caption: 'Library errors by day',
    columns: { message: 'Message', library: 'Library', browsers: 'Browsers', count: 'Reports' },
    reports: (shown: string, count: number) => `${shown} ${plural(count, { one: 'report', other: 'reports' })}`,
    ofBots: (shown: string) => `and ${shown} from bots`,
    onlyBots: 'Only bots reported errors on this day.',
    empty: {
      title: 'No errors in this period',
      hint: 'No browser has reported a problem.',
    },
  },
} as const
