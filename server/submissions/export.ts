// What was sent through a form as CSV, read in batches: never all of it in memory, and others have their
// turns in between.
import type { Records } from '../stores/records.ts'
import { csvHeader, csvRows } from './csv.ts'
import type { Form } from '../forms/form-model.ts'
import { submissionBatches } from './export-records.ts'
import type { SubmissionFilter } from './list-records.ts'

/** Columns for fields. A page may name others each time; a spreadsheet with more is of no use to anybody. */
export const MAX_COLUMNS = 300

type Exported = Pick<Form, 'id' | 'property_id' | 'fields'>

const scopeOf = ({ id, property_id }: Exported) => ({ propertyId: property_id, formId: id })

/** Those of the form as it is, then others in the order in which they were first sent. */
async function fieldNames(records: Records, form: Exported, filter: SubmissionFilter): Promise<string[]> {
  const names = new Set(form.fields.map(({ name }) => name))
  for await (const submissions of submissionBatches(records, scopeOf(form), filter)) {
    for (const { fields } of submissions) {
      for (const { name } of fields) if (names.size < MAX_COLUMNS) names.add(name)
    }
    if (names.size >= MAX_COLUMNS) break
  }
  return [...names]
}

export interface CsvPart {
  readonly text: string
  readonly submissions: number
}

/** The header, which has to look at every submission first, then all of them, the oldest first. */
export async function* exportSubmissions(
  records: Records,
  form: Exported,
  filter: SubmissionFilter,
): AsyncGenerator<CsvPart> {
  const names = await fieldNames(records, form, filter)
  yield { text: csvHeader(names), submissions: 0 }
  for await (const submissions of submissionBatches(records, scopeOf(form), filter)) {
    yield { text: csvRows(submissions, names), submissions: submissions.length }
  }
}
