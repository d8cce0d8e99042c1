// Content blocks and their versions.
import { PageHeader } from '../../parts/panel.tsx'
import { useProperty } from '../../session.tsx'
import { text } from '../../texts/en/content.ts'
import { useTitle } from '../../title.ts'

export default function ContentPage() {
  const property = useProperty()
  useTitle(text.title, property.name)
  return <PageHeader title={text.title} subtitle={text.subtitle} />
}
