// The window of a page: a named period or two dates. D, E, W, T, M, Y and L choose, C opens the range.
import { CalendarDays, Check, ChevronDown, LoaderCircle } from 'lucide-react'
import { type FormEvent, useRef, useState } from 'react'
import { daysOfText, zoneName } from '../format.ts'
import { useKeys } from '../keys.ts'
import { common as text } from '../texts/index.ts'
import { type Period, periods, useWindow } from '../window.ts'
import { Button } from './button.tsx'
import { TextField } from './fields.tsx'
import styles from './period-picker.module.css'
import { Popover } from './popover.tsx'
import { Key } from './marks.tsx'

export const periodKeys: Readonly<Record<Period, string>> = {
  today: 'd',
  yesterday: 'e',
  last_7: 'w',
  last_28: 't',
  month_to_date: 'm',
  year_to_date: 'y',
  last_12_months: 'l',
  custom: 'c',
}

export interface PeriodPickerProps {
  /** What is shown while the URL names no period: the service's own choice (`inputs.period`). */
  readonly byDefault?: Period | undefined
  /** What is shown is not of this period yet. */
  readonly isAwaited?: boolean | undefined
}

/** Reads and writes the window of the URL; nothing has to be passed on. */
export function PeriodPicker({ byDefault = 'last_7', isAwaited = false }: PeriodPickerProps) {
  const [{ period, date_from, date_to }, setWindow] = useWindow()
  const panel = useRef<HTMLDivElement>(null)
  const chosen = period ?? byDefault
  const choose = (next: Period): void => setWindow({ period: next, date_from: null, date_to: null, interval: null })
  const isRange = chosen === 'custom' && date_from !== null && date_to !== null

  useKeys(
    periods.map((id) => ({
      key: periodKeys[id],
      label: text.period.names[id],
      group: text.keys.period,
      run: () => (id === 'custom' ? panel.current?.showPopover() : choose(id)),
    })),
  )

  const shown = isRange ? daysOfText(date_from, date_to) : text.period.names[chosen]
  const button = (
    <>
      {isAwaited ? <LoaderCircle className={styles.awaited} aria-hidden="true" /> : <CalendarDays aria-hidden="true" />}
      <span className="visually-hidden">{isAwaited ? text.period.awaited : text.period.label}: </span>
      {shown}
      <ChevronDown aria-hidden="true" />
    </>
  )
  return (
    <Popover button={button} align="end" handle={panel} className={styles.panel}>
      {(close) => (
        <>
          <Choices
            chosen={chosen}
            onChoose={(id) => {
              choose(id)
              close()
            }}
          />
          <RangeForm
            from={date_from ?? ''}
            to={date_to ?? ''}
            onRange={(from, to) => {
              setWindow({ period: 'custom', date_from: from, date_to: to, interval: null })
              close()
            }}
          />
        </>
      )}
    </Popover>
  )
}

const Choices = ({ chosen, onChoose }: { chosen: Period; onChoose: (period: Period) => void }) => (
  <ul>
    {periods
      .filter((id) => id !== 'custom')
      .map((id) => (
        <li key={id}>
          <button type="button" className={styles.choice} aria-current={chosen === id} onClick={() => onChoose(id)}>
            <span>{text.period.names[id]}</span>
            {chosen === id && <Check aria-hidden="true" />}
            <Key>{periodKeys[id].toUpperCase()}</Key>
          </button>
        </li>
      ))}
  </ul>
)

interface RangeFormProps {
  readonly from: string
  readonly to: string
  readonly onRange: (from: string, to: string) => void
}

function RangeForm(props: RangeFormProps) {
  const [from, setFrom] = useState(props.from)
  const [to, setTo] = useState(props.to)
  const isReversed = from !== '' && to !== '' && to < from
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (from !== '' && to !== '' && !isReversed) props.onRange(from, to)
  }
  const bounds = { min: '1970-01-01', max: '2099-12-31' }
  return (
    <form className={styles.range} onSubmit={submit}>
      <div className={styles.dates}>
        <TextField type="date" {...bounds} label={text.period.from} value={from} onChange={setFrom} />
        <TextField
          type="date"
          {...bounds}
          label={text.period.to}
          value={to}
          onChange={setTo}
          errors={isReversed ? [text.period.order] : []}
        />
      </div>
      <p className={styles.note}>{text.period.clock(zoneName())}</p>
      <Button type="submit" size="small" disabled={from === '' || to === '' || isReversed}>
        {text.period.apply}
      </Button>
    </form>
  )
}
