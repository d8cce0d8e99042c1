// The page “Bots”.
export const text = {
  title: 'Bots',
  subtitle: 'Robots are counted apart and left out everywhere else.',
} as const
