// The days in which something was sent; either end may be open.
import { CalendarDays, ChevronDown } from 'lucide-react'
import { useState } from 'react'
import { dateOfText } from '../../format.ts'
import { Button } from '../../parts/button.tsx'
import { TextField } from '../../parts/fields.tsx'
import { Popover } from '../../parts/popover.tsx'
import { common, forms as text } from '../../texts/index.ts'
import styles from './forms.module.css'

interface DaysProps {
  readonly from: string
  readonly to: string
  readonly onDays: (days: { from: string; to: string }) => void
}

function daysWords(from: string, to: string): string {
  if (from === '' && to === '') return text.submissions.anyDay
  if (to === '') return text.submissions.since(dateOfText(from))
  return from === '' ? text.submissions.until(dateOfText(to)) : `${dateOfText(from)} – ${dateOfText(to)}`
}

export function Days({ from, to, onDays }: DaysProps) {
  const button = (
    <>
      <CalendarDays aria-hidden="true" />
      {daysWords(from, to)}
      <ChevronDown aria-hidden="true" />
    </>
  )
  return (
    <Popover button={button} align="end">
      {(close) => <DaysForm from={from} to={to} onDays={onDays} close={close} />}
    </Popover>
  )
}

function DaysForm({ from, to, onDays, close }: DaysProps & { close: () => void }) {
  const [days, setDays] = useState({ from, to })
  const bounds = { type: 'date', min: '1970-01-01', max: '2099-12-31' }
  const isReversed = days.from !== '' && days.to !== '' && days.to < days.from
  const apply = (next: { from: string; to: string }): void => {
    onDays(next)
    close()
  }
  return (
    <form
      className={styles.days}
      onSubmit={(event) => {
        event.preventDefault()
        if (!isReversed) apply(days)
      }}
    >
      <TextField
        {...bounds}
        label={text.submissions.from}
        value={days.from}
        onChange={(day) => setDays({ ...days, from: day })}
      />
      <TextField
        {...bounds}
        label={text.submissions.to}
        value={days.to}
        onChange={(day) => setDays({ ...days, to: day })}
        errors={isReversed ? [common.period.order] : []}
      />
      <div>
        <Button type="submit" size="small" look="primary" disabled={isReversed}>
          {common.actions.apply}
        </Button>{' '}
        <Button size="small" look="quiet" onClick={() => apply({ from: '', to: '' })}>
          {text.submissions.anyDay}
        </Button>
      </div>
    </form>
  )
}
