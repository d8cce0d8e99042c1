// The words for triggers, as options name them.
import { type TriggerType, triggerTypes } from '../server/kernel/trigger-table.ts'
import { UsageError } from './command.ts'

/** As a sentence names them. */
export const triggerWords = (types: readonly TriggerType[]): string =>
  `${types.slice(0, -1).join(', ')} or ${types.at(-1)}`

/** @throws UsageError */
export function readTriggerType(text: string, option: string): TriggerType {
  const type = triggerTypes.find((name) => name === text)
  if (!type) throw new UsageError(`${option} must be one of: ${triggerTypes.join(', ')}`)
  return type
}
