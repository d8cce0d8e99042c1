// Two days: chosen in a calendar, or typed.
import { type FormEvent, lazy, Suspense, useState } from 'react'
import { zoneName } from '../format.ts'
import { later } from '../later.ts'
import { common, dates } from '../texts/index.ts'
import { Button } from './button.tsx'
import { TextField } from './fields.tsx'
import styles from './range-form.module.css'
import { Skeleton } from './states.tsx'

const Calendar = lazy(later(async () => ({ default: (await import('./calendar.tsx')).Calendar })))

const text = common.period
const bounds = { min: '1970-01-01', max: '2099-12-31' }

export interface RangeFormProps {
  /** YYYY-MM-DD, or empty. */
  readonly from: string
  readonly to: string
  /** What the button says; left out: that the range is shown. */
  readonly apply?: string | undefined
  readonly onRange: (from: string, to: string) => void
}

export function RangeForm({ apply = dates.apply, onRange, ...props }: RangeFormProps) {
  const [from, setFrom] = useState(props.from)
  const [to, setTo] = useState(props.to)
  const isReversed = from !== '' && to !== '' && to < from
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (from !== '' && to !== '' && !isReversed) onRange(from, to)
  }
  return (
    <form className={styles.range} onSubmit={submit}>
      <Suspense fallback={<Skeleton height="18.5rem" />}>
        <Calendar
          from={from}
          to={to}
          onRange={(first, last) => {
            setFrom(first)
            setTo(last)
          }}
        />
      </Suspense>
      <div className={styles.dates}>
        <TextField type="date" {...bounds} label={text.from} value={from} onChange={setFrom} />
        <TextField
          type="date"
          {...bounds}
          label={text.to}
          value={to}
          onChange={setTo}
          errors={isReversed ? [text.order] : []}
        />
      </div>
      <p className={styles.note}>{dates.clock(zoneName())}</p>
      <Button type="submit" size="small" look="primary" disabled={from === '' || to === '' || isReversed}>
        {apply}
      </Button>
    </form>
  )
}
