import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { readFormDraft } from '../../../server/forms/draft.ts'
import type { FormField } from '../../api/forms.ts'
import { blueprintOf, type Definition, readDraft, withNeeded, writeDraft } from './draft.ts'
import { moved, nameFor, newField, newStep, withField } from './field-changes.ts'
import { readOptions, writeOptions } from './option-lines.ts'

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

test('a step is an item of the list: fields move into it and out of it, and one without fields is not saved', () => {
  const fields = form.fields.map((one) => (one.name === 'message' ? { ...one, step: 'Your wishes' } : one))
  const draft = readDraft({ ...form, fields })
  assert.deepEqual(writeDraft(draft), { ...form, fields })
  const [name, size, step, message] = draft.fields
  assert.ok(name && size && step && message)
  assert.deepEqual([step.type, step.label], ['step', 'Your wishes'])
  const stepsOf = (listed: typeof draft.fields) =>
    writeDraft({ ...draft, fields: listed }).fields.map(({ name: called, step: title }) => [called, title])
  assert.deepEqual(stepsOf(moved(draft.fields, size.uid, 2)), [
    ['name', undefined],
    ['size', 'Your wishes'],
    ['message', undefined],
    ['terms', undefined],
  ])
  assert.deepEqual(
    stepsOf([...draft.fields, newStep('Empty')]).map(([, title]) => title),
    [undefined, undefined, 'Your wishes', undefined],
  )
  assert.deepEqual(
    blueprintOf(draft).fields.map(({ required }) => required),
    [true, false, false, true],
  )
})

test('what needs a tick is said as the service says it, by what the field is', () => {
  const draft = readDraft(form)
  const [, , , terms] = draft.fields
  assert.ok(terms)
  const options = [
    { value: 'one', label: 'one' },
    { value: 'two', label: 'two' },
  ]
  const boxes = withField(draft.fields, terms.uid, { options })
  assert.deepEqual(writeDraft({ ...draft, fields: boxes }).validation['terms'], { required: null })
  const one = withField(boxes, terms.uid, { options: [] })
  assert.deepEqual(writeDraft({ ...draft, fields: one }).validation['terms'], { accepted: null })
  const free = withField(one, terms.uid, { rules: withNeeded(terms, false) })
  assert.deepEqual(writeDraft({ ...draft, fields: free }).validation, {
    name: form.validation['name'],
    message: form.validation['message'],
  })
})

// ---------------------------------------------------------------- whatever a form may be

/** Signs that mean something where choices are typed, and to who trims and splits. */
const words = (max: number) =>
  fc
    .array(fc.constantFrom('a', 'b', ' ', '|', '\\', '\n', '\r', ',', '"', '[', ']', 'é', '\u{1f388}', '\u00a0'), {
      maxLength: max,
    })
    .map((signs) => signs.join(''))
const filled = (max: number) => words(max).map((text) => `x${text}`)
const maybe = (max: number) => fc.option(filled(max), { nil: null })

const option = fc.record({ value: filled(6), label: words(6) })
const types = [
  'text',
  'textarea',
  'email',
  'number',
  'select',
  'select-multiple',
  'radio',
  'checkbox',
  'hidden',
  'color',
] as const
const listed = new Set<string>(['select', 'select-multiple', 'radio'])

const rule = fc.oneof(
  fc.constantFrom('required', 'accepted', 'numeric', 'integer', 'email', 'url', 'phone', 'date', 'matches[f0]'),
  fc.nat(99).map((count) => `min_length[${count}]`),
  fc.integer().map((least) => `min[${least}]`),
  fc.constantFrom('in[a, b,c ]', String.raw`in[ a\,b]`, 'regex[^[A-Z]{2} ]', 'regex[ a|b]', 'regex[x\ny]'),
)
const rules = fc.dictionary(rule, maybe(8), { maxKeys: 5 })

const fieldOf = (index: number) =>
  fc
    .record({
      type: fc.constantFrom(...types),
      options: fc.uniqueArray(option, { selector: ({ value }) => value.trim(), minLength: 1, maxLength: 4 }),
      isSingle: fc.boolean(),
      more: fc.record({
        label: words(5),
        placeholder: maybe(5),
        help: maybe(5),
        value: maybe(5),
        autocomplete: fc.constantFrom(null, 'email', 'shipping street-address'),
        rows: fc.option(fc.integer({ min: 1, max: 50 }), { nil: null }),
        width: fc.constantFrom('half', 'full'),
      }),
    })
    .map(({ type, options, isSingle, more }) => ({
      name: `f${index}`,
      type,
      options: listed.has(type) || (type === 'checkbox' && !isSingle) ? options : [],
      ...more,
    }))

const definition = fc.integer({ min: 1, max: 4 }).chain((count) =>
  fc.record({
    fields: fc.tuple(...Array.from({ length: count }, (_, index) => fieldOf(index))),
    validation: fc.dictionary(
      fc.nat(count - 1).map((index) => `f${index}`),
      rules,
    ),
    header: fc.option(fc.record({ title: filled(5), text: maybe(5) }), { nil: null }),
    footer: fc.option(fc.record({ text: filled(5) }), { nil: null }),
    button: fc.record({ label: words(5), busy_label: words(5) }),
    theme: fc.record({ accent: fc.constantFrom(null, '#2d5bd7', '#000000'), radius_px: fc.nat(40) }),
    branding: fc.boolean(),
    success_html: filled(9),
  }),
)

/** As the service stores what was sent to it. */
function stored(body: object): Definition {
  const { fields, validation, presentation, success_html, branding } = readFormDraft({
    name: 'n',
    kind: 'managed',
    ...body,
  })
  return JSON.parse(JSON.stringify({ fields, validation, ...presentation, success_html, branding })) as Definition
}

test('whatever form is opened and saved again, nothing of it is another', () => {
  const check = (body: object) => {
    const known = stored(body)
    assert.deepEqual(writeDraft(readDraft(known)), known)
  }
  fc.assert(fc.property(definition, check), { numRuns: 300 })
})

test('choices that are typed as lines are the choices that were there', () => {
  const list = fc
    .array(option)
    .map((options) => options.map(({ value, label }) => ({ value: value.trim(), label: label.trim() || value.trim() })))
  fc.assert(fc.property(list, (options) => assert.deepEqual(readOptions(writeOptions(options)), options)))
})

test('choices are read as people write them', () => {
  assert.deepEqual(readOptions('a\n\n  b | The B \nc|\n'), [
    { value: 'a', label: 'a' },
    { value: 'b', label: 'The B' },
    { value: 'c', label: 'c' },
  ])
  assert.deepEqual(readOptions(String.raw`C:\new | a\b` + '\n' + String.raw`x\|y | z|w` + '\\'), [
    { value: String.raw`C:\new`, label: String.raw`a\b` },
    { value: 'x|y', label: String.raw`z|w` + '\\' },
  ])
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
