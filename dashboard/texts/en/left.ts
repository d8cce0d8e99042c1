// What somebody who was removed created, and may have still.
export const text = {
  title: (person: string) => `Created by ${person}`,
  subtitle: 'These still work for anyone who has them. Revoke the ones you don’t need.',
  caption: 'Tokens and share links',
  name: 'Name',
  kinds: { tokens: 'Token', shares: 'Share link' },
  createdOn: (kind: string, day: string) => `${kind}, created ${day}`,
  revoke: 'Revoke',
  revoked: 'Revoked',
  done: 'Done',
} as const
