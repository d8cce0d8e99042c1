// The files of one request: each is taken for its field, or its field hears why not.
import { addressMac, type Caller } from './form-sessions.ts'
import type { Context } from '../context.ts'
import type { FrozenField } from '../forms/form-model.ts'
import type { MultipartLimits, SentFile, TakeFile } from '../http/multipart.ts'
import { MAX_PAIRS } from '../http/plain-bodies.ts'
import type { Property } from '../properties/properties.ts'
import { discardUpload, fileFieldsOf, type PendingUpload, receiveFile, sizeText } from '../uploads/uploads.ts'
import type { VisitorTexts } from '../visitor-texts/visitor-texts.ts'

/** Without files: as small as the body of any other public call. */
const TEXT_BYTES = 64 * 1024
/** Of a form with several fields for files. */
const MOST_BYTES = 100 * 1024 * 1024
/** Around each part: its head and its boundary. */
const PART_BYTES = 1024

export interface FilesFor {
  readonly fields: readonly FrozenField[]
  readonly property: Property
  readonly caller: Caller
  /** Token hash of the form session; '' for a plain form. */
  readonly sessionHash: string
  readonly said: VisitorTexts
}

export interface SentFiles {
  readonly limits: MultipartLimits
  readonly take: TakeFile
  /** In the order in which they were sent. */
  uploads(): readonly PendingUpload[]
  /** Sentences by field. */
  readonly errors: Record<string, string[]>
  /** The form is not sent after all. */
  discard(): Promise<void>
}

/** One more file than is allowed is read, to say so. */
function limitsFor(fields: readonly FrozenField[]): MultipartLimits {
  const rules = fileFieldsOf(fields).map(({ file }) => file)
  const files = rules.reduce((sum, { max_count }) => sum + max_count + 1, 0)
  const bytes = rules.reduce((sum, { max_bytes, max_count }) => sum + max_bytes * max_count, 0)
  const bodyBytes = TEXT_BYTES + files * PART_BYTES + Math.min(2 * bytes, MOST_BYTES)
  return { pairs: MAX_PAIRS, textBytes: TEXT_BYTES, bodyBytes, files: Math.max(files, MAX_PAIRS) }
}

export function openSentFiles(context: Context, ask: FilesFor): SentFiles {
  const { fields, property, caller, sessionHash, said } = ask
  const own = new Map(fileFieldsOf(fields).map((field) => [field.name, field]))
  // By place: small files are taken at once, and the last may be done first.
  const taken = new Map<number, PendingUpload>()
  let places = 0
  const counts = new Map<string, number>()
  const errors = Object.create(null) as Record<string, string[]>
  const mac = addressMac(context.keys, property.id, caller.visitorOf(property))
  const take = async ({ field: name, ...sent }: SentFile): Promise<void> => {
    const field = own.get(name)
    if (!field) return
    const place = places++
    const count = (counts.get(name) ?? 0) + 1
    counts.set(name, count)
    const { label, file } = field
    if (count > file.max_count) {
      errors[name] = [said.files.tooMany(label, String(file.max_count))]
      return
    }
    const target = { propertyId: property.id, addressMac: mac, sessionHash, field: name, rule: file }
    const received = await receiveFile(context, target, sent)
    if (typeof received !== 'string') taken.set(place, received)
    else if (received === 'size') errors[name] = [said.files.tooLarge(label, sizeText(file.max_bytes))]
    else errors[name] = [said.files.wrongType(label, file.types.map((type) => type.split('/')[1]).join(', '))]
  }
  const uploads = (): PendingUpload[] =>
    [...taken].toSorted(([one], [other]) => one - other).map(([, upload]) => upload)
  const discard = async (): Promise<void> => {
    for (const { id } of taken.values()) await discardUpload(context, id)
  }
  return { limits: limitsFor(fields), take, uploads, errors, discard }
}
