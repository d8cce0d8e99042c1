// The page “Bots”: what is not people.
import { plural } from './plural.ts'

export const text = {
  title: 'Bots',
  back: 'Settings',
  subtitle: 'Bots are counted separately and left out of every other report.',
  tabs: { label: 'What to show', bots: 'Bots', errors: 'Library errors' },
  sessions: (count: number) => plural(count, { one: 'session of a bot', other: 'sessions of bots' }),
  views: (shown: string, count: number) => `${shown} ${plural(count, { one: 'page view', other: 'page views' })}`,
  graph: 'Sessions of bots',
  who: 'Who came',
  whoHint: 'Identified by name or behaviour.',
  columns: { name: 'Name', kind: 'Known by', sessions: 'Sessions', views: 'Views', last: 'Last seen' },
  nameless: 'No name',
  kinds: {
    agent: { name: 'Its name', hint: 'It says what it is.' },
    empty_agent: { name: 'No user agent', hint: 'It says nothing about itself.' },
    headless: { name: 'Automation', hint: 'A browser driven by software.' },
    network: { name: 'Data centre', hint: 'A browser in a server farm.' },
  },
  pages: { title: 'What they looked at', head: ['Page', 'Views', 'Share'] },
  networks: { title: 'Networks', head: ['Network', 'Sessions', 'Share'], none: 'No network is known.' },
  noPages: 'No page was looked at.',
  empty: {
    title: 'No bots in this period',
    hint: 'Crawlers, monitors and scripts are listed here when they come.',
  },
  emptyFiltered: { hint: 'Remove a filter to see more.', clear: 'Clear the filters' },
  errors: {
    intro:
      'What signals.js and form.js report when something goes wrong in a visitor’s browser. Most of it is nothing you can fix: old browsers, blockers and broken connections report too.',
    caption: 'Errors of the browser libraries by day',
    columns: { message: 'Message', library: 'Library', browsers: 'Browsers', count: 'Reports' },
    reports: (shown: string, count: number) => `${shown} ${plural(count, { one: 'report', other: 'reports' })}`,
    ofBots: (shown: string) => `and ${shown} of bots`,
    onlyBots: 'Only bots reported something on this day.',
    empty: {
      title: 'No errors in this period',
      hint: 'The libraries have worked everywhere, as far as they could tell.',
    },
  },
} as const
