// Short links: the list of links or of groups, one of either, and many made at once.
import { lazy } from 'react'
import type { PageProps } from '../../app.tsx'
import { later } from '../../later.ts'
import { withTexts } from '../../texts/index.ts'
import { GroupPage } from './group.tsx'
import { LinkPage } from './link.tsx'
import { Lists } from './lists.tsx'

const EditsPage = lazy(later(() => import('./edits.tsx')))
const ManyPage = lazy(later(withTexts(['bulk'], () => import('./many.tsx'))))

export default function LinksPage({ rest: [named, group] }: PageProps) {
  if (named === undefined) return <Lists chosen="links" />
  if (named === 'many') return <ManyPage />
  if (named === 'edits') return <EditsPage />
  if (named !== 'groups') return <LinkPage key={named} id={named} />
  return group === undefined ? <Lists chosen="groups" /> : <GroupPage key={group} id={group} />
}
