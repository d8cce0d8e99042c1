// People who tried a form while it is a draft: counted in memory, written together every few seconds, and
// shown to the owner. However many tries there are, they cost one row for each form and day; who tried is
// told apart in memory alone, and forgotten with the day.
import { dayOf } from '../kernel/days.ts'
import type { Deps } from '../kernel/deps.ts'
import { addTries, deleteTriesBefore, sumTries } from './tries-records.ts'

/** Nobody waits for it, and the dashboard of this node writes before it reads. */
const FLUSH_MS = 5_000
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

/** By day, then form. */
type Waiting = Map<number, Map<string, number>>

function addTo(waiting: Waiting, day: number, formId: string, people: number): void {
  const forms = waiting.get(day) ?? new Map<string, number>()
  waiting.set(day, forms.set(formId, (forms.get(formId) ?? 0) + people))
}

export function openDraftTries({ records, now, log }: Pick<Deps, 'records' | 'now' | 'log'>): DraftTries {
  let waiting: Waiting = new Map()
  let timer: NodeJS.Timeout | undefined
  let lastDay = 0
  let last: Promise<void> = Promise.resolve()
  const isNew = openPeople()

  async function write(): Promise<void> {
    const rows = [...waiting].flatMap(([day, forms]) =>
      [...forms].map(([form_id, people]) => ({ form_id, day, people })),
    )
    waiting = new Map()
    const today = dayOf(now())
    if (rows.length > 0 && today !== lastDay) {
      await deleteTriesBefore(records, today - KEPT_DAYS).catch(() => undefined)
      lastDay = today
    }
    for (const [index, row] of rows.entries()) {
      try {
        await addTries(records, row)
      } catch (error) {
        for (const { day, form_id, people } of rows.slice(index)) addTo(waiting, day, form_id, people)
        throw error
      }
    }
  }

  const flush = (): Promise<void> => {
    clearTimeout(timer)
    timer = undefined
    const run = last.then(write)
    last = run.catch(() => undefined)
    return run
  }

  const flushSoon = (): void => {
    timer ??= setTimeout(() => {
      flush().catch((error: unknown) => {
        log.warn({ err: error }, 'writing down tries of drafts failed')
        flushSoon()
      })
    }, FLUSH_MS).unref()
  }

  return {
    note(formId, person) {
      const day = dayOf(now())
      if (!isNew(day, formId, person)) return
      addTo(waiting, day, formId, 1)
      flushSoon()
    },
    async count(formIds) {
      await flush()
      return sumTries(records, formIds, dayOf(now()) - KEPT_DAYS + 1)
    },
    close: flush,
  }
}
