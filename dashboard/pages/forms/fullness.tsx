// What is said of a form that is full, or nearly: nothing is ever deleted for want of room without a word.
import type { OwnForm } from '../../api/forms.ts'
import { date, number } from '../../format.ts'
import { Note } from '../../parts/states.tsx'
import { forms as text } from '../../texts/index.ts'

const words = text.fullness

export function FullnessNotice({ form: { fullness } }: { form: OwnForm }) {
  if (!fullness) return null
  const { spam, flagged, clean, last_ts, stored, most } = fullness
  const leads = flagged + clean
  return (
    <>
      {stored !== null && <Note tone="warn">{words.near(number(stored), number(most))}</Note>}
      {leads > 0 && last_ts !== null && <Note tone="warn">{words.leads(number(leads), leads, date(last_ts))}</Note>}
      {spam > 0 && <Note>{words.spam(number(spam), spam)}</Note>}
    </>
  )
}
