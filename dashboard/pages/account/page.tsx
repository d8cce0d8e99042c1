// One’s own account: name, password, second factor, sessions.
import { PageHeader } from '../../parts/panel.tsx'
import { text } from '../../texts/en/account.ts'
import { useTitle } from '../../title.ts'

export default function AccountPage() {
  useTitle(text.title)
  return <PageHeader title={text.title} />
}
