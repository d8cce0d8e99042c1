// The overview of a property: one answer on one screen.
import { PageHeader } from '../../parts/panel.tsx'
import { useProperty } from '../../session.tsx'
import { text } from '../../texts/en/overview.ts'
import { useTitle } from '../../title.ts'

export default function OverviewPage() {
  const property = useProperty()
  useTitle(text.title, property.name)
  return <PageHeader title={text.title} />
}
