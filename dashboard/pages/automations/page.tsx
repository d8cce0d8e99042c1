// Webhooks: what starts them, and what became of each; and the conversions that can be their condition.
import type { PageProps } from '../../app.tsx'
import { AutomationPage } from './automation.tsx'
import { Lists } from './lists.tsx'
import { NewAutomation } from './new.tsx'

export default function AutomationsPage({ rest: [name, tab] }: PageProps) {
  if (name === undefined || name === 'conversions') return <Lists chosen={name ?? 'automations'} />
  if (name === 'new') return <NewAutomation />
  return <AutomationPage key={name} id={name} tab={tab} />
}
