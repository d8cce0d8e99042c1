// The words for triggers, as options name them.
import { type TriggerType, triggerTypes } from '../server/kernel/triggers.ts'
import { UsageError } from './command.ts'

/** @throws UsageError */
export function readTriggerType(text: string, option: string): TriggerType {
  const type = triggerTypes.find((name) => name === text)
  if (!type) throw new UsageError(`${option} must be one of: ${triggerTypes.join(', ')}`)
  return type
}
