// The page “Links”.
export const text = {
  title: 'Links',
  subtitle: 'Short links, who followed them, and who arrived.',
} as const
