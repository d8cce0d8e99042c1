// Everybody who can sign in; for owners of the installation.
import { PageHeader } from '../../parts/panel.tsx'
import { text } from '../../texts/en/users.ts'
import { useTitle } from '../../title.ts'

export default function PeoplePage() {
  useTitle(text.title)
  return <PageHeader title={text.title} />
}
