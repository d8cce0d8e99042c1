// The page “Content”.
export const text = {
  title: 'Content',
  subtitle: 'Blocks of a page in several versions, and which of them does better.',
} as const
