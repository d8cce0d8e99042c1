// Goals: what counts as a success, how often each was met, and by whom.
import { Plus } from 'lucide-react'
import type { PageProps } from '../../app.tsx'
import { Button } from '../../parts/button.tsx'
import { PageHeader } from '../../parts/panel.tsx'
import { useCan, useProperty } from '../../session.tsx'
import { goals as text } from '../../texts/index.ts'
import { useTitle } from '../../title.ts'
import { GoalPage } from './goal.tsx'
import { ConversionList, useConversionDrawer } from './list.tsx'

export default function GoalsPage({ rest: [id] }: PageProps) {
  return id === undefined ? <Goals /> : <GoalPage key={id} id={id} />
}

function Goals() {
  const property = useProperty()
  const canEdit = useCan('admin')
  const { open } = useConversionDrawer()
  useTitle(text.title, property.name)
  const add = (
    <Button look="primary" icon={<Plus aria-hidden="true" />} onClick={() => open('new')}>
      {text.add}
    </Button>
  )
  return (
    <>
      <PageHeader title={text.title} subtitle={text.subtitle} actions={canEdit && add} />
      <ConversionList />
    </>
  )
}
