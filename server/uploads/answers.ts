// The files of an answer: what a page sends are ids of uploads, what is stored is what people can read. The
// files themselves belong to the submission (records.ts).
import type { Answers, AnswerValue, FrozenField } from '../forms/form-model.ts'
import { filledOf } from '../forms/rule-table.ts'
import type { Records, Tx } from '../stores/records.ts'
import type { VisitorTexts } from '../visitor-texts/visitor-texts.ts'
import { sizeText } from './file-names.ts'
import type { PendingUpload } from './receive.ts'
import { attachUpload, listPending } from './records.ts'

/** Anything else cannot exist, and PostgreSQL takes not every text. */
const idShape = /^up_[0-9A-Za-z]{20}$/

export type FileField = FrozenField & Required<Pick<FrozenField, 'file'>>

export const fileFieldsOf = (fields: readonly FrozenField[]): FileField[] =>
  fields.filter((field): field is FileField => field.file !== undefined)

/** `cv.pdf (application/pdf, 12 KB)` */
export const fileText = ({ name, type, bytes }: Pick<PendingUpload, 'name' | 'type' | 'bytes'>): string =>
  `${name} (${type}, ${sizeText(bytes)})`

/** One file is a text, several are a list, as with other fields. */
export const fileAnswer = ({ file }: FileField, texts: readonly string[]): AnswerValue =>
  file.max_count === 1 ? (texts[0] ?? '') : texts

interface Sending {
  readonly fields: readonly FrozenField[]
  readonly sessionHash: string
  readonly said: VisitorTexts
  readonly nowMs: number
}

export interface FilesFound {
  readonly errors: Record<string, string[]> | null
  readonly answers: Answers
  readonly uploads: readonly PendingUpload[]
}

/** The answers with what people can read in place of ids. Errors are sentences by field. */
export async function findFilesOf(
  records: Records,
  { fields, sessionHash, said, nowMs }: Sending,
  answers: Answers,
): Promise<FilesFound> {
  const own = fileFieldsOf(fields)
  const sent = own.map((field) => ({ field, ids: [...new Set(filledOf(answers[field.name]))] }))
  const ids = sent.flatMap((one) => one.ids).filter((id) => idShape.test(id))
  const found = new Map((await listPending(records, sessionHash, ids, nowMs)).map((row) => [row.id, row]))
  const errors = Object.create(null) as Record<string, string[]>
  const read = Object.assign(Object.create(null), answers) as Record<string, AnswerValue>
  const uploads: PendingUpload[] = []
  for (const { field, ids: wanted } of sent) {
    const files = wanted.map((id) => found.get(id)).filter((row) => row?.field === field.name)
    if (files.length < wanted.length) errors[field.name] = [said.files.again(field.label, '')]
    else if (files.length > field.file.max_count)
      errors[field.name] = [said.files.tooMany(field.label, String(field.file.max_count))]
    const kept = files.filter((row) => row !== undefined)
    if (wanted.length > 0) read[field.name] = fileAnswer(field, kept.map(fileText))
    uploads.push(...kept)
  }
  return { errors: Object.keys(errors).length > 0 ? errors : null, answers: read, uploads }
}

/** In the transaction that stores the submission. False when one of them is gone, or was sent before. */
export async function attachUploads(
  tx: Tx,
  { id, property_id }: { readonly id: string; readonly property_id: string },
  uploads: readonly PendingUpload[],
  nowMs: number,
): Promise<boolean> {
  for (const [place, upload] of uploads.entries()) {
    const { field, name, type, bytes, sha256 } = upload
    const file = { id: upload.id, property_id, submission_id: id, field, place, name, type, bytes, sha256 }
    if (!(await attachUpload(tx, file, nowMs))) return false
  }
  return true
}
