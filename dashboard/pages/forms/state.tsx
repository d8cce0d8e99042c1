// Whether pages can show a form.
import type { OwnForm } from '../../api/forms.ts'
import { StatusDot } from '../../parts/marks.tsx'
import { forms as text } from '../../texts/index.ts'

export function FormState({ form }: { form: Pick<OwnForm, 'is_archived' | 'is_published'> }) {
  if (form.is_archived) return <StatusDot>{text.states.archived}</StatusDot>
  if (form.is_published) return <StatusDot tone="good">{text.states.published}</StatusDot>
  return <StatusDot tone="warn">{text.states.draft}</StatusDot>
}
