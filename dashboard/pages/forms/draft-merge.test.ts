// Two people edit one form: changes to different things are both kept, and conflicts are reported.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changedMembers, merged, touchedTwice } from './draft-merge.ts'
import { type Definition, type FormDraft, readDraft, withNeeded, writeDraft } from './draft.ts'
import { moved, newField, withField } from './field-changes.ts'

const field = (name: string): Definition['fields'][number] => ({
  name,
  type: 'text',
  label: name,
  placeholder: null,
  help: null,
  value: null,
  options: [],
  autocomplete: null,
  rows: null,
  width: 'full',
})

const stored: Definition = {
  fields: ['a', 'b', 'c'].map(field),
  validation: { a: { required: null } },
  button: { label: 'Send', busy_label: 'Sending…' },
  header: { title: 'Hello', text: null },
  footer: null,
  theme: { accent: null, radius_px: 6, font: 'inherit', density: 'regular' },
  form_type: 'inline',
  website_theme: 'auto',
  success_html: '',
  branding: true,
}

const base = readDraft(stored)
const uidOf = (name: string): string => base.fields.find((one) => one.name === name)?.uid ?? ''
const relabelled = (draft: FormDraft, name: string, label: string): FormDraft => ({
  ...draft,
  fields: withField(draft.fields, uidOf(name), { label }),
})
const without = (draft: FormDraft, name: string): FormDraft => ({
  ...draft,
  fields: draft.fields.filter((one) => one.name !== name),
})
const withNew = (draft: FormDraft, label: string, at: number): FormDraft => ({
  ...draft,
  fields: draft.fields.toSpliced(at, 0, newField('text', label, draft.fields)),
})
const labels = ({ fields }: FormDraft): string[] => fields.map(({ label }) => label)
const none = { keys: [], fields: [] }

test('only the members that were changed are sent', () => {
  assert.deepEqual(changedMembers(base, base), {})
  assert.deepEqual(changedMembers(base, { ...base, buttonLabel: 'Go' }), {
    button: { label: 'Go', busy_label: 'Sending…' },
  })
  assert.deepEqual(Object.keys(changedMembers(base, relabelled(base, 'a', 'A'))), ['fields'])
  const [first] = base.fields
  assert.ok(first)
  const fields = withField(base.fields, first.uid, { rules: withNeeded(first, false) })
  assert.deepEqual(changedMembers(base, { ...base, fields }), { validation: {} })
})

test('a field that another person added is there beside the own change', () => {
  const mine = { ...base, buttonLabel: 'Go' }
  const theirs = withNew({ ...base, footerText: 'No spam.' }, 'Phone', 2)
  const both = merged({ base, mine, theirs })
  assert.deepEqual(labels(both), ['a', 'b', 'Phone', 'c'])
  assert.deepEqual([both.buttonLabel, both.footerText], ['Go', 'No spam.'])
  assert.deepEqual(touchedTwice({ base, mine, theirs }), none)
  assert.deepEqual(Object.keys(changedMembers(theirs, both)), ['button'])
})

test('two lists of fields are one: each added, changed, removed and moved something else', () => {
  const mine = relabelled(withNew(base, 'Mine', 1), 'b', 'B mine')
  const theirs = without(withNew(base, 'Theirs', 3), 'c')
  assert.deepEqual(labels(merged({ base, mine, theirs })), ['a', 'Mine', 'B mine', 'Theirs'])
  const turned = { ...base, fields: moved(base.fields, uidOf('c'), 0) }
  assert.deepEqual(labels(merged({ base, mine: turned, theirs })), ['a', 'b', 'Theirs'])
  assert.deepEqual(labels(merged({ base, mine: turned, theirs: relabelled(base, 'a', 'A') })), ['c', 'A', 'b'])
  assert.deepEqual(labels(merged({ base, mine: without(base, 'a'), theirs: turned })), ['c', 'b'])
  assert.deepEqual(touchedTwice({ base, mine: turned, theirs }), none)
})

test('what both changed is as it is here, and is named', () => {
  const mine = { ...without(relabelled(base, 'a', 'A mine'), 'b'), headerTitle: 'Mine', buttonLabel: 'Go' }
  const theirs = {
    ...relabelled(relabelled(base, 'a', 'A theirs'), 'b', 'B theirs'),
    headerTitle: 'Theirs',
    buttonLabel: 'Go',
  }
  const versions = { base, mine, theirs }
  assert.deepEqual(labels(merged(versions)), ['A mine', 'c'])
  assert.equal(merged(versions).headerTitle, 'Mine')
  const { keys, fields } = touchedTwice(versions)
  assert.deepEqual([keys, fields.map(({ name }) => name)], [['headerTitle'], ['a', 'b']])
})

test('who changed nothing has what the other saved', () => {
  const theirs = withNew(relabelled(base, 'c', 'C'), 'Phone', 0)
  assert.deepEqual(writeDraft(merged({ base, mine: base, theirs })), writeDraft(theirs))
})
