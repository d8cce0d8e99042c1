// A new property: its name and domains, and then straight to its first visit.
import { useLocation } from 'wouter'
import { createProperty } from '../../api/properties.ts'
import { spokenByLine } from '../../field-errors.ts'
import { zoneHere } from '../../format.ts'
import { hostsIn } from '../../hosts.ts'
import { TextArea, TextField } from '../../parts/fields.tsx'
import { Form, useForm } from '../../parts/form.tsx'
import { PageHeader, Panel, Stack } from '../../parts/panel.tsx'
import { NoPermission } from '../../parts/states.tsx'
import { refreshSession, useSession } from '../../session.tsx'
import { start as text } from '../../texts/index.ts'
import { useTitle } from '../../title.ts'
import { SamplePanel } from '../settings/sample.tsx'
import styles from './page.module.css'

export default function NewPropertyPage() {
  useTitle(text.title)
  const session = useSession()
  const [, navigate] = useLocation()
  const form = useForm({ name: '', domains: '' }, async ({ name, domains }) => {
    const hosts = hostsIn(domains)
    const timezone = zoneHere()
    const asked = { name: name.trim() || (hosts[0] ?? ''), domains: hosts, ...(timezone && { timezone }) }
    const { property } = await createProperty(asked).catch((error: unknown) => {
      throw spokenByLine(error, { domains: hosts })
    })
    await refreshSession()
    navigate(`/properties/${property.id}/start`)
  })
  if (session.data?.user?.is_owner === false) return <NoPermission words={text.noRight} />
  return (
    <div className={styles.narrow}>
      <PageHeader title={text.title} subtitle={text.subtitle} />
      <Stack>
        <Panel>
          <Form form={form} action={text.submit}>
            <TextField label={text.name} hint={text.nameHint} autoFocus maxLength={120} {...form.field('name')} />
            <TextArea
              label={text.domains}
              hint={text.domainsHint}
              rows={2}
              spellCheck={false}
              autoCapitalize="off"
              {...form.field('domains')}
            />
          </Form>
        </Panel>
        <SamplePanel />
      </Stack>
    </div>
  )
}
