// Forms and what was sent with them: the list, or one of them.
import type { PageProps } from '../../app.tsx'
import { FormPage } from './form.tsx'
import { FormList } from './list.tsx'

export default function FormsPage({ rest: [form, tab] }: PageProps) {
  return form === undefined ? <FormList /> : <FormPage key={form} id={form} tab={tab} />
}
