// The versions of a content block on the command line.
import { noContentDirectory } from '../server/content/changes.ts'
import type { Cta, Version } from '../server/content/content-model.ts'
import {
  createVersion,
  getVersion,
  removeVersion,
  type SavedVersion,
  updateVersion,
} from '../server/content/versions.ts'
import { COMMAND_LINE_EDITOR } from '../server/kernel/edits.ts'
import { answer, columns, needed, UsageError } from './command.ts'
import { type ContentAction, type ContentValues, readWeight } from './content-options.ts'
import { readText } from './source-file.ts'
import { withBlock } from './which-content.ts'
import type { Recorded } from './with-records.ts'

const toChange = (deps: Recorded) => ({ ...deps, content: noContentDirectory, editor: COMMAND_LINE_EDITOR })

const ADDRESS = /^(?:https?:|mailto:|tel:|[/?#])/i

/** `LABEL=URL`, or either alone. A URL may contain `=`, a label may not. */
function readTarget(text: string): { readonly label?: string; readonly url: string | null } {
  const equals = ADDRESS.test(text) ? -1 : text.indexOf('=')
  const url = text.slice(equals + 1)
  return { ...(equals !== -1 && { label: text.slice(0, equals) }), url: url === '' ? null : url }
}

/** Of a key that the version already has, members that are not given stay. */
function readCta(word: string, ctas: readonly Cta[]): object {
  const equals = word.indexOf('=')
  const key = equals === -1 ? word : word.slice(0, equals)
  const known = ctas.find((cta) => cta.key === key)
  return { ...known, key, ...(equals !== -1 && readTarget(word.slice(equals + 1))) }
}

function readState({ active, inactive }: ContentValues): object {
  if (active && inactive) throw new UsageError('--active and --inactive: say one of them')
  return active || inactive ? { is_active: active } : {}
}

function readOneWeight([weight, ...others]: readonly string[]): object {
  if (others.length > 0) throw new UsageError('--weight: one is enough for one version')
  return weight === undefined ? {} : { weight: readWeight(weight) }
}

/** @param ctas of the version before the change. */
async function readVersion(values: ContentValues, ctas: readonly Cta[] = []): Promise<object> {
  const { label, html, cta, weight } = values
  const said = { ...readOneWeight(weight), ...readState(values) }
  return {
    ...(label !== undefined && { label }),
    ...(cta !== undefined && { ctas: cta.map((word) => readCta(word, ctas)) }),
    ...said,
    ...(html !== undefined && { html: await readText(html) }),
  }
}

const versionLines = (version: Version): string[] =>
  columns([
    ['  id', version.id],
    ['  weight', String(version.weight)],
    ['  state', version.is_active ? 'active' : 'inactive'],
    ...version.ctas.map(({ key, label, url }) => ['  cta', `${key} (${label})${url === null ? '' : ` → ${url}`}`]),
  ])

function tell(values: ContentValues, { version, removed }: SavedVersion, says: string): void {
  answer(values.json, { version, removed }, [
    `${says} the version ${version.label}.`,
    ...removed.map((what) => `  taken out: ${what}`),
    '',
    ...versionLines(version),
  ])
}

const add: ContentAction = async (values, [word]) => {
  needed(values.label, '--label')
  const body = { html: '', ...(await readVersion(values)) }
  const saved = await withBlock(values, word, (deps, { id }, owner) => createVersion(toChange(deps), owner, id, body))
  tell(values, saved, 'Added')
}

const set: ContentAction = async (values, [word, version]) => {
  const versionId = needed(version, 'the id of the version')
  const saved = await withBlock(values, word, async (deps, block, owner) => {
    const body = await readVersion(values, getVersion(block, versionId).ctas)
    return updateVersion(toChange(deps), owner, { blockId: block.id, versionId }, body)
  })
  tell(values, saved, 'Changed')
}

const remove: ContentAction = async (values, [word, version]) => {
  const versionId = needed(version, 'the id of the version')
  await withBlock(values, word, (deps, { id, property_id }) =>
    removeVersion(toChange(deps), property_id, { blockId: id, versionId }),
  )
  answer(values.json, { deleted: true, id: versionId }, [`Removed ${versionId}: undoing the edit brings it back.`])
}

/** With the number of positional words of each. */
export const versionActions: Readonly<Record<string, readonly [ContentAction, number]>> = {
  'add-version': [add, 1],
  'set-version': [set, 2],
  'remove-version': [remove, 2],
}
