// The window of a page: a named period or two dates, and the one before and after it. D, E, W, T, M, Y and L
// choose, comma and full stop go back and forth, C opens the calendar.
import { CalendarDays, ChevronDown, LoaderCircle } from 'lucide-react'
import { lazy, Suspense, useRef } from 'react'
import { daysOfText } from '../format.ts'
import { useKeys } from '../keys.ts'
import { later } from '../later.ts'
import type { Choice } from '../shift.ts'
import { common as text, withTexts } from '../texts/index.ts'
import { type Period, periods, useWindow } from '../window.ts'
import { periodKeys } from './period-keys.ts'
import styles from './period-picker.module.css'
import { Popover } from './popover.tsx'
import { Skeleton } from './states.tsx'

const PeriodPanel = lazy(
  later(withTexts(['dates'], async () => ({ default: (await import('./period-panel.tsx')).PeriodPanel }))),
)
const Turn = lazy(later(async () => ({ default: (await import('./period-turn.tsx')).Turn })))

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
  const set = (choice: Choice): void => setWindow({ ...choice, interval: null })
  const choose = (next: Period): void => set({ period: next, date_from: null, date_to: null })
  usePeriodKeys((id) => (id === 'custom' ? panel.current?.showPopover() : choose(id)))

  const isRange = chosen === 'custom' && date_from !== null && date_to !== null
  const button = (
    <>
      {isAwaited ? <LoaderCircle className={styles.awaited} aria-hidden="true" /> : <CalendarDays aria-hidden="true" />}
      <span className="visually-hidden">{isAwaited ? text.period.awaited : text.period.label}: </span>
      {isRange ? daysOfText(date_from, date_to) : text.period.names[chosen]}
      <ChevronDown aria-hidden="true" />
    </>
  )
  return (
    <div className={styles.turns}>
      <Suspense fallback={<span className={styles.turn} />}>
        <Turn direction={-1} choice={{ period: chosen, date_from, date_to }} onTurn={set} />
      </Suspense>
      <Popover button={button} align="end" handle={panel} className={styles.panel}>
        {(close) => (
          <Suspense fallback={<Skeleton height="32rem" />}>
            <PeriodPanel
              choice={{ period: chosen, date_from, date_to }}
              onChoose={(choice) => {
                set(choice)
                close()
              }}
            />
          </Suspense>
        )}
      </Popover>
      <Suspense fallback={<span className={styles.turn} />}>
        <Turn direction={1} choice={{ period: chosen, date_from, date_to }} onTurn={set} />
      </Suspense>
    </div>
  )
}

function usePeriodKeys(run: (id: Period) => void): void {
  useKeys(
    periods.flatMap((id) => {
      const key = periodKeys[id]
      return key === undefined
        ? []
        : [{ key, label: text.period.names[id], group: text.keys.period, run: () => run(id) }]
    }),
  )
}
