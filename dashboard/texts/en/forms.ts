// The page “Forms”.
export const text = {
  title: 'Forms',
  subtitle: 'What visitors send you, without the spam.',
} as const
