// What index.html says before any code is there: written into it by the build, and loaded by no page.
export const text = {
  title: 'Overview',
  loading: 'Loading visits, sources and pages…',
} as const
