// The page “Settings”.
export const text = {
  title: 'Settings',
  subtitle: 'What belongs to this property.',
} as const
