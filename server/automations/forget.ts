// Whoever takes something away that webhooks have told of makes them forget it in the same transaction, and is handed how from here.
import { eraseSubmissions, type ForgetSubmissions, listSubmissionsOf, type Sender } from '../forms/erase.ts'
import type { Deps } from '../kernel/deps.ts'
import type { Tx } from '../stores/records.ts'
import { eraseDeliveries } from './erase.ts'

interface Person extends Sender {
  readonly contact_id: string
}

export interface Forgetting {
  /** All that there is of a person beside the contact. @returns how many submissions that were. */
  erasePerson(tx: Tx, propertyId: string, person: Person): Promise<number>
  readonly forgetSubmissions: ForgetSubmissions
}

export function openForgetting({ now }: Pick<Deps, 'now'>): Forgetting {
  return {
    // Deliveries are found by submissions, so they go first.
    erasePerson: async (tx, propertyId, person) => {
      const submissionIds = await listSubmissionsOf(tx, propertyId, person)
      const subject = { sessions: person.sessions, contactId: person.contact_id, submissionIds }
      await eraseDeliveries(tx, propertyId, subject, now())
      return eraseSubmissions(tx, propertyId, person)
    },
    forgetSubmissions: async (tx, propertyId, submissionIds) => {
      await eraseDeliveries(tx, propertyId, { sessions: [], contactId: null, submissionIds }, now())
    },
  }
}
