// Each measure of all visitors: its value, its rating in words and colour, and how page views are spread.
import type { Speed, Vital } from '../../api/speed.ts'
import { number, percent } from '../../format.ts'
import { StatusDot } from '../../parts/marks.tsx'
import { speed as text } from '../../texts/index.ts'
import styles from './page.module.css'
import { toneOf, valueOf, type VitalName, vitalNames } from './values.ts'

type Measured = NonNullable<Speed['all']>

export const Vitals = ({ speed }: { speed: Measured }) => (
  <ul className={styles.vitals}>
    {vitalNames.map((name) => (
      <OneVital key={name} name={name} vital={speed[name]} />
    ))}
  </ul>
)

function OneVital({ name, vital }: { name: VitalName; vital: Vital }) {
  const words = text.vitals[name]
  return (
    <li className={styles.vital}>
      <h3 className={styles.name} title={words.hint}>
        {words.name}
      </h3>
      <p className={styles.value}>{valueOf(name, vital)}</p>
      {vital.rating !== null && (
        <>
          <StatusDot tone={toneOf[vital.rating]}>{text.ratings[vital.rating]}</StatusDot>
          <Spread vital={vital} />
        </>
      )}
      <p className={styles.hint}>
        {words.hint} {text.goodUpTo(words.good)}
      </p>
      <p className={styles.hint}>{text.measured(number(vital.count), vital.count)}</p>
    </li>
  )
}

const parts = ['good', 'needs_improvement', 'poor'] as const

function Spread({ vital }: { vital: Vital }) {
  const shares = parts.map((part) => percent(vital[part] / vital.count))
  const [good = '', middle = '', poor = ''] = shares
  const words = text.shares(good, middle, poor)
  return (
    <div role="img" aria-label={words} title={words} className={styles.spread}>
      {parts.map((part) => (
        <span key={part} data-rating={part} style={{ flexGrow: vital[part] }} />
      ))}
    </div>
  )
}
