// `footfall content …`: blocks, their versions and their history, using only the records, so it works while
// the server runs.
import { createBlock, removeBlock, blockJson, updateBlock } from '../server/content/blocks.ts'
import { noContentDirectory } from '../server/content/changes.ts'
import { type Block, type Goal, goalTypes } from '../server/content/content-model.ts'
import { listEdits, listPhases, undoEdit } from '../server/content/edits.ts'
import type { Edit, Phase } from '../server/content/history-records.ts'
import { htmlPolicies } from '../server/html/content-html.ts'
import { COMMAND_LINE_EDITOR } from '../server/kernel/edits.ts'
import { answer, columns, needed, readOptions, UsageError, write } from './command.ts'
import { type ContentAction, type ContentValues, options, readWeight } from './content-options.ts'
import { versionActions } from './content-versions.ts'
import { everyBlock, withBlock } from './which-content.ts'
import { propertyFor } from './which-property.ts'
import { type Recorded, withRecords } from './with-records.ts'
import { everyRow } from '../server/kernel/page.ts'

const usage = `footfall content create --name NAME [--key KEY] [--goal GOAL] [--property ID] [--json]
footfall content list [--property ID] [--json]
footfall content show|archive|restore CONTENT [--property ID] [--json]
footfall content set CONTENT [--name NAME] [--goal GOAL] [--weight VERSION_ID=N]... [--property ID] [--json]
footfall content delete CONTENT --yes [--property ID] [--json]
footfall content add-version CONTENT --label LABEL [--html FILE|-] [--cta KEY[=LABEL][=URL]]... [--weight N]
                             [--inactive] [--property ID] [--json]
footfall content set-version CONTENT VERSION_ID [--label LABEL] [--html FILE|-] [--cta KEY[=LABEL][=URL]]...
                             [--weight N] [--active|--inactive] [--property ID] [--json]
footfall content remove-version CONTENT VERSION_ID [--property ID] [--json]
footfall content phases|edits CONTENT [--property ID] [--json]
footfall content undo CONTENT EDIT_ID [--property ID] [--json]
footfall content policy [--property ID] [--json]
footfall content results CONTENT [--phase N] [--property ID] [--json]

CONTENT is an id, a key or a name. GOAL is click, click:CTA_KEY, event:NAME, form:FORM_ID or conversion:CONVERSION_ID: the
metric that versions are compared by. Any change to what visitors see starts a new phase; repeat --weight to change several
versions at once. The --cta options of set-version replace the whole list: an existing KEY keeps its label and URL unless you
give new ones, and KEY=LABEL= removes the URL. HTML is sanitized by the policy of the property: policy shows what is allowed
(footfall property set --content-policy widens it), and you see what was removed. Every change can be undone. A running server
picks up changes within two seconds.
More: docs/api/content.md. --property is optional when there is only one.`

const toChange = (deps: Recorded) => ({ ...deps, content: noContentDirectory, editor: COMMAND_LINE_EDITOR })

// ---------------------------------------------------------------- reading and showing

function readGoal(word: string): Goal {
  const colon = word.indexOf(':')
  const name = colon === -1 ? word : word.slice(0, colon)
  const type = goalTypes.find((known) => known === name)
  if (!type) throw new UsageError(`--goal must be one of: ${goalTypes.join(', ')}, with what it is of after a colon`)
  return { type, value: colon === -1 ? null : word.slice(colon + 1) }
}

function readWeights(words: readonly string[]): Record<string, number> {
  return Object.fromEntries(
    words.map((word) => {
      const [id = '', weight, ...rest] = word.split('=')
      if (weight === undefined || rest.length > 0) throw new UsageError('--weight must be VERSION_ID=N')
      return [id, readWeight(weight)]
    }),
  )
}

const goalWords = ({ type, value }: Goal): string => (value === null ? type : `${type}:${value}`)

const stateOf = ({ is_archived, versions }: Pick<Block, 'is_archived'> & { versions: readonly Weighed[] }): string =>
  is_archived ? 'archived' : versions.some(({ is_active, weight }) => is_active && weight > 0) ? 'on' : 'shows nothing'

interface Weighed {
  readonly id: string
  readonly label: string
  readonly weight: number
  readonly is_active: boolean
}

function shareOf(version: Weighed, versions: readonly Weighed[]): string {
  const sum = versions.reduce((total, { is_active, weight }) => total + (is_active ? weight : 0), 0)
  return version.is_active && sum > 0 ? `${((version.weight / sum) * 100).toFixed(1)}%` : '-'
}

const blockLines = (block: Block): string[] => [
  ...columns([
    ['  id', block.id],
    ['  key', `${block.key}  (public: pages send it to render)`],
    ['  goal', goalWords(block.goal)],
    ['  state', stateOf(block)],
    ['  phase', String(block.phase)],
  ]),
  '',
  ...(block.versions.length === 0
    ? ['  No version yet: footfall content add-version.']
    : columns([
        ['  VERSION', 'SHARE', 'WEIGHT', 'LABEL'],
        ...block.versions.map((version) => [
          `  ${version.id}`,
          shareOf(version, block.versions),
          String(version.weight),
          version.label,
        ]),
      ])),
]

function answerChanged(values: ContentValues, block: Block, says: string): void {
  answer(values.json, { content: blockJson(block) }, [
    `${says} the content block ${block.name}.`,
    '',
    ...blockLines(block),
  ])
}

// ---------------------------------------------------------------- the actions

const create: ContentAction = async (values) => {
  const body = {
    name: needed(values.name, '--name'),
    ...(values.key !== undefined && { key: values.key }),
    ...(values.goal !== undefined && { goal: readGoal(values.goal) }),
  }
  const block = await withRecords(async (deps) =>
    createBlock(toChange(deps), (await propertyFor(deps, values.property)).id, body),
  )
  answerChanged(values, block, 'Created')
}

const list: ContentAction = async (values) => {
  const blocks = await withRecords(async (deps) => everyBlock(deps, (await propertyFor(deps, values.property)).id))
  const cells = blocks.map((block) => [
    block.id,
    block.key,
    stateOf(block),
    String(block.versions.length),
    goalWords(block.goal),
    block.name,
  ])
  const lines =
    blocks.length === 0
      ? ['There is no content block yet: footfall content create.']
      : columns([['ID', 'KEY', 'STATE', 'VERSIONS', 'GOAL', 'NAME'], ...cells])
  answer(values.json, { content: blocks.map(blockJson), total: blocks.length }, lines)
}

const show: ContentAction = async (values, [word]) => {
  const block = await withBlock(values, word, async (_deps, found) => found)
  const htmls = block.versions.flatMap(({ id, html }) => ['', `${id}:`, html])
  answer(values.json, { content: blockJson(block) }, [block.name, '', ...blockLines(block), ...htmls])
}

const changing =
  (says: string, read: (values: ContentValues) => object): ContentAction =>
  async (values, [word]) => {
    const change = read(values)
    const block = await withBlock(values, word, async (deps, { id, property_id }) =>
      updateBlock(toChange(deps), property_id, id, change),
    )
    answerChanged(values, block, says)
  }

const readChange = ({ name, goal, weight }: ContentValues): object => ({
  ...(name !== undefined && { name }),
  ...(goal !== undefined && { goal: readGoal(goal) }),
  ...(weight.length > 0 && { weights: readWeights(weight) }),
})

/** The only action that needs the facts: their engine takes longer to load than everything else. */
const results: ContentAction = async (...asked) => (await import('./content-results.ts')).results(...asked)

const remove: ContentAction = async (values, [word]) => {
  if (!values.yes) throw new UsageError('this permanently deletes its versions, history and results: add --yes')
  const block = await withBlock(values, word, async (deps, found) => {
    await removeBlock(toChange(deps), found.property_id, found.id)
    return found
  })
  answer(values.json, { deleted: true, id: block.id }, [`Deleted the content block ${block.name}.`])
}

const editCells = (edit: Edit): string[] => [
  edit.id,
  new Date(edit.edited_ms).toISOString(),
  edit.kind,
  edit.version_id ?? 'the block',
  Object.keys({ ...edit.before, ...edit.after }).join(', '),
]

const edits: ContentAction = async (values, [word]) => {
  const rows = await withBlock(values, word, async (deps, { id, property_id }) =>
    everyRow((ask) => listEdits(deps, property_id, id, ask)),
  )
  answer(
    values.json,
    { edits: rows, total: rows.length },
    columns([['EDIT', 'AT', 'KIND', 'OF', 'FIELDS'], ...rows.map(editCells)]),
  )
}

const timeOf = (timeMs: number | null): string => (timeMs === null ? 'counts now' : new Date(timeMs).toISOString())

const phaseCells = ({ number, started_ms, ended_ms, setup }: Phase): string[] => [
  String(number),
  timeOf(started_ms),
  timeOf(ended_ms),
  setup.map(({ label, weight }) => `${label}=${weight}`).join(', ') || '-',
]

const phases: ContentAction = async (values, [word]) => {
  const rows = await withBlock(values, word, async (deps, { id, property_id }) =>
    everyRow((ask) => listPhases(deps, property_id, id, ask)),
  )
  answer(
    values.json,
    { phases: rows, total: rows.length },
    columns([['PHASE', 'FROM', 'TO', 'VERSIONS'], ...rows.map(phaseCells)]),
  )
}

const undo: ContentAction = async (values, [word, editId]) => {
  const id = needed(editId, 'the id of the edit')
  const { block, removed } = await withBlock(values, word, async (deps, found, owner) =>
    undoEdit(toChange(deps), owner, found.id, id),
  )
  answer(values.json, { content: blockJson(block), removed }, [
    `Undid the change ${id}.`,
    ...removed.map((what) => `  taken out: ${what}`),
    '',
    ...blockLines(block),
  ])
}

const policy: ContentAction = async (values) => {
  const { content_policy } = await withRecords((deps) => propertyFor(deps, values.property))
  const { tags, attributes, schemes, styles } = htmlPolicies[content_policy]
  answer(values.json, { content_policy, policies: htmlPolicies }, [
    `The policy ${content_policy} is in force.`,
    '',
    `Tags: ${tags.join(' ')}`,
    `Links: ${schemes.join(' ')}`,
    ...Object.entries(attributes).map(([tag, names]) => `Attributes of ${tag}: ${names.join(' ')}`),
    ...(styles.length > 0 ? [`Styles: ${styles.join(' ')}`] : []),
  ])
}

/** With the number of positional words of each. */
const actions: Readonly<Record<string, readonly [ContentAction, number]>> = {
  create: [create, 0],
  list: [list, 0],
  policy: [policy, 0],
  show: [show, 1],
  set: [changing('Changed', readChange), 1],
  archive: [changing('Archived', () => ({ is_archived: true })), 1],
  restore: [changing('Restored', () => ({ is_archived: false })), 1],
  delete: [remove, 1],
  phases: [phases, 1],
  edits: [edits, 1],
  undo: [undo, 2],
  results: [results, 1],
  ...versionActions,
}

export async function content(args: string[]): Promise<number> {
  const { values, positionals } = readOptions(args, options)
  const [name = '', ...words] = positionals
  const [action, most = 0] = (Object.hasOwn(actions, name) && actions[name]) || []
  if (values.help) write(usage)
  else if (action && words.length <= most) await action(values, words)
  else throw new UsageError(`content takes one of: ${Object.keys(actions).join(', ')}`)
  return 0
}
