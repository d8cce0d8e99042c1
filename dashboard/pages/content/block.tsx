// One content block: a header that says whether pages can show it, and its parts as tabs named in the path.
import { useQuery } from '@tanstack/react-query'
import { useLocation } from 'wouter'
import { type Block, readBlock } from '../../api/content.ts'
import { BackLink, DetailSkeleton } from '../../parts/detail.tsx'
import { PageHeader, Stack, Tabs } from '../../parts/panel.tsx'
import { Loaded, NoPermission, Note } from '../../parts/states.tsx'
import { useCan, useProperty, usePropertyPath } from '../../session.tsx'
import { common, content as text } from '../../texts/index.ts'
import { useTitle } from '../../title.ts'
import { useCarriedSearch } from '../../window.ts'
import { blockKey } from './change.ts'
import { Embed } from './embed.tsx'
import { History } from './history.tsx'
import { BlockState } from './list.tsx'
import { ResultsTab } from './results.tsx'
import { BlockSettings } from './settings.tsx'
import { Versions } from './versions.tsx'

const tabIds = ['versions', 'results', 'history', 'embed', 'settings'] as const
type TabId = (typeof tabIds)[number]

export function BlockPage({ id, tab }: { id: string; tab: string | undefined }) {
  const property = useProperty()
  const path = usePropertyPath()
  const block = useQuery({
    queryKey: blockKey(property.id, id),
    queryFn: ({ signal }) => readBlock(property.id, id, signal),
  })
  useTitle(block.data?.content.name ?? text.title, property.name)
  return (
    <Loaded query={block} skeleton={<DetailSkeleton hasTabs />}>
      {({ content }) => (
        <>
          <PageHeader
            back={<BackLink href={path('/content')}>{text.back}</BackLink>}
            title={content.name}
            subtitle={<BlockState block={content} />}
          />
          <BlockTabs block={content} tab={tab} />
        </>
      )}
    </Loaded>
  )
}

function BlockTabs({ block, tab }: { block: Block; tab: string | undefined }) {
  const path = usePropertyPath()
  const carried = useCarriedSearch()
  const canEdit = useCan('admin')
  const [, navigate] = useLocation()
  const tabs = tabIds.filter((id) => canEdit || id !== 'settings').map((id) => ({ id, label: text.tabs[id] }))
  if (!canEdit && tab === 'settings') return <NoPermission words={common.noPermission.forRole('admin')} />
  const chosen = tabs.find(({ id }) => id === tab)?.id ?? 'versions'
  const choose = (next: TabId): void =>
    navigate(path(`/content/${block.id}${next === 'versions' ? '' : `/${next}`}`) + carried)
  return (
    <Tabs<TabId> label={text.tabs.label} tabs={tabs} chosen={chosen} onChoose={choose}>
      <Stack>
        {block.is_archived && <Note tone="warn">{text.archivedNote}</Note>}
        {chosen === 'versions' && <Versions block={block} />}
        {chosen === 'results' && <ResultsTab block={block} />}
        {chosen === 'history' && <History block={block} />}
        {chosen === 'embed' && <Embed block={block} />}
        {chosen === 'settings' && <BlockSettings block={block} />}
      </Stack>
    </Tabs>
  )
}
