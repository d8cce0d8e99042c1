// Bots, and the errors that the browser libraries report of themselves, both of one window.
import { BackLink } from '../../parts/detail.tsx'
import { PageHeader, Stack, Tabs } from '../../parts/panel.tsx'
import { PeriodPicker } from '../../parts/period-picker.tsx'
import { useProperty, usePropertyPath } from '../../session.tsx'
import { bots as text } from '../../texts/index.ts'
import { useTitle } from '../../title.ts'
import { choiceParam, useUrlState } from '../../url.ts'
import { BotsTab, useBots } from './bots.tsx'
import { ErrorsTab } from './errors.tsx'

const tabIds = ['bots', 'errors'] as const
const codecs = { tab: choiceParam(tabIds, 'bots') }

export default function BotsPage() {
  const property = useProperty()
  const [{ tab }, setState] = useUrlState(codecs)
  const bots = useBots(tab === 'bots')
  const path = usePropertyPath()
  useTitle(text.title, property.name)
  return (
    <>
      <PageHeader
        back={!property.isDemo && <BackLink href={path('/settings')}>{text.back}</BackLink>}
        title={text.title}
        subtitle={text.subtitle}
        actions={<PeriodPicker byDefault={bots.data?.inputs.period} />}
      />
      <Tabs
        label={text.tabs.label}
        tabs={tabIds.map((id) => ({ id, label: text.tabs[id] }))}
        chosen={tab}
        onChoose={(next) => setState({ tab: next })}
      >
        <Stack>{tab === 'bots' ? <BotsTab bots={bots} /> : <ErrorsTab />}</Stack>
      </Tabs>
    </>
  )
}
