// Who is there now.
import { PageHeader } from '../../parts/panel.tsx'
import { useProperty } from '../../session.tsx'
import { text } from '../../texts/en/live.ts'
import { useTitle } from '../../title.ts'

export default function LivePage() {
  const property = useProperty()
  useTitle(text.title, property.name)
  return <PageHeader title={text.title} subtitle={text.subtitle} />
}
