// The page “Speed”: Web Vitals.
import { plural } from './plural.ts'

export const text = {
  title: 'Speed',
  back: 'Settings',
  subtitle: 'Core Web Vitals, as measured in your visitors’ browsers.',
  vitals: {
    lcp: {
      name: 'Largest Contentful Paint',
      short: 'LCP',
      hint: 'When the main content had appeared.',
      good: '2.5 s',
    },
    inp: {
      name: 'Interaction to Next Paint',
      short: 'INP',
      hint: 'How soon the page responded to clicks and keys.',
      good: '200 ms',
    },
    cls: { name: 'Cumulative Layout Shift', short: 'CLS', hint: 'How much the content jumped around.', good: '0.1' },
    fcp: { name: 'First Contentful Paint', short: 'FCP', hint: 'When the first content appeared.', good: '1.8 s' },
    ttfb: {
      name: 'Time to First Byte',
      short: 'TTFB',
      hint: 'How quickly your server responded.',
      good: '800 ms',
    },
  },
  ratings: { good: 'Good', needs_improvement: 'Needs improvement', poor: 'Poor' },
  goodUpTo: (limit: string) => `Good: up to ${limit}.`,
  shares: (good: string, middle: string, poor: string) => `${good} good, ${middle} need improvement, ${poor} poor`,
  measured: (shown: string, count: number) => `${shown} ${plural(count, { one: 'page view', other: 'page views' })}`,
  milliseconds: (shown: string) => `${shown} ms`,
  seconds: (shown: string) => `${shown} s`,
  none: 'Not measured',
  all: 'All visitors',
  allHint: 'The 75th percentile: three out of four page views were at least this fast.',
  devices: { title: 'Devices', device: 'Device' },
  pages: { title: 'Pages', hint: 'The 100 pages with the most page views.', page: 'Page' },
  loads: 'Page views',
  empty: {
    title: 'No measurements in this period',
    hint: 'Add data-vitals to the tracking code. Measurements are sent when visitors leave a page.',
    action: 'Get the script',
  },
  emptyFiltered: { hint: 'Remove a filter to see more.', clear: 'Clear filters' },
} as const
