// What belongs to the property: tracking, domains, tokens, team.
import { PageHeader } from '../../parts/panel.tsx'
import { useProperty } from '../../session.tsx'
import { text } from '../../texts/en/settings.ts'
import { useTitle } from '../../title.ts'

export default function SettingsPage() {
  const property = useProperty()
  useTitle(text.title, property.name)
  return <PageHeader title={text.title} subtitle={text.subtitle} />
}
