// One form: its header with whether pages can show it, and its parts as tabs whose names are in the path.
import { useQuery } from '@tanstack/react-query'
import { useLocation } from 'wouter'
import { type OwnForm, readForm } from '../../api/forms.ts'
import { BackLink, DetailSkeleton } from '../../parts/detail.tsx'
import { PageHeader, Stack, type Tab, Tabs } from '../../parts/panel.tsx'
import { Loaded, NoPermission, Note } from '../../parts/states.tsx'
import { useCan, useProperty, usePropertyPath } from '../../session.tsx'
import { common, forms as text } from '../../texts/index.ts'
import { useTitle } from '../../title.ts'
import { useCarriedSearch } from '../../window.ts'
import { Builder } from './builder.tsx'
import { formKey } from './change.ts'
import { Embed } from './embed.tsx'
import { FullnessNotice } from './fullness.tsx'
import { FormActions } from './form-actions.tsx'
import { FormHistory } from './history.tsx'
import { IpNotice } from './ips.tsx'
import { FormSettings } from './settings.tsx'
import { FormState } from './state.tsx'
import { Statistics } from './statistics.tsx'
import { Submissions } from './submissions.tsx'
import { TriedNotice } from './tried.tsx'

type TabId = 'submissions' | 'statistics' | 'build' | 'history' | 'embed' | 'settings'

const ofAdmins: ReadonlySet<TabId> = new Set(['build', 'settings'])

function tabsOf({ kind }: OwnForm, canEdit: boolean): Tab<TabId>[] {
  const ids: readonly TabId[] = ['submissions', 'statistics', 'build', 'history', 'embed', 'settings']
  return ids
    .filter((id) => (canEdit || !ofAdmins.has(id)) && (id !== 'build' || kind === 'managed'))
    .map((id) => ({ id, label: text.tabs[id] }))
}

export function FormPage({ id, tab }: { id: string; tab: string | undefined }) {
  const property = useProperty()
  const path = usePropertyPath()
  const form = useQuery({
    queryKey: formKey(property.id, id),
    queryFn: ({ signal }) => readForm(property.id, id, signal),
  })
  useTitle(form.data?.form.name ?? text.title, property.name)
  return (
    <Loaded query={form} skeleton={<DetailSkeleton hasTabs />}>
      {({ form: loaded }) => (
        <>
          <PageHeader
            back={<BackLink href={path('/forms')}>{text.back}</BackLink>}
            title={loaded.name}
            subtitle={<FormState form={loaded} />}
            actions={<FormActions form={loaded} />}
          />
          <FormTabs form={loaded} tab={tab} />
        </>
      )}
    </Loaded>
  )
}

function FormTabs({ form, tab }: { form: OwnForm; tab: string | undefined }) {
  const path = usePropertyPath()
  const carried = useCarriedSearch()
  const canEdit = useCan('admin')
  const [, navigate] = useLocation()
  const tabs = tabsOf(form, canEdit)
  if (!canEdit && [...ofAdmins].some((id) => id === tab))
    return <NoPermission words={common.noPermission.forRole('admin')} />
  const chosen = tabs.find(({ id }) => id === tab)?.id ?? 'submissions'
  const choose = (next: TabId): void =>
    navigate(path(`/forms/${form.id}${next === 'submissions' ? '' : `/${next}`}`) + carried)
  return (
    <Tabs label={text.tabs.label} tabs={tabs} chosen={chosen} onChoose={choose}>
      <Stack>
        <IpNotice form={form} isAtSettings={chosen === 'settings'} />
        <TriedNotice form={form} />
        {form.is_archived && <Note tone="warn">{text.archivedNote}</Note>}
        {!form.is_archived && !form.is_published && chosen === 'embed' && <Note tone="warn">{text.draftNote}</Note>}
        {chosen === 'submissions' && <FullnessNotice form={form} />}
        {chosen === 'submissions' && <Submissions form={form} />}
        {chosen === 'statistics' && <Statistics form={form} />}
        {chosen === 'build' && <Builder form={form} />}
        {chosen === 'history' && <FormHistory form={form} />}
        {chosen === 'embed' && <Embed form={form} />}
        {chosen === 'settings' && <FormSettings form={form} />}
      </Stack>
    </Tabs>
  )
}
