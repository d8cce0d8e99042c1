// The page “Sessions”.
export const text = {
  title: 'Sessions',
  subtitle: 'Who came, what they saw, and what came of it.',
} as const
