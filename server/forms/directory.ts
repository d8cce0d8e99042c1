// Forms by their public key, in memory, for init. A change on this node counts at once, one on another node
// within two seconds.
import type { Deps } from '../kernel/deps.ts'
import { openDirectory } from '../queues/directory.ts'
import type { Form } from './form-model.ts'
import { selectFormsByKey } from './records.ts'

export interface FormDirectory {
  /**
   * A promise only when the answer is not in memory. @throws Problem('unavailable') when it cannot be read.
   */
  byKey(key: string): Promise<Form | undefined> | Form | undefined
  /** After a change on this node. */
  forget(id: string): void
}

/** Anything else cannot exist. */
const keyShape = /^fk_[0-9A-Za-z]{20}$/

/** A form session is a row of the records: without them none can be opened, so a stale form is of no use. */
const STALE_MS = 0

export function openFormDirectory({ records, now }: Pick<Deps, 'records' | 'now'>): FormDirectory {
  const forms = openDirectory<Form>({ now, staleMs: STALE_MS, load: (keys) => selectFormsByKey(records, keys) })
  return {
    byKey: (key) => (keyShape.test(key) ? forms.get(key) : undefined),
    forget: (id) => forms.forget((form) => form.id === id),
  }
}
