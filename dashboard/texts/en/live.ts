// The page “Live”.
export const text = {
  title: 'Live',
  subtitle: 'The last five minutes.',
} as const
