// One automation: whether it sends, what it sent, and what it is.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { CircleAlert, Ellipsis, Send } from 'lucide-react'
import { useState } from 'react'
import { useLocation } from 'wouter'
import {
  type Automation,
  changeAutomation,
  deleteAutomation,
  enableAutomation,
  readAutomation,
  testAutomation,
} from '../../api/automations.ts'
import { dateTime } from '../../format.ts'
import { toast } from '../../parts/announce.tsx'
import { Button } from '../../parts/button.tsx'
import { BackLink, DetailSkeleton } from '../../parts/detail.tsx'
import { ConfirmDialog } from '../../parts/dialog.tsx'
import { Switch } from '../../parts/fields.tsx'
import { PageHeader, Stack, Tabs } from '../../parts/panel.tsx'
import { Menu } from '../../parts/popover.tsx'
import { Loaded, NoPermission, Note } from '../../parts/states.tsx'
import { useCan, useProperty, usePropertyPath } from '../../session.tsx'
import { automations as text, common } from '../../texts/index.ts'
import { useTitle } from '../../title.ts'
import styles from './automations.module.css'
import { AutomationEditor } from './editor.tsx'
import { Log } from './log.tsx'
import { RotateDialog } from './rotate.tsx'
import { AutomationState } from './state.tsx'
import { useNames } from './use-names.ts'
import { triggerWords } from './words.ts'

type TabId = 'log' | 'settings'

export function AutomationPage({ id, tab }: { id: string; tab: string | undefined }) {
  const property = useProperty()
  const path = usePropertyPath()
  const automation = useQuery({
    queryKey: ['automation', property.id, id],
    queryFn: ({ signal }) => readAutomation(property.id, id, signal),
  })
  useTitle(automation.data?.automation.label ?? text.title, property.name)
  return (
    <Loaded query={automation} skeleton={<DetailSkeleton hasTabs />}>
      {({ automation: loaded }) => (
        <>
          <PageHeader
            back={<BackLink href={path('/automations')}>{text.back}</BackLink>}
            title={loaded.label}
            subtitle={<Waits automation={loaded} />}
            actions={<Actions automation={loaded} />}
          />
          <Stack>
            <Banners automation={loaded} />
            <Parts automation={loaded} tab={tab} />
          </Stack>
        </>
      )}
    </Loaded>
  )
}

/** What it waits for, in a line. */
function Waits({ automation: { trigger, conversion_id, is_active, disabled_reason } }: { automation: Automation }) {
  const { forms, conversions } = useNames()
  const conversion = conversions.find(({ id }) => id === conversion_id)
  return (
    <span className={styles.waits}>
      <AutomationState automation={{ is_active, disabled_reason }} />
      <span>{forms === undefined ? ' ' : triggerWords(trigger, forms)}</span>
      {conversion && <span>{text.detail.condition(conversion.name)}</span>}
    </span>
  )
}

/** What follows from a change: the automation, the list it is in, and its log. */
function useRefresh(id: string): () => Promise<unknown> {
  const property = useProperty()
  const client = useQueryClient()
  const keys = [
    ['automation', property.id, id],
    ['automations', property.id],
    ['deliveries', property.id, id],
  ]
  return () => Promise.all(keys.map((queryKey) => client.invalidateQueries({ queryKey })))
}

function useSwitch({ id, is_active, disabled_reason }: Automation) {
  const property = useProperty()
  const refresh = useRefresh(id)
  return useMutation({
    mutationFn: (isOn: boolean) =>
      isOn && disabled_reason !== null && !is_active
        ? enableAutomation(property.id, id)
        : changeAutomation(property.id, id, { is_active: isOn }),
    onSuccess: async ({ automation }) => {
      toast(automation.is_active ? text.detail.switchedOn : text.detail.switchedOff)
      await refresh()
    },
  })
}

function Banners({ automation }: { automation: Automation }) {
  const canEdit = useCan('admin')
  const enable = useSwitch(automation)
  const { disabled_reason, disabled_ts, failures, has_previous_secret_until: until } = automation
  const isDisabled = disabled_reason !== null && !automation.is_active
  return (
    <>
      {isDisabled && (
        <div role="alert">
          <Note tone="bad" icon={<CircleAlert aria-hidden="true" />}>
            <div className={styles.banner}>
              <strong>{text.detail.disabledTitle}</strong>
              <span>{disabled_reason}</span>
              {disabled_ts !== null && <span>{text.detail.disabled(dateTime(disabled_ts))}</span>}
              {canEdit && (
                <div>
                  <Button size="small" isBusy={enable.isPending} onClick={() => enable.mutate(true)}>
                    {text.detail.enable}
                  </Button>
                </div>
              )}
            </div>
          </Note>
        </div>
      )}
      {!isDisabled && failures > 0 && <Note tone="warn">{text.detail.failures(failures)}</Note>}
      {until !== null && <Note>{text.secret.previous(dateTime(until))}</Note>}
    </>
  )
}

function Actions({ automation }: { automation: Automation }) {
  const property = useProperty()
  const path = usePropertyPath()
  const canEdit = useCan('admin')
  const [, navigate] = useLocation()
  const refresh = useRefresh(automation.id)
  const toggle = useSwitch(automation)
  const [dialog, setDialog] = useState<'rotate' | 'delete'>()
  const test = useMutation({
    mutationFn: () => testAutomation(property.id, automation.id),
    onSuccess: async ({ deliveries: [first, ...others] }) => {
      toast(text.detail.testSent(1 + others.length))
      if (first !== undefined) navigate(path(`/automations/${automation.id}?delivery=${first}`))
      await refresh()
    },
  })
  if (!canEdit) return null
  const drop = async (): Promise<void> => {
    await deleteAutomation(property.id, automation.id)
    toast(text.detail.deleted)
    navigate(path('/automations'), { replace: true })
    await refresh()
  }
  return (
    <>
      <Switch label={text.detail.isOn} isOn={automation.is_active} onChange={(isOn) => toggle.mutate(isOn)} />
      <Button icon={<Send aria-hidden="true" />} isBusy={test.isPending} onClick={() => test.mutate()}>
        {text.detail.test}
      </Button>
      <Menu
        button={<Ellipsis aria-hidden="true" />}
        label={text.detail.more}
        align="end"
        items={[
          { label: text.secret.rotate, onSelect: () => setDialog('rotate') },
          { label: text.detail.delete, onSelect: () => setDialog('delete'), isDanger: true, startsGroup: true },
        ]}
      />
      {dialog === 'rotate' && (
        <RotateDialog automation={automation} onDone={refresh} onClose={() => setDialog(undefined)} />
      )}
      {dialog === 'delete' && (
        <ConfirmDialog
          title={text.detail.deleteTitle}
          action={text.detail.delete}
          typed={automation.label}
          onConfirm={drop}
          onClose={() => setDialog(undefined)}
        >
          {text.detail.deleteWords}
        </ConfirmDialog>
      )}
    </>
  )
}

function Parts({ automation, tab }: { automation: Automation; tab: string | undefined }) {
  const property = useProperty()
  const path = usePropertyPath()
  const canEdit = useCan('admin')
  const [, navigate] = useLocation()
  const client = useQueryClient()
  if (!canEdit)
    return tab === 'settings' ? (
      <NoPermission words={common.noPermission.forRole('admin')} />
    ) : (
      <Log automation={automation} />
    )
  const chosen: TabId = tab === 'settings' ? 'settings' : 'log'
  return (
    <Tabs<TabId>
      label={text.detail.tabs.label}
      tabs={[
        { id: 'log', label: text.detail.tabs.log },
        { id: 'settings', label: text.detail.tabs.settings },
      ]}
      chosen={chosen}
      onChoose={(next) => navigate(path(`/automations/${automation.id}${next === 'log' ? '' : '/settings'}`))}
    >
      {chosen === 'log' ? (
        <Log automation={automation} />
      ) : (
        <AutomationEditor
          automation={automation}
          submitLabel={text.editor.save}
          onSave={async (change) => {
            const { automation: changed, warnings } = await changeAutomation(property.id, automation.id, change)
            client.setQueryData(['automation', property.id, automation.id], { automation: changed })
            toast(text.editor.saved)
            await client.invalidateQueries({ queryKey: ['automations', property.id] })
            return warnings
          }}
        />
      )}
    </Tabs>
  )
}
