// The page “Automations”.
export const text = {
  title: 'Automations',
  subtitle: 'Something happens here; your systems are told.',
} as const
