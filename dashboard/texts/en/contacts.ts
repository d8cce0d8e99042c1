// The page “Contacts”.
export const text = {
  title: 'Contacts',
  subtitle: 'The people behind sessions, once they have said who they are.',
} as const
