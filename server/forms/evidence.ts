// Gathers what is known of a submission before it is scored: from the request, from what the address did before, from the visit behind it.
// A store that is slow or away adds nothing: what is not known gives no points.
import { type Context } from '../context.ts'
import { type SessionRef } from '../kernel/ids.ts'
import { type FormSessionTable } from '../stores/form-tables.ts'
import { type Visitor } from '../tracker/visitors.ts'
import { type Answers, type Frozen } from './form.ts'
import { type Clues } from './score.ts'
import { type Signals } from './signals.ts'

/** What the flow knows when a submission has passed every check. */
export interface Submitting {
  readonly formSession: Pick<
    FormSessionTable,
    'token_hash' | 'property_id' | 'form_id' | 'address_mac' | 'agent_mac' | 'opened_ms' | 'traps' | 'has_origin'
  >
  readonly frozen: Frozen
  readonly answers: Answers
  /** Of the body's `_sig`, by readSignals. */
  readonly signals: Signals | undefined
  /** As the request shows it now. */
  readonly visitor: Visitor
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly atMs: number
  /** The visitor's session, when one is known. */
  readonly session: SessionRef | undefined
  /** Whether `data` held the honeypot (empty). */
  readonly hasHoneypot: boolean
}

/** For the score, and to be stored with the submission so that later ones can be compared with it. */
export interface Evidence extends Clues {
  readonly bodyMac: string | null
  readonly signalsMac: string | null
}

export type EvidenceDeps = Pick<Context, 'records' | 'facts' | 'keys' | 'enrich' | 'log'>

export declare function gatherEvidence(deps: EvidenceDeps, submitting: Submitting): Promise<Evidence>
