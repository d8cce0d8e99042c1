// `footfall form …`: creates, changes, publishes, archives and deletes forms using only the records, so it
// works while the server runs.
import { openForgetting } from '../server/deliveries/forget.ts'
import { type Form, formKinds } from '../server/forms/form-model.ts'
import { createForm, noFormDirectory, removeForm, formJson, updateForm } from '../server/forms/forms.ts'
import { COMMAND_LINE_EDITOR } from '../server/kernel/edits.ts'
import { answer, columns, needed, readOptions, UsageError, write } from './command.ts'
import { readDefinition } from './source-file.ts'
import { everyForm, namedForm } from './which-form.ts'
import { propertyFor } from './which-property.ts'
import { type Recorded, withRecords } from './with-records.ts'

const usage = `footfall form create --name NAME [--kind open|managed] [--file JSON|-] [--domain HOST]... [--publish] [--property ID] [--json]
footfall form list [--property ID] [--json]
footfall form show FORM [--property ID] [--json]
footfall form edit FORM --file JSON|- [--property ID] [--json]
footfall form publish|unpublish|archive|restore FORM [--property ID] [--json]
footfall form delete FORM --yes [--property ID] [--json]

FORM is an id or a name. An open form gets its fields from your page, a managed one from the file: a JSON object as described
in docs/api/forms.md (fields, validation, button, header, footer, theme, success_html and so on). Omitted keys stay unchanged;
show prints a form as such a file. If the file contains if_revision (as printed by show), the edit is refused when the form has
changed since. A running server picks up changes within two seconds.
delete permanently deletes the form and its submissions. --property is optional when there is only one.`

const options = {
  name: { type: 'string' },
  kind: { type: 'string' },
  file: { type: 'string' },
  domain: { type: 'string', multiple: true },
  publish: { type: 'boolean', default: false },
  yes: { type: 'boolean', default: false },
  property: { type: 'string' },
} as const

type Values = ReturnType<typeof readOptions<typeof options>>['values']

// ---------------------------------------------------------------- definitions

function readKind(kind: string): string {
  if (formKinds.some((known) => known === kind)) return kind
  throw new UsageError('--kind must be open or managed')
}

async function newDefinition(values: Values): Promise<Readonly<Record<string, unknown>>> {
  const written = values.file === undefined ? {} : await readDefinition(values.file)
  const said = {
    ...(values.name !== undefined && { name: values.name }),
    ...(values.kind !== undefined && { kind: readKind(values.kind) }),
    ...(values.domain && { domains: values.domain }),
    ...(values.publish && { is_published: true }),
  }
  const definition = { kind: 'open', ...written, ...said }
  if (!('name' in definition)) throw new UsageError('--name is missing')
  return definition
}

// ---------------------------------------------------------------- actions

const stateOf = ({ is_archived, is_published }: Form): string =>
  is_archived ? 'archived' : is_published ? 'published' : 'draft'

function answerChanged(values: Values, form: Form, says: string): void {
  answer(values.json, { form: formJson(form) }, [
    `${says} the form ${form.name}.`,
    '',
    ...columns([
      ['  id', form.id],
      ['  key', `${form.key}  (public: pages send it to init)`],
      ['  kind', form.kind],
      ['  state', stateOf(form)],
      ['  domains', form.domains.join(', ') || 'those of the property'],
    ]),
  ])
}

const toChange = (deps: Recorded) => ({ ...deps, forms: noFormDirectory, editor: COMMAND_LINE_EDITOR })

async function create(values: Values): Promise<void> {
  const definition = await newDefinition(values)
  const form = await withRecords(async (deps) =>
    createForm(toChange(deps), (await propertyFor(deps, values.property)).id, definition),
  )
  answerChanged(values, form, 'Created')
}

async function list(values: Values): Promise<void> {
  const forms = await withRecords(async (deps) => everyForm(deps, (await propertyFor(deps, values.property)).id))
  const cells = forms.map((form) => [form.id, form.key, form.name, form.kind, stateOf(form)])
  const lines =
    forms.length === 0
      ? ['There is no form yet: footfall form create.']
      : columns([['ID', 'KEY', 'NAME', 'KIND', 'STATE'], ...cells])
  answer(values.json, { forms: forms.map(formJson), total: forms.length }, lines)
}

/** Finds the named form and works on it with the same open records. */
async function withForm<T>(
  values: Values,
  word: string | undefined,
  work: (deps: Recorded, form: Form) => Promise<T>,
): Promise<T> {
  const name = needed(word, 'the FORM')
  return withRecords(async (deps) => {
    const { id } = await propertyFor(deps, values.property)
    return work(deps, await namedForm(deps, id, name))
  })
}

/** JSON for people too: it is what edit takes. */
async function show(values: Values, word: string | undefined): Promise<void> {
  const form = formJson(await withForm(values, word, async (_deps, found) => found))
  answer(values.json, { form }, [JSON.stringify(form, null, 2)])
}

const changing =
  (says: string, read: (values: Values) => Promise<object> | object) =>
  async (values: Values, word: string | undefined): Promise<void> => {
    const change = await read(values)
    const form = await withForm(values, word, async (deps, { id, property_id }) =>
      updateForm(toChange(deps), property_id, id, change),
    )
    answerChanged(values, form, says)
  }

async function remove(values: Values, word: string | undefined): Promise<void> {
  if (!values.yes) throw new UsageError('this permanently deletes its submissions: add --yes')
  const form = await withForm(values, word, async (deps, found) => {
    await removeForm({ ...toChange(deps), ...openForgetting(deps) }, found.property_id, found.id)
    return found
  })
  answer(values.json, { deleted: true, id: form.id }, [`Deleted the form ${form.name} and its submissions.`])
}

type Action = (values: Values, word: string | undefined) => Promise<void>

const ofNone: Readonly<Record<string, Action>> = { create, list }
const ofOne: Readonly<Record<string, Action>> = {
  show,
  edit: changing('Changed', async (values) => readDefinition(needed(values.file, '--file'))),
  publish: changing('Published', () => ({ is_published: true })),
  unpublish: changing('Unpublished', () => ({ is_published: false })),
  archive: changing('Archived', () => ({ is_archived: true })),
  restore: changing('Restored', () => ({ is_archived: false })),
  delete: remove,
}

function findAction(name: string, words: readonly string[]): Action | undefined {
  if (Object.hasOwn(ofNone, name) && words.length === 0) return ofNone[name]
  return Object.hasOwn(ofOne, name) && words.length <= 1 ? ofOne[name] : undefined
}

export async function form(args: string[]): Promise<number> {
  const { values, positionals } = readOptions(args, options)
  const [name = '', ...words] = positionals
  const action = findAction(name, words)
  if (values.help) write(usage)
  else if (action) await action(values, words[0])
  else throw new UsageError(`form takes one of: ${[...Object.keys(ofNone), ...Object.keys(ofOne)].join(', ')}`)
  return 0
}
