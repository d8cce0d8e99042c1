// What is waited for, in words.
import type { TriggerSpec } from '../../api/automations.ts'
import { triggers } from '../../../server/kernel/trigger-table.ts'
import { isolated, shownAddress } from '../../address.ts'
import { automations as text } from '../../texts/index.ts'

export const STAGE = 'lifecycle_stage:'

const transitions: Readonly<Record<string, string>> = text.transitions

function valueWords({ event_type, event_value }: TriggerSpec, formNames: ReadonlyMap<string, string>): string {
  if (event_value === null) return text.any[event_type]
  const kind = triggers[event_type].value
  if (kind === 'form') return formNames.get(event_value) ?? text.values.gone
  if (kind === 'path') return isolated(shownAddress(event_value))
  if (kind !== 'transition') return event_value
  if (event_value.startsWith(STAGE)) return text.stageOf(event_value.slice(STAGE.length))
  return transitions[event_value] ?? event_value
}

/** `formNames` by id; a name that is not known yet is one that is gone. */
export function triggerWords(trigger: TriggerSpec, formNames: ReadonlyMap<string, string>): string {
  const value = valueWords(trigger, formNames)
  return [text.triggers[trigger.event_type], value].filter(Boolean).join(' · ')
}
