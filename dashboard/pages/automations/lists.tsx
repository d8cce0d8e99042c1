// All automations.
import { Plus } from 'lucide-react'
import { LinkButton } from '../../parts/button.tsx'
import { PageHeader } from '../../parts/panel.tsx'
import { useCan, useProperty, usePropertyPath } from '../../session.tsx'
import { automations as text } from '../../texts/index.ts'
import { useTitle } from '../../title.ts'
import { AutomationList } from './list.tsx'

export function Lists() {
  const property = useProperty()
  const path = usePropertyPath()
  const canEdit = useCan('admin')
  useTitle(text.title, property.name)
  const add = (
    <LinkButton look="primary" icon={<Plus aria-hidden="true" />} href={path('/automations/new')}>
      {text.list.add}
    </LinkButton>
  )
  return (
    <>
      <PageHeader title={text.title} subtitle={text.subtitle} actions={canEdit && add} />
      <AutomationList />
    </>
  )
}
