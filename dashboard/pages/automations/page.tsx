// Webhooks: what starts them, and what became of each.
import { Redirect } from 'wouter'
import type { PageProps } from '../../app.tsx'
import { usePropertyPath } from '../../session.tsx'
import { AutomationPage } from './automation.tsx'
import { Lists } from './lists.tsx'
import { NewAutomation } from './new.tsx'

export default function AutomationsPage({ rest: [name, tab] }: PageProps) {
  const path = usePropertyPath()
  if (name === undefined) return <Lists />
  // Where goals were.
  if (name === 'conversions') return <Redirect to={path('/goals')} replace />
  if (name === 'new') return <NewAutomation />
  return <AutomationPage key={name} id={name} tab={tab} />
}
