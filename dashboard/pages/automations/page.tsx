// Webhooks: what starts them, and what became of each.
import { PageHeader } from '../../parts/panel.tsx'
import { useProperty } from '../../session.tsx'
import { text } from '../../texts/en/automations.ts'
import { useTitle } from '../../title.ts'

export default function AutomationsPage() {
  const property = useProperty()
  useTitle(text.title, property.name)
  return <PageHeader title={text.title} subtitle={text.subtitle} />
}
