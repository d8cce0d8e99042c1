// How a file of a visitor leaves the service: always to be saved, never shown or run in the browser.
import type { Readable } from 'node:stream'
import type { Context } from '../context.ts'
import { Problem } from '../kernel/problem.ts'
import { attachmentOf } from './file-names.ts'
import { nameToSaveAs } from './file-types.ts'
import { findFile, type SubmissionFile } from './records.ts'

const fileNotFound = (): Problem => new Problem('not_found', 'File not found.')

const idShape = /^up_[0-9A-Za-z]{20}$/

interface Download {
  readonly headers: Readonly<Record<string, string>>
  readonly content: Readable
}

const headersOf = ({ name, type, bytes }: SubmissionFile): Download['headers'] => ({
  'content-type': type,
  'content-length': String(bytes),
  'content-disposition': attachmentOf(nameToSaveAs(name, type)),
  'content-security-policy': "sandbox; default-src 'none'",
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
})

/**
 * @param scope of which submission; left out behind a signed link, which names the file alone.
 * @throws Problem('not_found')
 */
export async function openFile(
  { records, uploads }: Pick<Context, 'records' | 'uploads'>,
  id: string | undefined,
  scope?: { readonly propertyId: string; readonly submissionId: string },
): Promise<Download> {
  const file = id !== undefined && idShape.test(id) ? await findFile(records, id) : undefined
  const isInScope = !scope || (file?.property_id === scope.propertyId && file.submission_id === scope.submissionId)
  const content = file && isInScope ? await uploads.storage.open(file.id) : undefined
  if (!file || !content) throw fileNotFound()
  return { headers: headersOf(file), content }
}
