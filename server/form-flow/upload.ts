// The upload step of a scripted form: its files come in a request of their own, before it is sent. What they
// are called from then on is sent as the answers of their fields.
import type { Readable } from 'node:stream'
import type { Context } from '../context.ts'
import { readMultipart } from '../http/multipart.ts'
import { Problem } from '../kernel/problem.ts'
import { enterStep, noteStart } from './check.ts'
import { assertSameAddress, type Caller } from './form-sessions.ts'
import { saidIn } from './language.ts'
import { openSentFiles } from './sent-files.ts'
import { fileFieldsOf } from '../uploads/uploads.ts'

export interface SentBody {
  readonly stream: Readable
  readonly contentType: string
}

/**
 * @returns the ids by field; or sentences by field, and then nothing was kept.
 * @throws Problem: form_signature, form_session, no_room, rate_limited, payload_too_large.
 */
export async function uploadFiles(context: Context, token: string, caller: Caller, { stream, contentType }: SentBody) {
  const step = await enterStep(context, token, caller)
  const { session, property, visitor } = step
  assertSameAddress(context.keys, session, visitor)
  const { fields } = session.frozen
  if (fileFieldsOf(fields).length === 0) throw new Problem('validation_failed', 'This form does not accept files.')
  await noteStart(context, step, caller)
  const said = saidIn(session.form.language, visitor)
  const sent = openSentFiles(context, { fields, property, caller, sessionHash: session.token_hash, said })
  try {
    await readMultipart(stream, contentType, sent.limits, sent.take)
  } catch (error) {
    await sent.discard()
    // Shown by the library.
    if (error instanceof Problem && error.kind === 'no_room')
      throw new Problem('no_room', said.form.noRoom.text, { cause: error.cause })
    throw error
  }
  if (Object.keys(sent.errors).length > 0) {
    await sent.discard()
    return { validated: false, errors: sent.errors } as const
  }
  const files: Record<string, string[]> = Object.create(null)
  for (const { field, id } of sent.uploads()) (files[field] ??= []).push(id)
  return { validated: true, errors: null, files } as const
}
