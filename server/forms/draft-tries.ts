// People who tried a form while it is a draft: counted in memory, written together every few seconds, and
// shown to the owner. However many tries there are, they cost one row for each form and day; who tried is
// told apart in memory alone, and forgotten with the day.
import { dayOf } from '../kernel/days.ts'
import type { Deps } from '../kernel/deps.ts'
import { DailyCounts } from '../queues/daily-counts.ts'
import { addTries, deleteTriesBefore, sumTries, type TriesRow } from './tries-records.ts'

/** Of one form on one day, on each node: more say nothing else to an owner, and a flood is no crowd. */
const MOST_PEOPLE = 1_000
/** Of all forms on one day. */
const MOST_KNOWN = 50_000
/** As long as is shown. */
const KEPT_DAYS = 30

export interface DraftTries {
  /** @param person tells people apart. */
  note(formId: string, person: string): void
  /**
   * People by form, in the last thirty days. Without forms that nobody tried. @throws when the records are
   * away; the counts are kept for the next time.
   */
  count(formIds: readonly string[]): Promise<ReadonlyMap<string, number>>
  /** Writes the counts that wait. */
  close(): Promise<void>
}

/** Whether a person is the first of today with that name at the form. */
function openPeople(): (day: number, formId: string, person: string) => boolean {
  let today = 0
  let known = 0
  const forms = new Map<string, Set<string>>()
  return (day, formId, person) => {
    if (day !== today) {
      forms.clear()
      known = 0
    }
    today = day
    const people = forms.get(formId) ?? new Set()
    if (people.has(person) || people.size >= MOST_PEOPLE || known >= MOST_KNOWN) return false
    forms.set(formId, people.add(person))
    known++
    return true
  }
}

export function openDraftTries({ records, now, log }: Pick<Deps, 'records' | 'now' | 'log'>): DraftTries {
  const isNew = openPeople()
  const counts = new DailyCounts<TriesRow>({
    name: 'tries of drafts',
    keyOf: ({ form_id, day }) => `${day} ${form_id}`,
    sum: (one, { people }) => ({ ...one, people: one.people + people }),
    add: (row) => addTries(records, row),
    keptDays: KEPT_DAYS,
    deleteBefore: (day) => deleteTriesBefore(records, day),
    now,
    log,
  })
  return {
    note(formId, person) {
      const day = dayOf(now())
      if (isNew(day, formId, person)) counts.note({ form_id: formId, day, people: 1 })
    },
    async count(formIds) {
      await counts.flush()
      return sumTries(records, formIds, dayOf(now()) - KEPT_DAYS + 1)
    },
    close: () => counts.close(),
  }
}
