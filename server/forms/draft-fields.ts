// The fields of a managed form as its owner defines them (docs/api/forms.md).
import { invalid } from '../kernel/problem.ts'
import {
  readList,
  readMaybeText,
  readNeededText,
  readObject,
  readText,
  readWhole,
  readWord,
} from '../kernel/draft-read.ts'
import {
  defaultFileRule,
  type FieldOption,
  type FieldType,
  fieldTypes,
  type FileRule,
  fileTypes,
  type FormField,
  MAX_FILE_BYTES,
  MAX_FILES,
  MAX_FIELD_NAME,
  MAX_FIELD_TEXT,
  MAX_FIELDS,
  MAX_LABEL,
  MAX_OPTIONS,
  refusedTypes,
} from './form-model.ts'
import { checkFieldName } from './rules.ts'

const MAX_ROWS = 50
const MAX_AUTOCOMPLETE = 100

/** What HTML, CSS selectors, URLs and PHP take without quoting or renaming. */
const nameShape = /^[\w](?:[\w.[\]-]*)$/
/** Tokens of the HTML standard, such as `shipping street-address`; browsers know which ones exist. */
const autocompleteShape = /^[a-z][a-z0-9-]*(?: [a-z][a-z0-9-]*)*$/

const optionTypes: ReadonlySet<FieldType> = new Set(['select', 'select-one', 'select-multiple', 'radio', 'checkbox'])

function readFieldName(path: string, value: unknown): string {
  const name = readNeededText(path, value, MAX_FIELD_NAME)
  checkFieldName(path, name)
  if (!nameShape.test(name))
    throw invalid(path, `${path} may have letters, digits, _ . - [ and ], and begins with a letter, a digit or _.`)
  return name
}

function readType(path: string, value: unknown): FieldType {
  if (refusedTypes.some((refused) => refused === value))
    throw invalid(path, `${path}: a field of the type ${String(value)} cannot be collected.`)
  return readWord(path, value, fieldTypes)
}

/** A plain text is an option whose label is its value. */
function readOption(path: string, written: unknown): FieldOption {
  if (typeof written === 'string') return readOption(path, { value: written })
  const option = readObject(path, written)
  const value = readNeededText(`${path}.value`, option.value, MAX_LABEL)
  return { value, label: readText(`${path}.label`, option.label, MAX_LABEL) || value }
}

function readOptions(path: string, written: unknown, type: FieldType): FieldOption[] {
  const list = readList(path, written ?? [], MAX_OPTIONS)
  if (list.length > 0 && !optionTypes.has(type))
    throw invalid(path, `${path}: a field of the type ${type} has no options.`)
  if (list.length === 0 && optionTypes.has(type) && type !== 'checkbox')
    throw invalid(path, `${path}: a field of the type ${type} needs options.`)
  const options = list.map((option, index) => readOption(`${path}.${index}`, option))
  refuseTwice(
    path,
    options.map(({ value }) => value),
    'value',
  )
  return options
}

function refuseTwice(path: string, texts: readonly string[], member: string): void {
  const seen = new Set<string>()
  for (const [index, text] of texts.entries()) {
    if (seen.has(text)) throw invalid(`${path}.${index}.${member}`, `${path}.${index}.${member} is used twice.`)
    seen.add(text)
  }
}

function readAutocomplete(path: string, value: unknown): string | null {
  const text = readMaybeText(path, value, MAX_AUTOCOMPLETE)
  if (text !== null && !autocompleteShape.test(text))
    throw invalid(path, `${path} must be tokens like email or street-address.`)
  return text
}

/** Members that are left out are those of defaultFileRule. */
function readFileRule(path: string, written: unknown): FileRule {
  const rule = readObject(path, written ?? {})
  const types = rule.types === undefined ? fileTypes : readList(`${path}.types`, rule.types, fileTypes.length)
  const read = types.map((type, index) => readWord(`${path}.types.${index}`, type, fileTypes))
  if (read.length === 0) throw invalid(`${path}.types`, `${path}.types must name at least one type.`)
  const bytes = readWhole(`${path}.max_bytes`, rule.max_bytes, 1, MAX_FILE_BYTES)
  const count = readWhole(`${path}.max_count`, rule.max_count, 1, MAX_FILES)
  return {
    types: [...new Set(read)],
    max_bytes: bytes ?? defaultFileRule.max_bytes,
    max_count: count ?? defaultFileRule.max_count,
  }
}

function readField(path: string, written: unknown): FormField {
  const field = readObject(path, written)
  const name = readFieldName(`${path}.name`, field.name)
  const type = readType(`${path}.type`, field.type)
  const step = readMaybeText(`${path}.step`, field.step, MAX_LABEL)
  return {
    name,
    type,
    label: readText(`${path}.label`, field.label, MAX_LABEL) || name,
    placeholder: readMaybeText(`${path}.placeholder`, field.placeholder, MAX_LABEL),
    help: readMaybeText(`${path}.help`, field.help, MAX_FIELD_TEXT),
    value: type === 'file' ? null : readMaybeText(`${path}.value`, field.value, MAX_FIELD_TEXT),
    options: readOptions(`${path}.options`, field.options, type),
    autocomplete: readAutocomplete(`${path}.autocomplete`, field.autocomplete),
    rows: readWhole(`${path}.rows`, field.rows, 1, MAX_ROWS),
    width: readWord(`${path}.width`, field.width, ['full', 'half']),
    ...(type === 'file' && { file: readFileRule(`${path}.file`, field.file) }),
    ...(step !== null && { step }),
  }
}

/**
 * In the order of the form, each name once. @throws Problem('validation_failed') naming, say,
 * `fields.2.type`.
 */
export function readFormFields(written: unknown): FormField[] {
  const fields = readList('fields', written ?? [], MAX_FIELDS).map((field, index) =>
    readField(`fields.${index}`, field),
  )
  refuseTwice(
    'fields',
    fields.map(({ name }) => name),
    'name',
  )
  return fields
}
