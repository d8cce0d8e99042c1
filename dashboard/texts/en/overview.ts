// The page “Overview”.
export const text = {
  title: 'Overview',
} as const
