// The page “Live”.
import { plural } from './plural.ts'

export const text = {
  title: 'Live',
  subtitle: 'Visitors in the last five minutes.',
  now: (count: number) =>
    plural(count, { one: 'session in the last five minutes', other: 'sessions in the last five minutes' }),
  graph: 'Sessions per 30 seconds',
  ends: ['5 minutes ago', 'now'],
  follow: 'Follow',
  following: 'Updates automatically.',
  paused: 'Paused.',
  pages: { title: 'Pages', head: ['Page', 'Sessions'] },
  sources: { title: 'Sources', head: ['Source', 'Sessions'] },
  countries: { title: 'Countries', head: ['Country', 'Sessions'] },
  none: 'No data',
  filterBy: (label: string) => `${label} · click to filter, Alt-click to exclude`,
  sessions: 'Visitors now',
  latest: 'The 20 most recently active.',
  here: 'Now on',
  empty: {
    title: 'No visitors right now',
    hint: 'Visitors appear here as soon as they open a page.',
    check: 'Check tracking',
  },
  few: {
    title: 'Too few visitors to show',
    hint: 'To protect privacy, a shared dashboard needs at least three sessions.',
    filteredHint: 'To protect privacy, a shared dashboard needs at least three sessions. Remove a filter to see more.',
  },
  emptyThen: 'No visitors when the connection was lost',
  emptyFiltered: {
    title: 'No visitors match these filters',
    hint: 'Remove a filter to see everyone.',
    clear: 'Clear filters',
  },
} as const
