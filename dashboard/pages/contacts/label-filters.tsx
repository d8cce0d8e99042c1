// Narrows the list of contacts down to a list or a tag.
import { useQuery } from '@tanstack/react-query'
import { readLabels } from '../../api/contacts.ts'
import { Select } from '../../parts/fields.tsx'
import { useProperty } from '../../session.tsx'
import { contacts as text } from '../../texts/index.ts'

export interface LabelFiltersProps {
  readonly list: string
  readonly tag: string
  readonly onChange: (next: { readonly list?: string; readonly tag?: string }) => void
}

/** Only where there are some to choose from. */
export function LabelFilters({ list, tag, onChange }: LabelFiltersProps) {
  const property = useProperty()
  const known = useQuery({
    queryKey: ['labels', property.id],
    queryFn: ({ signal }) => readLabels(property.id, signal),
  })
  const chosen = { lists: list, tags: tag }
  const kinds = ['lists', 'tags'] as const
  return kinds.map((kind) => {
    const names = new Set([...(known.data?.[kind].map(({ name }) => name) ?? []), chosen[kind]].filter(Boolean))
    if (names.size === 0) return null
    return (
      <Select
        key={kind}
        label={text.labels[kind]}
        hidesLabel
        value={chosen[kind]}
        onChange={(next) => onChange(kind === 'lists' ? { list: next } : { tag: next })}
        options={[
          { value: '', label: text.labels.any[kind] },
          ...[...names].map((name) => ({ value: name, label: name })),
        ]}
      />
    )
  })
}
