// What can be exported: the graph and each list as CSV, and for admins, everything.
import { useLayoutEffect } from 'react'
import { useLocation } from 'wouter'
import { downloadList, type ListId, type Overview } from '../../api/overview.ts'
import { toastError } from '../../parts/announce.tsx'
import { type MenuItem, MenuRows } from '../../parts/popover.tsx'
import { saveText } from '../../save.ts'
import { useCan, useProperty, usePropertyPath } from '../../session.tsx'
import { common, overview as text } from '../../texts/index.ts'
import { askOf } from '../../window.ts'
import { seriesCsv } from './series-csv.ts'
import { knownOf, metricsOf } from './row-figures.ts'
import { goalAsk, pageTabs, placeTabs, sourceTabs, technologyTabs, type View } from './view.ts'

const exported: readonly ListId[] = [
  ...sourceTabs,
  ...pageTabs,
  ...placeTabs.filter((id) => id !== 'map'),
  ...technologyTabs,
  'event_name',
]

export interface ExportItemsProps {
  readonly overview: Overview | undefined
  readonly view: View
  readonly close: () => void
  /** It is shown now: the focus can go to it. */
  readonly onReady: () => void
}

export function ExportItems({ overview, view, close, onReady }: ExportItemsProps) {
  useLayoutEffect(onReady, [onReady])
  const property = useProperty()
  const path = usePropertyPath()
  const [, navigate] = useLocation()
  const canExportAll = useCan('admin')
  // A share link is told sessions alone.
  const countedOf = (id: ListId) =>
    property.isShared ? {} : { metrics: metricsOf(id, view, knownOf(overview)), ...goalAsk(view) }
  const save = (id: ListId): void =>
    void downloadList(property.id, id, { ...askOf(view), ...countedOf(id) }).catch(toastError)
  const items: MenuItem[] = [
    {
      label: text.export.list(text.export.graph),
      isDisabled: overview === undefined,
      onSelect: () => overview && saveText('overview.csv', seriesCsv(overview), 'text/csv'),
    },
    ...exported.map((id, index) => ({
      label: text.export.list(common.lists[id]),
      startsGroup: index === 0,
      onSelect: () => save(id),
    })),
  ]
  if (canExportAll)
    items.push({ label: text.export.all, startsGroup: true, onSelect: () => navigate(path('/settings/data')) })
  return <MenuRows items={items} close={close} />
}
