// The types of fields in groups, as the builder offers them.
import type { FieldDraft } from './draft.ts'

type Type = FieldDraft['type']

export const typeGroups = [
  { id: 'words', types: ['text', 'textarea', 'email', 'tel', 'url', 'search'] },
  { id: 'choices', types: ['select', 'radio', 'checkbox', 'select-multiple'] },
  { id: 'numbers', types: ['number', 'range', 'date', 'time', 'datetime-local', 'month', 'week'] },
  { id: 'other', types: ['file', 'color', 'hidden'] },
] as const satisfies readonly { id: string; types: readonly Type[] }[]
