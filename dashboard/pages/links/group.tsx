// One group of links: what came of all of them, and the links themselves.
import { useMutation, useQuery } from '@tanstack/react-query'
import { Archive, ArchiveRestore, Ellipsis, Pencil, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { changeGroup, deleteGroup, type LinkGroup, readGroup } from '../../api/links.ts'
import { toast } from '../../parts/announce.tsx'
import { Button } from '../../parts/button.tsx'
import { BackLink, DetailSkeleton } from '../../parts/detail.tsx'
import { ConfirmDialog } from '../../parts/dialog.tsx'
import { PageHeader, Stack } from '../../parts/panel.tsx'
import { Menu } from '../../parts/popover.tsx'
import { Loaded, Note } from '../../parts/states.tsx'
import { useCan, useProperty, usePropertyPath } from '../../session.tsx'
import { link as linkText, links as text } from '../../texts/index.ts'
import { useTitle } from '../../title.ts'
import { choiceParam, useUrlState } from '../../url.ts'
import { useCarriedSearch } from '../../window.ts'
import { CreatedDialog } from './created-dialog.tsx'
import { GroupDialog } from './group-dialog.tsx'
import { LinkDialog } from './link-dialog.tsx'
import { LinkTable, ofGroup } from './link-list.tsx'
import { groupKey, useRefresh } from './links.ts'
import { Results } from './results.tsx'

const words = text.group
const codecs = { open: choiceParam(['edit', 'link'], null) }

export function GroupPage({ id }: { id: string }) {
  const property = useProperty()
  const path = usePropertyPath()
  const carried = useCarriedSearch()
  const group = useQuery({
    queryKey: groupKey(property.id, id),
    queryFn: ({ signal }) => readGroup(property.id, id, signal),
  })
  useTitle(group.data?.group.name ?? text.tabs.groups, property.name)
  return (
    <Loaded query={group} skeleton={<DetailSkeleton />}>
      {({ group: loaded }) => (
        <>
          <PageHeader
            back={<BackLink href={path('/links/groups') + carried}>{text.backToGroups}</BackLink>}
            title={loaded.name}
            subtitle={loaded.description ?? text.purposes[loaded.purpose]}
            actions={<Actions group={loaded} />}
          />
          <Stack>
            {loaded.state === 'archived' && <Note tone="warn">{words.archivedNote}</Note>}
            {!loaded.track_clicks && <Note>{words.untrackedNote}</Note>}
            <Results owner={{ kind: 'link_group', id: loaded.id }} />
            <LinkTable filter={ofGroup(loaded.id)} />
          </Stack>
        </>
      )}
    </Loaded>
  )
}

function Actions({ group }: { group: LinkGroup }) {
  const property = useProperty()
  const canEdit = useCan('admin')
  const refresh = useRefresh()
  const [{ open }, setState] = useUrlState<{ open: 'edit' | 'link' | null }>(codecs)
  const [isAsking, setAsking] = useState(false)
  const isArchived = group.state === 'archived'
  const archive = useMutation({
    mutationFn: () => changeGroup(property.id, group.id, { state: isArchived ? 'active' : 'archived' }),
    onSuccess: async () => {
      await refresh()
      toast(isArchived ? words.restored : words.archived)
    },
  })
  if (!canEdit) return null
  const close = (): void => setState({ open: null }, { replace: true })
  return (
    <>
      <Menu
        button={<Ellipsis />}
        label={linkText.link.more}
        align="end"
        items={[
          {
            label: isArchived ? words.restore : words.archive,
            icon: isArchived ? <ArchiveRestore /> : <Archive />,
            onSelect: () => archive.mutate(),
          },
          { label: words.delete, icon: <Trash2 />, isDanger: true, startsGroup: true, onSelect: () => setAsking(true) },
        ]}
      />
      <Button icon={<Pencil aria-hidden="true" />} onClick={() => setState({ open: 'edit' })}>
        {words.edit}
      </Button>
      {!isArchived && (
        <Button look="primary" icon={<Plus aria-hidden="true" />} onClick={() => setState({ open: 'link' })}>
          {words.addLink}
        </Button>
      )}
      {open === 'edit' && <GroupDialog group={group} onClose={close} />}
      {open === 'link' && <LinkDialog group={group.id} onClose={close} />}
      <CreatedDialog />
      {isAsking && <Erasure group={group} onClose={() => setAsking(false)} />}
    </>
  )
}

function Erasure({ group, onClose }: { group: LinkGroup; onClose: () => void }) {
  const property = useProperty()
  const path = usePropertyPath()
  const refresh = useRefresh()
  const [, navigate] = useLocation()
  const erase = async (): Promise<void> => {
    await deleteGroup(property.id, group.id)
    toast(words.deleted)
    navigate(path('/links/groups'), { replace: true })
    await refresh()
  }
  return (
    <ConfirmDialog
      title={words.deleteTitle}
      action={words.delete}
      typed={group.name}
      onConfirm={erase}
      onClose={onClose}
    >
      {words.deleteWords}
    </ConfirmDialog>
  )
}
