// What the period picker opens: the named periods, and two days.
import { Check } from 'lucide-react'
import { useLayoutEffect, useRef } from 'react'
import { type Choice, periodGroups } from '../shift.ts'
import { common as text } from '../texts/index.ts'
import type { Period } from '../window.ts'
import { Key } from './marks.tsx'
import { periodKeys } from './period-keys.ts'
import styles from './period-panel.module.css'
import { RangeForm } from './range-form.tsx'

interface PeriodPanelProps {
  readonly choice: Choice
  readonly onChoose: (choice: Choice) => void
}

export function PeriodPanel({ choice: { period, date_from, date_to }, onChoose }: PeriodPanelProps) {
  const panel = useRef<HTMLDivElement>(null)
  // The popover has looked for something to focus before this was there.
  useLayoutEffect(() => panel.current?.querySelector<HTMLElement>('[aria-current=true]')?.focus(), [])
  return (
    <div ref={panel} className={styles.panel}>
      <Choices chosen={period} onChoose={(id) => onChoose({ period: id, date_from: null, date_to: null })} />
      <div className={styles.range}>
        <RangeForm
          from={date_from ?? ''}
          to={date_to ?? ''}
          onRange={(from, to) => onChoose({ period: 'custom', date_from: from, date_to: to })}
        />
      </div>
    </div>
  )
}

interface ChoicesProps {
  readonly chosen: Period | null
  readonly onChoose: (period: Period) => void
}

const Choices = ({ chosen, onChoose }: ChoicesProps) => (
  <div className={styles.choices}>
    {periodGroups.map((group) => (
      <ul key={group[0]}>
        {group.map((id) => (
          <li key={id}>
            <button type="button" className={styles.choice} aria-current={chosen === id} onClick={() => onChoose(id)}>
              <span>{text.period.names[id]}</span>
              {chosen === id && <Check aria-hidden="true" />}
              {periodKeys[id] !== undefined && <Key>{periodKeys[id].toUpperCase()}</Key>}
            </button>
          </li>
        ))}
      </ul>
    ))}
  </div>
)
