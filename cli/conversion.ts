// `footfall conversion create|list|delete`: what counts as a success, using only the records, so it works
// while the server runs.
import type { Conversion } from '../server/conversions/conversion-model.ts'
import { createConversion, listConversions, removeConversion } from '../server/conversions/conversions.ts'
import { countedTypes } from '../server/kernel/trigger-table.ts'
import { answer, columns, needed, readOptions, UsageError, write } from './command.ts'
import { readTriggerType, triggerWords } from './trigger.ts'
import { propertyFor } from './which-property.ts'
import { withRecords } from './with-records.ts'
import { everyRow } from '../server/kernel/page.ts'

const usage = `footfall conversion create --name NAME --type TYPE [--value VALUE] [--property ID] [--json]
footfall conversion list [--property ID] [--json]
footfall conversion delete CONVERSION_ID [--property ID] [--json]

A conversion is a goal: what you count as success. TYPE is
${triggerWords(countedTypes)}. --value narrows it down: a form id, an event name or a path (* is a wildcard). Its statistics are at
/manage/properties/ID/conversions/CONVERSION_ID/statistics. A conversion that an automation uses as a condition cannot be deleted.
--property is optional when there is only one.`

const options = {
  name: { type: 'string' },
  type: { type: 'string' },
  value: { type: 'string' },
  property: { type: 'string' },
} as const

type Values = ReturnType<typeof readOptions<typeof options>>['values']

async function create(values: Values): Promise<void> {
  const ask = {
    name: needed(values.name, '--name'),
    event_type: readTriggerType(needed(values.type, '--type'), '--type'),
    event_value: values.value ?? null,
  }
  const conversion = await withRecords(async (deps) =>
    createConversion(deps, (await propertyFor(deps, values.property)).id, ask),
  )
  answer(values.json, { conversion }, [`Created the conversion ${conversion.name}: ${conversion.id}.`])
}

const cellsOf = ({ id, name, event_type, event_value }: Conversion) => [id, name, event_type, event_value ?? 'any']

async function list(values: Values): Promise<void> {
  const conversions = await withRecords(async (deps) => {
    const { id } = await propertyFor(deps, values.property)
    return everyRow((ask) => listConversions(deps, id, ask))
  })
  const lines =
    conversions.length === 0
      ? ['There is no conversion yet: footfall conversion create.']
      : columns([['ID', 'NAME', 'TYPE', 'VALUE'], ...conversions.map(cellsOf)])
  answer(values.json, { conversions, total: conversions.length }, lines)
}

async function remove(values: Values, word: string | undefined): Promise<void> {
  const id = needed(word, 'the id of the conversion')
  await withRecords(async (deps) => removeConversion(deps, (await propertyFor(deps, values.property)).id, id))
  answer(values.json, { deleted: id }, [`Deleted the conversion ${id}.`])
}

const actions: Readonly<
  Record<string, { readonly words: number; readonly run: (values: Values, word?: string) => Promise<void> }>
> = {
  create: { words: 0, run: create },
  list: { words: 0, run: list },
  delete: { words: 1, run: remove },
}

export async function conversion(args: string[]): Promise<number> {
  const { values, positionals } = readOptions(args, options)
  const [name = '', ...words] = positionals
  const action = Object.hasOwn(actions, name) ? actions[name] : undefined
  if (values.help) write(usage)
  else if (action && words.length <= action.words) await action.run(values, words[0])
  else throw new UsageError('conversion takes one of: create, list, delete CONVERSION_ID')
  return 0
}
