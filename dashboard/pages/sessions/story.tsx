// The steps of a visit in the order of time, each with its moment, counted from the first.
import { Banknote, ContactRound, FileText, LayoutTemplate, Link2, TextCursorInput, Webhook, Zap } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { StoryStep } from '../../api/sessions.ts'
import { isolated, shownAddress } from '../../address.ts'
import { duration, money, percent, timeOfDay } from '../../format.ts'
import { Badge, OutsideLink, type Tone } from '../../parts/marks.tsx'
import { Happening, Timeline } from '../../parts/timeline.tsx'
import { usePropertyPath } from '../../session.tsx'
import { sessions as text } from '../../texts/index.ts'
import styles from './story.module.css'

const words = text.story
type Kind = StoryStep['kind']

const icons: Readonly<Record<Kind, ReactNode>> = {
  link: <Link2 />,
  page: <FileText />,
  event: <Zap />,
  form: <TextCursorInput />,
  contact: <ContactRound />,
  money: <Banknote />,
  content: <LayoutTemplate />,
  webhook: <Webhook />,
}

/** What is worth something stands out. */
const isOutcome = ({ kind, status }: StoryStep): boolean =>
  kind === 'money' || kind === 'contact' || (kind === 'form' && status === 'submit')

const tones: Readonly<Record<string, Tone>> = { delivered: 'good', failed: 'bad', pending: 'warn', held: 'warn' }

const spoken = (names: Readonly<Record<string, (name: string) => string>>, id: string | undefined, name: string) =>
  (names[id ?? ''] ?? ((plain: string) => plain))(name === '' ? words.deleted : name)

/** Where more is known of it. */
const places: Readonly<Partial<Record<Kind, (step: StoryStep) => string | undefined>>> = {
  link: ({ id }) => id && `/links/${id}`,
  form: ({ detail, id }) =>
    detail && `/forms/${detail}${id === undefined ? '' : `?submission=${encodeURIComponent(id)}`}`,
  contact: ({ id }) => id && `/contacts/${id}`,
  content: ({ id }) => id && `/content/${id}`,
  webhook: ({ automation_id, id }) => automation_id && `/automations/${automation_id}?delivery=${id ?? ''}`,
}

const titles: Readonly<Record<Kind, (step: StoryStep) => string>> = {
  link: ({ title }) => words.link(title),
  page: ({ title }) => (title.startsWith('/') ? isolated(shownAddress(title)) : title),
  event: ({ title }) => words.event(title),
  form: ({ title, status }) => spoken(words.form, status, title),
  contact: ({ title }) => words.known(title),
  money: ({ amount_cents, currency }) =>
    amount_cents === undefined ? words.money : `${words.money} ${money(amount_cents, currency)}`,
  content: ({ title, status }) => spoken(words.content, status, title),
  webhook: ({ title }) => words.webhook(title),
}

const details: Readonly<Partial<Record<Kind, (step: StoryStep) => ReactNode>>> = {
  link: ({ detail }) => detail && <OutsideLink url={detail} />,
  page: ({ detail }) => detail && <OutsideLink url={detail} />,
  event: ({ detail }) => detail,
  money: ({ title, detail }) => [title && words.order(title), detail].filter(Boolean).join(' · '),
  content: ({ detail }) => detail,
  webhook: ({ detail }) => detail,
}

function Engagement({ seconds, scroll }: { seconds: number; scroll: number | undefined }) {
  const said = [
    seconds > 0 ? words.engaged(duration(seconds)) : scroll === undefined ? words.nothingTold : words.notEngaged,
    ...(scroll === undefined ? [] : [words.scrolled(percent(scroll / 100))]),
  ].join(' · ')
  return (
    <div className={styles.engaged}>
      {scroll !== undefined && (
        <span className={styles.depth} aria-hidden="true">
          <span style={{ width: `${Math.max(0, Math.min(100, scroll))}%` }} />
        </span>
      )}
      {said}
    </div>
  )
}

/** Collected text: as it came, key by key. */
const Properties = ({ entries }: { entries: NonNullable<StoryStep['properties']> }) => (
  <ul className={styles.properties} aria-label={words.properties}>
    {entries.map(({ key, value }) => (
      <li key={key}>
        <span>{isolated(key)}</span> {isolated(value)}
      </li>
    ))}
  </ul>
)

function WebhookState({ status }: { status: string }) {
  const states: Readonly<Record<string, string>> = words.webhookStates
  return <Badge tone={tones[status]}>{states[status] ?? status}</Badge>
}

function Step({ step, beganTs }: { step: StoryStep; beganTs: number }) {
  const path = usePropertyPath()
  const { kind, ts, seconds, scroll, status, properties } = step
  const place = places[kind]?.(step)
  const title = titles[kind](step)
  const detail = details[kind]?.(step)
  return (
    <Happening
      icon={icons[kind]}
      isSpecial={isOutcome(step)}
      title={
        <>
          {place ? <Link href={path(place)}>{title}</Link> : title}
          {kind === 'webhook' && status !== undefined && <WebhookState status={status} />}
        </>
      }
      ts={ts}
      when={
        <>
          {timeOfDay(ts)}
          {ts > beganTs && <span>+{duration(ts - beganTs)}</span>}
        </>
      }
    >
      {detail !== undefined && detail !== '' && <p className={styles.detail}>{detail}</p>}
      {properties !== undefined && <Properties entries={properties} />}
      {seconds !== undefined && (kind === 'page' || seconds > 0) && <Engagement seconds={seconds} scroll={scroll} />}
    </Happening>
  )
}

export function Steps({ steps, beganTs }: { steps: readonly StoryStep[]; beganTs: number }) {
  return (
    <Timeline isWide>
      {steps.map((step, index) => (
        <Step key={index} step={step} beganTs={beganTs} />
      ))}
    </Timeline>
  )
}
