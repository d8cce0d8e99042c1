// A new automation; once it is made, its signing secret is shown, and only then.
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { createAutomation } from '../../api/automations.ts'
import { SecretOnce } from '../../parts/copy.tsx'
import { BackLink } from '../../parts/detail.tsx'
import { PageHeader, Panel, Stack } from '../../parts/panel.tsx'
import { NoPermission } from '../../parts/states.tsx'
import { useCan, useProperty, usePropertyPath } from '../../session.tsx'
import { automations as text, common } from '../../texts/index.ts'
import { useTitle } from '../../title.ts'
import { AutomationEditor, WarningNote } from './editor.tsx'

interface Made {
  readonly id: string
  readonly label: string
  readonly secret: string
  readonly warnings: readonly string[]
}

export function NewAutomation() {
  const property = useProperty()
  const path = usePropertyPath()
  const client = useQueryClient()
  const canEdit = useCan('admin')
  const [, navigate] = useLocation()
  const [made, setMade] = useState<Made>()
  useTitle(text.editor.title, property.name)
  if (!canEdit) return <NoPermission words={common.noPermission.forRole('admin')} />
  if (made)
    return (
      <>
        <PageHeader title={made.label} />
        <Stack>
          <WarningNote sentences={made.warnings} />
          <Panel title={text.secret.title}>
            <SecretOnce
              label={text.secret.label}
              secret={made.secret}
              hint={text.secret.hint}
              done={text.secret.done}
              onDone={() => navigate(path(`/automations/${made.id}`), { replace: true })}
            />
          </Panel>
        </Stack>
      </>
    )
  return (
    <>
      <PageHeader
        back={<BackLink href={path('/automations')}>{text.editor.back}</BackLink>}
        title={text.editor.title}
        subtitle={text.editor.subtitle}
      />
      <AutomationEditor
        submitLabel={text.editor.create}
        onSave={async (asked) => {
          const { automation, signing_secret: secret, warnings } = await createAutomation(property.id, asked)
          await client.invalidateQueries({ queryKey: ['automations', property.id] })
          setMade({
            id: automation.id,
            label: automation.label,
            secret,
            warnings: Object.values(warnings ?? {}).flat(),
          })
          return warnings
        }}
      />
    </>
  )
}
