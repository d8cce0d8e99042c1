// The two lists of the page: links, and the groups that they are in.
import { Download, History, ListPlus } from 'lucide-react'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { exportUrl } from '../../api/links.ts'
import { FileButton, LinkButton } from '../../parts/button.tsx'
import { PageHeader, Stack, Tabs } from '../../parts/panel.tsx'
import { useCan, useProperty, usePropertyPath } from '../../session.tsx'
import { links as text } from '../../texts/index.ts'
import { useTitle } from '../../title.ts'
import { useUrlState } from '../../url.ts'
import { useCarriedSearch } from '../../window.ts'
import { AddButton, type Chosen, codecs, type NewState } from './add-button.tsx'
import { GroupDialog } from './group-dialog.tsx'
import { GroupList } from './group-list.tsx'
import { LinkList } from './link-list.tsx'
import { CreatedDialog } from './created-dialog.tsx'
import { QuickCreate } from './quick-create.tsx'
import { LinkDialog } from './link-dialog.tsx'

export function Lists({ chosen }: { chosen: Chosen }) {
  const property = useProperty()
  const path = usePropertyPath()
  const carried = useCarriedSearch()
  const canEdit = useCan('admin')
  const [, navigate] = useLocation()
  const [state, setState] = useUrlState<NewState>(codecs)
  const [typed, setTyped] = useState('')
  const [isNone, setNone] = useState(false)
  const close = (): void => setState({ new: false }, { replace: true })
  const openEditor = (destination: string): void => {
    setTyped(destination)
    setState({ new: true })
  }
  useTitle(text.tabs[chosen], property.name)
  return (
    <>
      <PageHeader
        title={text.title}
        subtitle={text.subtitle}
        actions={<Actions chosen={chosen} group={state.group} isNone={isNone} />}
      />
      <Tabs<Chosen>
        label={text.tabs.label}
        tabs={[
          { id: 'links', label: text.tabs.links },
          { id: 'groups', label: text.tabs.groups },
        ]}
        chosen={chosen}
        onChoose={(id) => navigate(path(id === 'links' ? '/links' : '/links/groups') + carried)}
      >
        {chosen === 'links' ? (
          <Stack>
            <QuickCreate group={state.group} onOptions={openEditor} />
            <LinkList onNone={setNone} />
          </Stack>
        ) : (
          <GroupList />
        )}
      </Tabs>
      {canEdit && state.new && chosen === 'links' && (
        <LinkDialog group={state.group} destination={typed} onClose={close} />
      )}
      <CreatedDialog />
      {canEdit && state.new && chosen === 'groups' && <GroupDialog onClose={close} />}
    </>
  )
}

/** @param isNone of the links: there is nothing to save, and the page itself says how to begin. */
function Actions({ chosen, group, isNone }: { chosen: Chosen; group: string; isNone: boolean }) {
  const property = useProperty()
  const path = usePropertyPath()
  const canEdit = useCan('admin')
  if (chosen === 'groups') return <AddButton chosen={chosen} />
  return (
    <>
      {!isNone && (
        <FileButton href={exportUrl(property.id, group)} icon={<Download aria-hidden="true" />}>
          {text.list.csv}
        </FileButton>
      )}
      <LinkButton href={path('/links/edits')} look="quiet" icon={<History aria-hidden="true" />}>
        {text.edits.history}
      </LinkButton>
      {canEdit && (
        <LinkButton href={path('/links/many')} icon={<ListPlus aria-hidden="true" />}>
          {text.list.many}
        </LinkButton>
      )}
      {!isNone && <AddButton chosen={chosen} />}
    </>
  )
}
