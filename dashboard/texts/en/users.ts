// The page “People”.
export const text = {
  title: 'People',
} as const
