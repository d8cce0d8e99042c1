// Whether an automation sends, and what became of a delivery.
import type { Attempt, Automation, Delivery, State } from '../../api/automations.ts'
import { Badge, StatusDot, type Tone } from '../../parts/marks.tsx'
import { automations as text } from '../../texts/index.ts'

export function AutomationState({ automation }: { automation: Pick<Automation, 'is_active' | 'disabled_reason'> }) {
  if (automation.is_active) return <StatusDot tone="good">{text.states.on}</StatusDot>
  if (automation.disabled_reason !== null) return <StatusDot tone="bad">{text.states.disabled}</StatusDot>
  return <StatusDot>{text.states.off}</StatusDot>
}

const tones: Readonly<Record<State, Tone>> = {
  pending: 'accent',
  held: 'warn',
  delivered: 'good',
  failed: 'bad',
  skipped: 'plain',
  erased: 'plain',
}

interface DeliveryStateProps {
  readonly state: State
  /** Of one that may be tried again. */
  readonly delivery?: Pick<Delivery, 'attempts' | 'next_attempt_ts'>
}

export function DeliveryState({ state, delivery }: DeliveryStateProps) {
  const isAgain = state === 'pending' && delivery && delivery.attempts > 0 && delivery.next_attempt_ts !== null
  return <Badge tone={isAgain ? 'warn' : tones[state]}>{isAgain ? text.tryingAgain : text.deliveryStates[state]}</Badge>
}

/** The status, and whatever the error says beyond it. */
export function outcomeWords({ status, error }: Pick<Attempt, 'status' | 'error'>): string {
  const said = error === null || error === `status ${status}` ? null : error
  return [status ?? (said === null ? text.log.noAnswer : null), said].filter((part) => part !== null).join(' · ')
}
