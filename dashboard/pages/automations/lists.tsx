// The two lists of the page: automations, and conversions.
import { Plus } from 'lucide-react'
import { useLocation } from 'wouter'
import { Button, LinkButton } from '../../parts/button.tsx'
import { PageHeader, Tabs } from '../../parts/panel.tsx'
import { useCan, useProperty, usePropertyPath } from '../../session.tsx'
import { automations as text } from '../../texts/index.ts'
import { useTitle } from '../../title.ts'
import { useCarriedSearch } from '../../window.ts'
import { AutomationList } from './list.tsx'
import { ConversionList, useConversionDrawer } from './conversions.tsx'

type Chosen = 'automations' | 'conversions'

export function Lists({ chosen }: { chosen: Chosen }) {
  const property = useProperty()
  const path = usePropertyPath()
  const carried = useCarriedSearch()
  const [, navigate] = useLocation()
  useTitle(chosen === 'conversions' ? text.tabs.conversions : text.title, property.name)
  return (
    <>
      <PageHeader title={text.title} subtitle={text.subtitle} actions={<AddButton chosen={chosen} />} />
      <Tabs<Chosen>
        label={text.tabs.label}
        tabs={[
          { id: 'automations', label: text.tabs.automations },
          { id: 'conversions', label: text.tabs.conversions },
        ]}
        chosen={chosen}
        onChoose={(id) => navigate(path(id === 'automations' ? '/automations' : '/automations/conversions') + carried)}
      >
        {chosen === 'automations' ? <AutomationList /> : <ConversionList />}
      </Tabs>
    </>
  )
}

function AddButton({ chosen }: { chosen: Chosen }) {
  const path = usePropertyPath()
  const canEdit = useCan('admin')
  const { open } = useConversionDrawer()
  const icon = <Plus aria-hidden="true" />
  if (!canEdit) return null
  if (chosen === 'conversions')
    return (
      <Button look="primary" icon={icon} onClick={() => open('new')}>
        {text.conversions.add}
      </Button>
    )
  return (
    <LinkButton look="primary" icon={icon} href={path('/automations/new')}>
      {text.list.add}
    </LinkButton>
  )
}
