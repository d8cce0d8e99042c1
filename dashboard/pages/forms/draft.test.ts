import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FormField } from '../../api/forms.ts'
import { blueprintOf, type Definition, moved, nameFor, newField, readDraft, withField, writeDraft } from './draft.ts'

const field = (name: string, type: FormField['type'], more: Partial<FormField> = {}): FormField => ({
  name,
  type,
  label: name,
  placeholder: null,
  help: null,
  value: null,
  options: [],
  autocomplete: null,
  rows: null,
  width: 'full',
  ...more,
})

const form: Definition = {
  fields: [
    field('name', 'text', { label: 'Your name', help: 'As you like', width: 'half', autocomplete: 'name' }),
    field('size', 'select', {
      options: [
        { value: 's', label: 'Small' },
        { value: 'Large', label: 'Large' },
      ],
    }),
    field('message', 'textarea', { rows: 3 }),
    field('terms', 'checkbox'),
  ],
  validation: {
    name: { required: 'Who are you?', 'max_length[80]': null },
    message: { 'regex[^[a-z]+$]': 'Letters alone.', 'matches[name]': null },
    terms: { accepted: null },
  },
  button: { label: 'Order', busy_label: 'Ordering…' },
  header: { title: 'An order', text: null },
  footer: { text: 'No spam.' },
  theme: { accent: '#ffee00', radius_px: 11, font: 'serif', density: 'compact' },
  form_type: 'popup',
  website_theme: 'dark',
  success_html: '<p>Thanks, %name%.</p>',
  branding: false,
}

test('what is read into the editor and saved again is the same form', () => {
  assert.deepEqual(writeDraft(readDraft(form)), form)
})

test('what needs a tick is said as the service says it, by what the field is', () => {
  const draft = readDraft(form)
  const [, , , terms] = draft.fields
  assert.ok(terms)
  const fields = withField(draft.fields, terms.uid, { options: 'one\ntwo' })
  assert.deepEqual(writeDraft({ ...draft, fields }).validation['terms'], { required: null })
})

test('a page is told what is required, and the limits that browsers know', () => {
  const [name, , , terms] = blueprintOf(readDraft(form)).fields
  assert.equal(name?.required, true)
  assert.deepEqual(name?.rules, { required: 'Who are you?', 'max_length[80]': null })
  assert.equal(terms?.required, true)
})

test('the name of a new field follows its label until it has one of its own, and is never there twice', () => {
  const first = newField('text', 'Your name', [])
  const second = newField('text', 'Your name!', [first])
  assert.deepEqual([first.name, second.name], ['your_name', 'your_name_2'])
  const renamed = withField([first, second], second.uid, { label: 'Straße Ø 7' })
  assert.equal(renamed[1]?.name, 'stra_e_7')
  const own = withField(renamed, second.uid, { name: 'road', hasOwnName: true })
  assert.equal(withField(own, second.uid, { label: 'Street' })[1]?.name, 'road')
  assert.equal(nameFor('日本', new Set(['field'])), 'field_2')
})

test('a field goes to any place, and no further than the ends', () => {
  const fields = readDraft(form).fields
  const uid = fields[0]?.uid ?? ''
  const names = (to: number) => moved(fields, uid, to).map(({ name }) => name)
  assert.deepEqual(names(1), ['size', 'name', 'message', 'terms'])
  assert.deepEqual(names(99), ['size', 'message', 'terms', 'name'])
  assert.deepEqual(names(-1), ['name', 'size', 'message', 'terms'])
})
