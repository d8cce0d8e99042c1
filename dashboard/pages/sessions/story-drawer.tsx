// The story of one visit, from the side: what is known of it, and what happened in it step by step.
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { ApiError } from '../../api.ts'
import { readStory, type Story } from '../../api/sessions.ts'
import { dateTime, money } from '../../format.ts'
import type { AroundProps } from '../../parts/around.tsx'
import { Drawer } from '../../parts/dialog.tsx'
import { Badge, Flag, OutsideLink } from '../../parts/marks.tsx'
import { Facts } from '../../parts/panel.tsx'
import { EmptyState, Loaded, Note, Skeleton, SkeletonLines } from '../../parts/states.tsx'
import { useProperty, usePropertyPath } from '../../session.tsx'
import { sessions as text } from '../../texts/index.ts'
import { Invalid } from './invalid.tsx'
import styles from './story.module.css'
import { Steps } from './story.tsx'
import { channelOf, campaignOf, deviceOf, placeOf, sourceOf, timeOf } from './words.ts'

export interface StoryDrawerProps {
  readonly session: string
  /** Its neighbours in the list. */
  readonly around: AroundProps | undefined
  readonly onClose: () => void
}

export function StoryDrawer({ session, around, onClose }: StoryDrawerProps) {
  const property = useProperty()
  const story = useQuery({
    queryKey: ['story', property.id, session],
    queryFn: ({ signal }) => readStory(property.id, session, signal),
  })
  const known = story.data?.session
  return (
    <Drawer
      title={known?.contact_name ?? text.story.title}
      subtitle={known ? `${dateTime(known.entry_ts)} · ${timeOf(known)}` : <Skeleton width="14rem" />}
      onClose={onClose}
      around={around}
    >
      {story.error instanceof ApiError && story.error.status === 404 ? (
        <EmptyState title={text.story.missing} />
      ) : (
        <Loaded query={story} skeleton={<SkeletonLines lines={14} />}>
          {(answer) => <Told story={answer} />}
        </Loaded>
      )}
    </Drawer>
  )
}

const orNothing = (name: string, value: ReactNode) => (value === undefined ? null : ([name, value] as const))

function Told({ story: { session, story } }: { story: Story }) {
  const path = usePropertyPath()
  const { contact_id, contact_name, request_country, entry_url, tags, signal_value_amount } = session
  const place = placeOf(session)
  const channel = [sourceOf(session), channelOf(session)].filter((words) => words !== undefined)
  return (
    <div className={styles.told}>
      {session.is_invalid && <Note tone="warn">{text.story.invalid.note}</Note>}
      <section aria-label={text.story.about}>
        <Facts
          rows={[
            contact_id === undefined
              ? null
              : [
                  text.story.contact,
                  <Link key="contact" href={path(`/contacts/${contact_id}`)}>
                    {contact_name ?? text.story.openContact}
                  </Link>,
                ],
            orNothing(text.story.from, channel.length === 0 ? undefined : [...new Set(channel)].join(' · ')),
            orNothing(text.story.campaign, campaignOf(session)),
            orNothing(text.story.landed, entry_url && <OutsideLink url={entry_url} />),
            orNothing(
              text.story.place,
              place && (
                <span className={styles.place}>
                  <Flag code={request_country} /> {place}
                </span>
              ),
            ),
            orNothing(text.story.device, deviceOf(session)),
            orNothing(text.story.language, session.request_lang),
            orNothing(
              text.story.value,
              signal_value_amount === undefined ? undefined : money(signal_value_amount, session.signal_value_currency),
            ),
            orNothing(text.story.tags, tags.length === 0 ? undefined : <Tags tags={tags} />),
          ]}
        />
      </section>
      <section aria-labelledby="what-happened">
        <h3 id="what-happened" className={styles.heading}>
          {text.story.whatHappened}
        </h3>
        {story.length === 0 ? (
          <p className={styles.soft}>{text.story.empty}</p>
        ) : (
          <Steps steps={story} beganTs={session.entry_ts} />
        )}
      </section>
      <Invalid session={session} />
    </div>
  )
}

const Tags = ({ tags }: { tags: readonly { key: string; value: string }[] }) => (
  <span className={styles.tags}>
    {tags.map(({ key, value }, index) => (
      <Badge key={index}>{value === '' ? key : `${key}: ${value}`}</Badge>
    ))}
  </span>
)
