// For the dashboard (/manage/properties/{property}/contacts): contacts from a file, a part of it a call, so that none holds up the others for long;
// and a person erased, with a receipt.
import { Readable } from 'node:stream'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Context } from '../context.ts'
import { ok } from '../http/answer.ts'
import { requireRole } from '../http/hooks.ts'
import { getProperty } from '../properties/properties.ts'
import { contactNotFound } from './contacts.ts'
import { eraseContact } from './erase.ts'
import { checkContacts, type ImportRow, writeContacts } from './import.ts'
import { openSpool } from './import-spool.ts'
import { EraseParams, ImportAnswer, ImportBody, ImportParams, MAX_PART_ROWS, ReceiptAnswer } from './manage-schema.ts'

/** The body is bounded by its group. */
const LIMITS = { rows: MAX_PART_ROWS, bytes: 1024 * 1024 }

const nothing = { created: 0, updated: 0 }

/** @throws Problem('validation_failed') when it is no table of contacts at all. */
async function importPart(context: Context, propertyId: string, csv: string, isTrial: boolean) {
  const spool = await openSpool<ImportRow>()
  try {
    const checked = await checkContacts(Readable.from([Buffer.from(csv)]), spool, LIMITS)
    if (checked.bad_rows > 0) return { ...checked, ...nothing, is_written: false }
    const written = await writeContacts(context, propertyId, spool, isTrial, () => undefined)
    return { ...checked, ...written, is_written: !isTrial }
  } finally {
    await spool.close()
  }
}

export function routes(context: Context): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.addHook('onRequest', requireRole(context, 'admin'))
    app.post(
      '/manage/properties/:property/contacts/import',
      {
        schema: {
          tags: ['Management'],
          security: [{ admin: [] }],
          summary: 'Check contacts in CSV, and write them all when no row is bad',
          params: ImportParams,
          body: ImportBody,
          response: { 200: ImportAnswer },
        },
      },
      async ({ params, body }) => {
        const { id } = await getProperty(context, params.property)
        return ok(await importPart(context, id, body.csv, body.is_trial ?? false))
      },
    )

    app.post(
      '/manage/properties/:property/contacts/:contact/erase',
      {
        schema: {
          tags: ['Management'],
          security: [{ admin: [] }],
          summary: 'Erase a person: as deleting the contact, with a receipt of what went',
          params: EraseParams,
          response: { 200: ReceiptAnswer },
        },
      },
      async ({ params }) => {
        const { id } = await getProperty(context, params.property)
        if (params.contact.includes('\0')) throw contactNotFound()
        return ok({ receipt: await eraseContact(context, id, params.contact) })
      },
    )
  }
}
