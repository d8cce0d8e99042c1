// “Is my tracking working?”: what arrives, what to do about what does not, and the line for the site.
import { useQuery } from '@tanstack/react-query'
import { CircleCheck, Info } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { Link } from 'wouter'
import { readTracking, type Tracking } from '../../api/properties.ts'
import { ago, dateTime, NO_FIGURE, number } from '../../format.ts'
import { announce } from '../../parts/announce.tsx'
import { Button } from '../../parts/button.tsx'
import { Badge, StatusDot } from '../../parts/marks.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Loaded, Note, Skeleton, SkeletonLines } from '../../parts/states.tsx'
import { type Column, DataTable } from '../../parts/table.tsx'
import { useProperty, usePropertyPath } from '../../session.tsx'
import { settings as all } from '../../texts/index.ts'
import { Guards } from './guards.tsx'
import styles from './page.module.css'
import { Snippets } from './snippets.tsx'

const text = all.tracking

/** While nothing has come, its owner sits in front of this and waits. */
const WAITING_MS = 2_000
const WATCHING_MS = 15_000

export function TrackingSection() {
  const property = useProperty()
  const tracking = useQuery({
    queryKey: ['tracking', property.id],
    queryFn: ({ signal }) => readTracking(property.id, signal),
    refetchInterval: ({ state }) => ((state.data?.first_view_ts ?? null) === null ? WAITING_MS : WATCHING_MS),
    staleTime: 0,
  })
  return (
    <>
      <Panel
        title={text.status}
        subtitle={text.statusHint}
        actions={
          <Button size="small" onClick={() => void tracking.refetch()}>
            {text.check}
          </Button>
        }
      >
        <Loaded query={tracking} skeleton={<StatusSkeleton />}>
          {(answer) => <Status tracking={answer} />}
        </Loaded>
      </Panel>
      <Panel title={text.snippet} subtitle={text.snippetHint}>
        <Snippets />
      </Panel>
      {(tracking.data?.hosts.length ?? 0) > 0 && (
        <Panel title={text.hosts} isFlush>
          <Hosts tracking={tracking.data} />
        </Panel>
      )}
      <Guards />
      {(tracking.data?.refused.length ?? 0) > 0 && (
        <Panel title={text.refused} subtitle={text.refusedHint} isFlush>
          <Refused tracking={tracking.data} />
        </Panel>
      )}
    </>
  )
}

function Status({ tracking }: { tracking: Tracking }) {
  const { first_view_ts: first, last_view_ts: last, views_24h: views, errors_24h: errors } = tracking
  useFirstView(first !== null)
  return (
    <div className={styles.status}>
      <Headline tracking={tracking} />
      {first === null ? (
        <p className={styles.hint}>{text.waitingHint}</p>
      ) : (
        <dl className={styles.figures}>
          <Figure name={text.first} value={dateTime(first)} />
          <Figure name={text.views} value={number(views)} />
          <Figure name={text.errors} value={number(errors)} />
        </dl>
      )}
      <Advice tracking={tracking} />
      {last !== null && tracking.libraries.length > 0 && (
        <p className={styles.hint}>
          {text.libraries(tracking.libraries.map(({ version }) => version || text.ownScript).join(', '))}
        </p>
      )}
    </div>
  )
}

const Figure = ({ name, value }: { name: string; value: string }) => (
  <div>
    <dt>{name}</dt>
    <dd>{value}</dd>
  </div>
)

function Headline({ tracking: { last_view_ts: last, views_24h: views } }: { tracking: Tracking }) {
  if (last === null)
    return (
      <p className={styles.headline}>
        <StatusDot tone="warn" isLive>
          {text.waiting}
        </StatusDot>
      </p>
    )
  return (
    <p className={styles.headline}>
      <StatusDot tone={views > 0 ? 'good' : 'warn'}>
        {views > 0 ? text.working(ago(last)) : text.quiet(ago(last))}
      </StatusDot>
    </p>
  )
}

/** Said aloud when it comes while somebody waits. */
function useFirstView(hasArrived: boolean): void {
  const waited = useRef(!hasArrived)
  useEffect(() => {
    if (!hasArrived || !waited.current) return
    waited.current = false
    announce(text.working(ago(Date.now() / 1000)))
  }, [hasArrived])
}

type Code = keyof typeof text.advice

const isKnown = (code: string): code is Code => Object.hasOwn(text.advice, code)

/** Where each can be mended. */
const places: Readonly<Record<string, { path: string; words: string }>> = {
  only_bots: { path: '/bots', words: text.toBots },
  foreign_hosts: { path: '/settings/general', words: text.toDomains },
  refused_hosts: { path: '/settings/general', words: text.toDomains },
  library_errors: { path: '/bots?tab=errors', words: text.toErrors },
  excluded_self: { path: '/settings/exclusions', words: text.toExclusions },
}

function Advice({ tracking }: { tracking: Tracking }) {
  const path = usePropertyPath()
  // What has just been said above needs no repetition.
  const advice = tracking.advice.filter(({ code }) => code !== 'no_view')
  if (advice.length === 0)
    return tracking.first_view_ts === null ? null : (
      <Note tone="good" icon={<CircleCheck aria-hidden="true" />}>
        {text.allWell}
      </Note>
    )
  return (
    <ul className={styles.advice}>
      {advice.map(({ code, text: sentence }) => {
        const place = places[code]
        return (
          <li key={code}>
            <Note tone="warn" icon={<Info aria-hidden="true" />}>
              {isKnown(code) ? text.advice[code] : sentence}{' '}
              {place !== undefined && <Link href={path(place.path)}>{place.words}</Link>}
            </Note>
          </li>
        )
      })}
    </ul>
  )
}

type Host = Tracking['hosts'][number]

const hostColumns: readonly Column<Host>[] = [
  { id: 'host', header: text.host, cell: ({ host }) => host || text.noHost },
  {
    id: 'own',
    header: text.belongs,
    cell: ({ is_own }) => (is_own ? <Badge>{text.own}</Badge> : <Badge tone="warn">{text.foreign}</Badge>),
  },
  { id: 'views', header: text.hostViews, align: 'end', cell: ({ views }) => number(views) },
]

const Hosts = ({ tracking }: { tracking: Tracking | undefined }) => (
  <DataTable caption={text.hosts} columns={hostColumns} rows={tracking?.hosts} rowKey={({ host }) => host} />
)

type Refusal = Tracking['refused'][number]

const refusalColumns: readonly Column<Refusal>[] = [
  { id: 'reason', header: text.refusedWhat, cell: ({ reason }) => text.reasons[reason] },
  {
    id: 'host',
    header: text.host,
    cell: ({ reason, host }) => host ?? (reason === 'host' ? text.otherHosts : NO_FIGURE),
  },
  { id: 'calls', header: text.refusedCalls, align: 'end', cell: ({ calls }) => number(calls) },
]

const Refused = ({ tracking }: { tracking: Tracking | undefined }) => (
  <DataTable
    caption={text.refused}
    columns={refusalColumns}
    rows={tracking?.refused}
    rowKey={({ reason, host }) => `${reason} ${host ?? ''}`}
  />
)

/** Of the height of what follows. */
const StatusSkeleton = () => (
  <div className={styles.status}>
    <p className={styles.headline}>
      <Skeleton width="20rem" />
    </p>
    <dl className={styles.figures}>
      {[text.first, text.views, text.errors].map((name) => (
        <Figure key={name} name={name} value={NO_FIGURE} />
      ))}
    </dl>
    <SkeletonLines lines={2} />
  </div>
)
