// Where somebody signed in is found at once, however many wrong tries were noted of them: the time of a
// refused sign-in must not tell whether there is an account.
import type { RecordMigration } from '../records.ts'

export const signInsByClient: RecordMigration = {
  name: '024_sign_ins_by_client',
  up: async (tx) => {
    await tx.schema
      .createIndex('sign_ins_by_client')
      .on('sign_ins')
      .columns(['user_id', 'client', 'outcome', 'ts'])
      .execute()
  },
}
