// The first run of a property: the line for the site, and the first visit as it arrives.
import { useQuery } from '@tanstack/react-query'
import { CircleCheck } from 'lucide-react'
import { useEffect } from 'react'
import { readTracking, type Tracking } from '../../api/properties.ts'
import { LinkButton } from '../../parts/button.tsx'
import { CodeBlock } from '../../parts/copy.tsx'
import { announce } from '../../parts/announce.tsx'
import { StatusDot } from '../../parts/marks.tsx'
import { PageHeader, Panel, Stack } from '../../parts/panel.tsx'
import { Note } from '../../parts/states.tsx'
import { useProperty, usePropertyPath } from '../../session.tsx'
import { trackingSnippet } from '../../snippet.ts'
import { start as text } from '../../texts/index.ts'
import { useTitle } from '../../title.ts'
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
          <CodeBlock label={text.start.snippetLabel} code={trackingSnippet(property.key)} />
        </Panel>
        <Panel title={text.start.waitTitle}>
          {hasArrived ? (
            <Note tone="good" icon={<CircleCheck aria-hidden="true" />}>
              {host === undefined ? text.start.arrived : text.start.arrivedOn(host)}
            </Note>
          ) : (
            <div className={styles.waiting}>
              <p className={styles.words}>
                <StatusDot tone="good" isLive>
                  {text.start.waiting}
                </StatusDot>
              </p>
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
