// The first run of a property: the line for the site, and the first visit as it arrives.
import { useQuery } from '@tanstack/react-query'
import { CircleCheck } from 'lucide-react'
import { useEffect } from 'react'
import { readTracking, type Tracking } from '../../api/properties.ts'
import { LinkButton } from '../../parts/button.tsx'
import { announce } from '../../parts/announce.tsx'
import { OutsideLink, StatusDot } from '../../parts/marks.tsx'
import { PageHeader, Panel, Stack } from '../../parts/panel.tsx'
import { Note } from '../../parts/states.tsx'
import { detailsOf, useProperty, usePropertyPath } from '../../session.tsx'
import { start as text } from '../../texts/index.ts'
import { useTitle } from '../../title.ts'
import { Install } from './install.tsx'
import styles from './page.module.css'

const ASK_MS = 2_000

const hasVisit = (tracking: Tracking | undefined): boolean => (tracking?.first_view_ts ?? null) !== null

export default function StartPage() {
  const property = useProperty()
  const path = usePropertyPath()
  useTitle(text.start.title, property.name)
  const tracking = useQuery({
    queryKey: ['tracking', property.id],
    queryFn: ({ signal }) => readTracking(property.id, signal),
    refetchInterval: ({ state }) => (hasVisit(state.data) ? false : ASK_MS),
    staleTime: 0,
  })
  const hasArrived = hasVisit(tracking.data)
  useEffect(() => {
    if (hasArrived) announce(text.start.arrived)
  }, [hasArrived])
  const host = tracking.data?.hosts[0]?.host
  return (
    <div className={styles.narrow}>
      <PageHeader title={text.start.title} subtitle={text.start.subtitle(property.name)} />
      <Stack>
        <Panel title={text.start.snippetTitle} subtitle={text.start.snippetHint}>
          <Install />
        </Panel>
        <Panel title={text.start.waitTitle}>
          {hasArrived ? (
            <div className={styles.arrived}>
              <Note tone="good" icon={<CircleCheck aria-hidden="true" />}>
                {host === undefined ? text.start.arrived : text.start.arrivedOn(host)}
              </Note>
            </div>
          ) : (
            <div className={styles.waiting}>
              <p className={styles.words}>
                <StatusDot tone="good" isLive>
                  {text.start.waiting}
                </StatusDot>
              </p>
              <SiteLink />
              <p className={styles.hint}>{text.start.waitingHint}</p>
              <p className={styles.hint}>{text.start.trouble}</p>
            </div>
          )}
        </Panel>
        <div>
          <LinkButton href={path()} look={hasArrived ? 'primary' : 'plain'}>
            {hasArrived ? text.start.toOverview : text.start.skip}
          </LinkButton>
        </div>
      </Stack>
    </div>
  )
}

/** The property's own site, in another tab. */
function SiteLink() {
  const { id } = useProperty()
  const [host] = useQuery(detailsOf(id)).data?.property.domains ?? []
  if (host === undefined) return null
  return (
    <p>
      <OutsideLink url={['https://', host].join('')}>{text.start.open(host)}</OutsideLink>
    </p>
  )
}
