// The page “Live”.
import { plural } from './plural.ts'

export const text = {
  title: 'Live',
  subtitle: 'The last five minutes.',
  now: (count: number) =>
    plural(count, { one: 'session in the last five minutes', other: 'sessions in the last five minutes' }),
  graph: 'Sessions by half minute',
  ends: ['5 minutes ago', 'now'],
  follow: 'Follow',
  following: 'New visits appear by themselves.',
  paused: 'Paused: what is shown does not change.',
  pages: { title: 'Looking at', head: ['Page', 'Sessions'] },
  sources: { title: 'Came from', head: ['Source', 'Sessions'] },
  countries: { title: 'Are in', head: ['Country', 'Sessions'] },
  none: 'Not known of anybody here',
  filterBy: (label: string) => `Show only ${label}. With Alt: all but these.`,
  sessions: 'Who is here',
  latest: 'The latest twenty, by what they did last.',
  here: 'Now on',
  empty: {
    title: 'Nobody is here right now',
    hint: 'As soon as somebody opens a page of yours, they are shown here.',
    check: 'Check the tracking',
  },
  few: {
    title: 'Too few people to show',
    hint: 'A shared page shows who is here from three sessions on.',
    filteredHint: 'A shared page shows who is here from three sessions on. Take a filter away to see more.',
  },
  emptyThen: 'Nobody was here when the connection was lost',
  emptyFiltered: {
    title: 'Nobody here matches these filters',
    hint: 'Take a filter away to see everybody.',
    clear: 'Clear the filters',
  },
} as const
