// What belongs to the property, in sections; the address names the one that is shown: /settings/sharing.
import { lazy, type ReactNode, Suspense } from 'react'
import { useLocation } from 'wouter'
import type { PageProps } from '../../app.tsx'
import type { Role } from '../../api/session.ts'
import { PageHeader, Panel, Stack, Tabs } from '../../parts/panel.tsx'
import { later } from '../../later.ts'
import { NoPermission, SkeletonLines } from '../../parts/states.tsx'
import { useCan, useProperty, usePropertyPath } from '../../session.tsx'
import { NotFound } from '../../shell/not-found.tsx'
import { settings as text, withTexts } from '../../texts/index.ts'
import { useTitle } from '../../title.ts'
import { DataSection } from './data.tsx'
import { Exclusions } from './exclusions.tsx'
import { General } from './general.tsx'
import { Keys } from './keys.tsx'
import { Sharing } from './sharing.tsx'
import { Team } from './team.tsx'
import { TrackingSection } from './tracking.tsx'

const Costs = lazy(later(withTexts(['costs'], () => import('./costs.tsx'))))
const Domains = lazy(later(withTexts(['domains'], () => import('./domains.tsx'))))
const Reports = lazy(later(withTexts(['reports'], () => import('./reports.tsx'))))

const inTime = (section: ReactNode): ReactNode => (
  <Suspense
    fallback={
      <Panel>
        <SkeletonLines lines={2} />
      </Panel>
    }
  >
    {section}
  </Suspense>
)

type SectionId = Exclude<keyof typeof text.sections, 'label' | 'bots' | 'speed'>

/** In the order of the tabs. `least`: the least role that may see it. */
const sections: readonly { id: SectionId; least: Role; show: () => ReactNode }[] = [
  { id: 'tracking', least: 'viewer', show: () => <TrackingSection /> },
  { id: 'general', least: 'viewer', show: () => <General /> },
  { id: 'exclusions', least: 'viewer', show: () => <Exclusions /> },
  {
    id: 'domains',
    least: 'admin',
    show: () => inTime(<Domains />),
  },
  { id: 'reports', least: 'admin', show: () => inTime(<Reports />) },
  { id: 'costs', least: 'viewer', show: () => inTime(<Costs />) },
  { id: 'keys', least: 'admin', show: () => <Keys /> },
  { id: 'team', least: 'owner', show: () => <Team /> },
  { id: 'sharing', least: 'admin', show: () => <Sharing /> },
  { id: 'data', least: 'admin', show: () => <DataSection /> },
]

/** Bots and speed have pages of their own, with a period. */
const hrefs: Readonly<Record<string, string>> = { tracking: '/settings', bots: '/bots', speed: '/speed' }

export default function SettingsPage({ rest: [id = 'tracking'] }: PageProps) {
  const property = useProperty()
  const path = usePropertyPath()
  const [, navigate] = useLocation()
  const may: Readonly<Record<Role, boolean>> = {
    viewer: useCan('viewer'),
    admin: useCan('admin'),
    owner: useCan('owner'),
  }
  const section = sections.find((one) => one.id === id)
  useTitle(section === undefined ? text.title : `${text.sections[section.id]} · ${text.title}`, property.name)
  if (section === undefined) return <NotFound />
  const tabs = sections.filter((one) => may[one.least] || one === section)
  return (
    <>
      <PageHeader title={text.title} />
      <Tabs
        label={text.sections.label}
        tabs={[...tabs.map(({ id: one }) => one), 'bots' as const, 'speed' as const].map((one) => ({
          id: one,
          label: text.sections[one],
        }))}
        chosen={section.id}
        onChoose={(next) => navigate(path(hrefs[next] ?? `/settings/${next}`))}
      >
        <Stack>
          {may[section.least] ? (
            section.show()
          ) : (
            <Panel>
              <NoPermission words={text.needs[section.least]} />
            </Panel>
          )}
        </Stack>
      </Tabs>
    </>
  )
}
