// `footfall group create|list`: groups of short links, using only the records, so it works while the server
// runs.
import { pino } from 'pino'
import { everyGroup } from '../server/links/group-words.ts'
import { createGroup, noDirectory } from '../server/links/groups.ts'
import { type LinkGroup, MAX_DESCRIPTION, MAX_GROUP_NAME, type Purpose, purposes } from '../server/links/link-model.ts'
import { answer, columns, needed, readOptions, UsageError, write } from './command.ts'
import { propertyFor } from './which-property.ts'
import { withRecords } from './with-records.ts'

const usage = `footfall group create --name NAME [--description TEXT] [--purpose ${purposes.join('|')}] [--no-tracking]
                      [--property ID] [--json]
footfall group list [--property ID] [--json]

A group holds the short links of one campaign. With --no-tracking its clicks are not recorded. Create links with
footfall links create. --property is optional when there is only one.`

const options = {
  property: { type: 'string' },
  name: { type: 'string' },
  description: { type: 'string' },
  purpose: { type: 'string', default: 'campaign' },
  'no-tracking': { type: 'boolean', default: false },
} as const

type Values = ReturnType<typeof readOptions<typeof options>>['values']

function readPurpose(text: string): Purpose {
  const purpose = purposes.find((name) => name === text)
  if (!purpose) throw new UsageError(`--purpose must be one of: ${purposes.join(', ')}`)
  return purpose
}

function readText(text: string, option: string, max: number): string {
  if ([...text].length > max) throw new UsageError(`${option} may have at most ${max} characters`)
  return text
}

async function create(values: Values): Promise<void> {
  const draft = {
    name: readText(needed(values.name, '--name'), '--name', MAX_GROUP_NAME),
    description: readText(values.description ?? '', '--description', MAX_DESCRIPTION),
    purpose: readPurpose(values.purpose),
    track_clicks: !values['no-tracking'],
  }
  const group = await withRecords(async (deps) => {
    const { id } = await propertyFor(deps, values.property)
    return createGroup({ ...deps, links: noDirectory, log: pino({ level: 'silent' }) }, id, draft)
  })
  answer(values.json, { group }, [`Created the group ${group.name}: ${group.id}.`])
}

const cellsOf = ({ id, name, purpose, state, track_clicks, count_links }: LinkGroup): string[] => [
  id,
  name,
  purpose,
  track_clicks ? state : `${state}, not recorded`,
  `${count_links}`,
]

async function list(values: Values): Promise<void> {
  const groups = await withRecords(async (deps) => {
    const { id } = await propertyFor(deps, values.property)
    return everyGroup(deps.records, id)
  })
  const lines =
    groups.length === 0
      ? ['There is no group yet: footfall group create.']
      : columns([['ID', 'NAME', 'PURPOSE', 'STATE', 'LINKS'], ...groups.map(cellsOf)])
  answer(values.json, { groups, total: groups.length }, lines)
}

const actions: Readonly<Record<string, (values: Values) => Promise<void>>> = { create, list }

export async function group(args: string[]): Promise<number> {
  const { values, positionals } = readOptions(args, options)
  const [name = '', ...rest] = positionals
  const action = Object.hasOwn(actions, name) && rest.length === 0 ? actions[name] : undefined
  if (values.help) write(usage)
  else if (action) await action(values)
  else throw new UsageError('group takes one of: create, list')
  return 0
}
