// Whether an automation sends, and what became of a delivery.
import type { Automation, State } from '../../api/automations.ts'
import { Badge, StatusDot, type Tone } from '../../parts/marks.tsx'
import { text } from '../../texts/en/automations.ts'

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

export const DeliveryState = ({ state }: { state: State }) => (
  <Badge tone={tones[state]}>{text.deliveryStates[state]}</Badge>
)
