// The first steps of a new property, until they are done or hidden in this browser.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Circle, CircleCheck, X } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'wouter'
import { readOwnIp } from '../../api/caller.ts'
import { listConversions } from '../../api/conversions.ts'
import { listForms, readFormMail } from '../../api/forms.ts'
import { listLinks } from '../../api/links.ts'
import { listInvitations, listMembers } from '../../api/members.ts'
import { changeProperty } from '../../api/properties.ts'
import { toast, toastError } from '../../parts/announce.tsx'
import { Button, IconButton } from '../../parts/button.tsx'
import { Panel } from '../../parts/panel.tsx'
import { detailsOf, useCan, useProperty, usePropertyPath } from '../../session.tsx'
import { checklist as text } from '../../texts/index.ts'
import styles from './checklist.module.css'

type StepId = keyof typeof text.steps

const places: Readonly<Record<StepId, string>> = {
  live: '/live',
  goal: '/goals',
  link: '/links',
  form: '/forms',
  leads: '/forms',
  team: '/settings/team',
  ip: '/settings/exclusions',
}
const steps = Object.keys(places) as readonly StepId[]

const one = { page: 1, per_page: 1 }
const anyTime = { period: null, date_from: null, date_to: null }

/** Whether the first form, which new ones are made like, tells anybody of its submissions. */
async function tellsOfLeads(property: string, form: string | undefined, signal: AbortSignal): Promise<boolean> {
  return form !== undefined && (await readFormMail(property, form, signal)).recipients.length > 0
}

async function readDone(property: string, canInvite: boolean, signal: AbortSignal): Promise<ReadonlySet<StepId>> {
  const [goals, links, forms, members, invitations] = await Promise.all([
    listConversions(property, one, signal),
    listLinks(property, { search: '', group_id: '', ...anyTime, ...one }, signal),
    listForms(property, one, signal),
    canInvite ? listMembers(property, 1, signal) : undefined,
    canInvite ? listInvitations(property, signal) : undefined,
  ])
  const done: Readonly<Record<StepId, boolean>> = {
    live: true, // there is a visit, or this would not be shown
    goal: goals.total > 0,
    link: links.total > 0,
    form: forms.total > 0,
    leads: await tellsOfLeads(property, forms.data[0]?.id, signal),
    team: !canInvite || (members?.total ?? 0) > 0 || (invitations?.data.length ?? 0) > 0,
    ip: false,
  }
  return new Set(steps.filter((id) => done[id]))
}

const keyOf = (property: string): string => `footfall-checklist-${property}`

function isHidden(property: string): boolean {
  try {
    return localStorage.getItem(keyOf(property)) !== null
  } catch {
    return false
  }
}

function hide(property: string): void {
  try {
    localStorage.setItem(keyOf(property), 'hidden')
  } catch {
    // Then for this page alone.
  }
}

/** For those who may take the steps; sample data needs none. */
export function Checklist() {
  const { id, is_sample: isSample } = useProperty()
  const canEdit = useCan('admin')
  const [isGone, setGone] = useState(() => isHidden(id))
  if (!canEdit || isSample || isGone) return null
  const leave = (): void => {
    hide(id)
    setGone(true)
  }
  return <Steps onHide={leave} />
}

function Steps({ onHide }: { onHide: () => void }) {
  const { id } = useProperty()
  const canInvite = useCan('owner')
  const details = useQuery(detailsOf(id)).data
  const { data } = useQuery({
    queryKey: ['checklist', id, canInvite],
    queryFn: ({ signal }) => readDone(id, canInvite, signal),
  })
  if (!data || !details) return null
  const excluded = details.property.excluded_addresses
  const done = new Set(excluded.length > 0 ? [...data, 'ip' as const] : data)
  if (done.size === steps.length) return null
  return (
    <Panel
      title={text.title}
      subtitle={text.progress(done.size, steps.length)}
      actions={<IconButton size="small" label={text.hide} icon={<X />} onClick={onHide} />}
    >
      <ul className={styles.steps}>
        {steps.map((step) => (
          <Step key={step} id={step} isDone={done.has(step)} excluded={excluded} />
        ))}
      </ul>
    </Panel>
  )
}

interface StepProps {
  readonly id: StepId
  readonly isDone: boolean
  readonly excluded: readonly string[]
}

function Step({ id, isDone, excluded }: StepProps) {
  const path = usePropertyPath()
  return (
    <li className={isDone ? styles.done : undefined}>
      {isDone ? <CircleCheck aria-hidden="true" /> : <Circle aria-hidden="true" />}
      <Link href={path(places[id])}>{text.steps[id]}</Link>
      {isDone && <span className="visually-hidden">{text.done}</span>}
      {id === 'ip' && !isDone && <OwnIp excluded={excluded} />}
    </li>
  )
}

/** Says it, so that nobody has to look it up elsewhere. */
function OwnIp({ excluded }: { excluded: readonly string[] }) {
  const { id } = useProperty()
  const client = useQueryClient()
  const { data: ip } = useQuery({ queryKey: ['own-ip'], queryFn: ({ signal }) => readOwnIp(signal) })
  if (!ip) return null
  const exclude = async (): Promise<void> => {
    await changeProperty(id, { excluded_addresses: [...excluded, ip] })
    await client.invalidateQueries({ queryKey: ['property', id] })
    toast(text.excluded)
  }
  return (
    <span className={styles.ip}>
      {text.yourIp(ip)}
      <Button size="small" onClick={() => void exclude().catch(toastError)}>
        {text.exclude}
      </Button>
    </span>
  )
}
