// The people behind sessions.
import { PageHeader } from '../../parts/panel.tsx'
import { useProperty } from '../../session.tsx'
import { text } from '../../texts/en/contacts.ts'
import { useTitle } from '../../title.ts'

export default function ContactsPage() {
  const property = useProperty()
  useTitle(text.title, property.name)
  return <PageHeader title={text.title} subtitle={text.subtitle} />
}
