// What a form answers its senders by email.
import type { RecordMigration } from '../records.ts'
import type { Tx } from '../../records.ts'

const texts = ['confirm_subject', 'confirm_text', 'confirm_reply_to'] as const
const numbers = ['confirms', 'confirmed_hour', 'confirmed'] as const

async function addColumn(tx: Tx, name: string, type: 'text' | 'integer', fallback: string | number): Promise<void> {
  await tx.schema
    .alterTable('form_mails')
    .addColumn(name, type, (column) => column.notNull().defaultTo(fallback))
    .execute()
}

export const confirmations: RecordMigration = {
  name: '063_confirmations',
  up: async (tx) => {
    for (const name of texts) await addColumn(tx, name, 'text', '')
    for (const name of numbers) await addColumn(tx, name, 'integer', 0)
    // How many a reader got lately is looked up before each one.
    await tx.schema.createIndex('mails_to_lately').on('mails').columns(['to_key', 'kind', 'created_ms']).execute()
  },
}
