// The eight figures of the window. A click shows one over time; what it means is said on hover and on focus.
import { ArrowDown, ArrowRight, ArrowUp } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { Sparkline } from '../../charts/sparkline.tsx'
import type { Card, MetricId, Overview, Values } from '../../api/overview.ts'
import { figure, number, percent } from '../../format.ts'
import { cx } from '../../parts/cx.ts'
import { Tooltip } from '../../parts/tooltip.tsx'
import { text } from '../../texts/en/overview.ts'
import styles from './cards.module.css'
import type { SetView, View } from './view.ts'

export interface CardsProps {
  readonly overview: Overview
  readonly view: Pick<View, 'metric' | 'compare'>
  readonly setView: SetView
}

export function Cards({ overview, view, setView }: CardsProps) {
  const { cards, series } = overview
  const visits = cards.find(({ id }) => id === 'visits')
  const sessions = cards.find(({ id }) => id === 'sessions')?.current ?? 0
  /** A mean of nothing is no figure. */
  const isKnown = ({ format }: Card): boolean => sessions > 0 || format === 'count' || format === 'cents'
  const choose = (metric: MetricId): void => setView({ metric })
  return (
    <div className={styles.cards} role="group" aria-label={text.cards.label}>
      {cards
        .filter(({ id }) => id !== 'visits')
        .map((card) => (
          <OneCard
            key={card.id}
            card={card}
            values={series.current[card.id]}
            isKnown={isKnown(card)}
            isChosen={view.metric === card.id}
            isCompared={view.compare !== 'none'}
            onChoose={() => choose(card.id)}
          >
            {card.id === 'sessions' && visits && (
              <Visits card={visits} isChosen={view.metric === 'visits'} onChoose={() => choose('visits')} />
            )}
          </OneCard>
        ))}
    </div>
  )
}

interface OneCardProps {
  readonly card: Card
  readonly values: Values
  readonly isKnown: boolean
  readonly isChosen: boolean
  readonly isCompared: boolean
  readonly onChoose: () => void
  readonly children?: ReactNode
}

function OneCard({ card, values, isKnown, isChosen, isCompared, onChoose, children }: OneCardProps) {
  const id = useId()
  return (
    <div className={styles.card}>
      <Tooltip words={text.metrics[card.id].definition} isLabel align="start" className={styles.tip}>
        <button type="button" className={styles.main} aria-pressed={isChosen} aria-describedby={id} onClick={onChoose}>
          <span className={styles.label}>{text.metrics[card.id].label}</span>
          <span className={styles.value}>{figure(isKnown ? card.current : null, card.format)}</span>
          {isCompared && <Change card={card} />}
          <span className={styles.spark}>
            <Sparkline values={values} />
          </span>
        </button>
      </Tooltip>
      <span id={id} hidden>
        {text.metrics[card.id].definition}
      </span>
      {children}
    </div>
  )
}

const icons = { up: ArrowUp, down: ArrowDown, flat: ArrowRight }
const tones = { success: styles.better, danger: styles.worse, base: undefined }
const judgements = { success: text.cards.better, danger: text.cards.worse, base: text.cards.same }

/** Coloured by better and worse; the arrow says up or down. */
function Change({ card }: { card: Card }) {
  const { previous, difference, percent_abs: share, trend, trend_color: colour, format } = card
  if (previous === null || trend === null)
    return (
      <span className={styles.change}>
        <span aria-hidden="true">–</span>
        <span className="visually-hidden">{text.cards.nothingBefore}</span>
      </span>
    )
  const Arrow = icons[trend]
  const shown = share === null ? figure(Math.abs(difference ?? 0), format) : percent(share)
  const words = trend === 'down' ? text.cards.less(shown) : text.cards.more(shown)
  return (
    <span className={styles.change}>
      <span className={cx(styles.difference, tones[colour])}>
        <Arrow aria-hidden="true" />
        <span aria-hidden="true">{shown}</span>
        <span className="visually-hidden">
          {trend === 'flat' ? text.cards.same : `${words}, ${judgements[colour]}`},
        </span>
      </span>
      <span className={styles.previous}>{text.cards.from(figure(previous, format))}</span>
    </span>
  )
}

/** Beside sessions: what tools would count that begin a new one after half an hour. */
function Visits({ card, isChosen, onChoose }: { card: Card; isChosen: boolean; onChoose: () => void }) {
  const id = useId()
  return (
    <span className={styles.visits}>
      <Tooltip words={text.metrics[card.id].definition} isLabel align="start">
        <button type="button" aria-pressed={isChosen} aria-describedby={id} onClick={onChoose}>
          {text.cards.visits(number(card.current), card.current)}
        </button>
      </Tooltip>
      <span id={id} hidden>
        {text.metrics[card.id].definition}
      </span>
    </span>
  )
}
