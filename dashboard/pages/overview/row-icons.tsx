// What stands before the label of a row, where a picture says something.
import { Globe } from 'lucide-react'
import { lazy, type ReactNode, Suspense } from 'react'
import type { ListId, ListRow } from '../../api/overview.ts'
import { dimensionOf } from '../../../server/analytics/dimensions.ts'
import { later } from '../../later.ts'
import { Flag, Icon, Logo } from '../../parts/marks.tsx'

const RowDrawing = lazy(later(async () => ({ default: (await import('./row-drawings.tsx')).RowDrawing })))

/** Undefined in lists that have none. */
export function rowIcon(id: ListId, row: ListRow): ReactNode {
  const { isPlace, icon } = dimensionOf(id)
  if (isPlace) return <Flag code={row.country_code} />
  if (icon) return row.icon_url === undefined ? <Globe /> : <Icon url={row.icon_url} />
  if (id === 'browser') return <Logo kind="browsers" name={row.id} />
  if (id === 'os') return <Logo kind="systems" name={row.id} />
  if (id !== 'channel' && id !== 'device') return undefined
  return (
    <Suspense>
      <RowDrawing list={id} id={row.id} />
    </Suspense>
  )
}
