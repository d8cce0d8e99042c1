// The page “Account”.
export const text = {
  title: 'Account',
} as const
