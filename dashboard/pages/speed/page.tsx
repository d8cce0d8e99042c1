// How fast pages were for their visitors: Web Vitals of all of them, by device and by page.
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Gauge } from 'lucide-react'
import { readSpeed, type Speed } from '../../api/speed.ts'
import { Button, LinkButton } from '../../parts/button.tsx'
import { BackLink } from '../../parts/detail.tsx'
import { FilterBar } from '../../parts/filter-bar.tsx'
import { PageHeader, Panel, Stack } from '../../parts/panel.tsx'
import { PeriodPicker } from '../../parts/period-picker.tsx'
import { EmptyState, Loaded, SkeletonLines } from '../../parts/states.tsx'
import { DataTable } from '../../parts/table.tsx'
import { useProperty, usePropertyPath } from '../../session.tsx'
import { speed as text } from '../../texts/index.ts'
import { useTitle } from '../../title.ts'
import { askOf, useWindow } from '../../window.ts'
import { deviceColumns, pageColumns } from './columns.tsx'
import { Vitals } from './vitals.tsx'

export default function SpeedPage() {
  const property = useProperty()
  const path = usePropertyPath()
  const [window] = useWindow()
  const ask = askOf(window)
  const speed = useQuery({
    queryKey: ['speed', property.id, ask],
    queryFn: ({ signal }) => readSpeed(property.id, ask, signal),
    placeholderData: keepPreviousData,
  })
  useTitle(text.title, property.name)
  return (
    <>
      <PageHeader
        back={!property.isDemo && <BackLink href={path('/settings')}>{text.back}</BackLink>}
        title={text.title}
        subtitle={text.subtitle}
        actions={<PeriodPicker byDefault={speed.data?.inputs.period} />}
      />
      <Stack>
        <FilterBar />
        <Loaded query={speed} skeleton={<SpeedSkeleton />}>
          {(answer) => <Shown speed={answer} isStale={speed.isPlaceholderData} />}
        </Loaded>
      </Stack>
    </>
  )
}

function Shown({ speed: { all, devices, pages }, isStale }: { speed: Speed; isStale: boolean }) {
  if (all === null)
    return (
      <Panel>
        <NothingMeasured />
      </Panel>
    )
  return (
    <>
      <Panel title={text.all} subtitle={text.allHint}>
        <Vitals speed={all} />
      </Panel>
      <Panel title={text.devices.title} isFlush>
        <DataTable
          caption={text.devices.title}
          columns={deviceColumns}
          rows={devices}
          rowKey={({ device }) => device}
          isStale={isStale}
        />
      </Panel>
      <Panel title={text.pages.title} subtitle={text.pages.hint} isFlush>
        <DataTable
          caption={text.pages.title}
          columns={pageColumns}
          rows={pages}
          rowKey={({ path }) => path}
          isStale={isStale}
        />
      </Panel>
    </>
  )
}

const SpeedSkeleton = () => (
  <>
    <Panel title={text.all} subtitle={text.allHint}>
      <SkeletonLines lines={5} />
    </Panel>
    <Panel title={text.devices.title}>
      <SkeletonLines lines={3} />
    </Panel>
  </>
)

function NothingMeasured() {
  const path = usePropertyPath()
  const [{ f }, setWindow] = useWindow()
  if (f.length > 0)
    return (
      <EmptyState
        icon={<Gauge />}
        title={text.empty.title}
        actions={<Button onClick={() => setWindow({ f: [] })}>{text.emptyFiltered.clear}</Button>}
      >
        {text.emptyFiltered.hint}
      </EmptyState>
    )
  return (
    <EmptyState
      icon={<Gauge />}
      title={text.empty.title}
      actions={<LinkButton href={path('/settings?vitals=1')}>{text.empty.action}</LinkButton>}
    >
      {text.empty.hint}
    </EmptyState>
  )
}
