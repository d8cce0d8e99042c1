// What somebody who was removed created, and may have still.
export const text = {
  title: (person: string) => `${person} created these`,
  subtitle: 'They still work for whoever has them. Revoke what nobody needs.',
  caption: 'Tokens and share links',
  name: 'Name',
  kinds: { tokens: 'Token', shares: 'Share link' },
  createdOn: (kind: string, day: string) => `${kind}, created ${day}`,
  revoke: 'Revoke',
  revoked: 'Revoked',
  done: 'Done',
} as const
