// What chats and social networks show of a link, and a dialog that changes it.
import { useQuery } from '@tanstack/react-query'
import { Pencil } from 'lucide-react'
import { lazy, Suspense } from 'react'
import { type Link, readCard } from '../../api/links.ts'
import { later } from '../../later.ts'
import { Button } from '../../parts/button.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Loaded, SkeletonLines } from '../../parts/states.tsx'
import { useCan, useProperty } from '../../session.tsx'
import { link as text } from '../../texts/index.ts'
import { flagParam, useUrlState } from '../../url.ts'
import { cardKey } from './links.ts'
import { PreviewCard } from './preview-card.tsx'
import styles from './links.module.css'

const CardDialog = lazy(later(() => import('./card-dialog.tsx')))

const words = text.card
const codecs = { card: flagParam }

export function CardPanel({ link }: { link: Link }) {
  const property = useProperty()
  const canEdit = useCan('admin')
  const [{ card: isOpen }, setState] = useUrlState<{ card: boolean }>(codecs)
  const card = useQuery({
    queryKey: cardKey(property.id, link.id),
    queryFn: ({ signal }) => readCard(property.id, link.id, signal),
  })
  const edit = canEdit && card.data && (
    <Button size="small" icon={<Pencil aria-hidden="true" />} onClick={() => setState({ card: true })}>
      {card.data.card ? words.edit : words.add}
    </Button>
  )
  return (
    <Panel title={words.title} actions={edit}>
      <Loaded query={card} skeleton={<SkeletonLines lines={2} />}>
        {({ card: loaded }) => (
          <>
            {loaded ? (
              <PreviewCard card={loaded} shortUrl={link.short_url} />
            ) : (
              <p className={styles.aside}>{words.none}</p>
            )}
            {isOpen && canEdit && (
              <Suspense>
                <CardDialog link={link} card={loaded} onClose={() => setState({ card: false }, { replace: true })} />
              </Suspense>
            )}
          </>
        )}
      </Loaded>
    </Panel>
  )
}
