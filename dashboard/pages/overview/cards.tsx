// The eight figures of the window. A click shows one over time; what it means is said on hover and on focus.
import { ArrowDown, ArrowUp } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useId } from 'react'
import { Sparkline } from '../../charts/sparkline.tsx'
import type { Card, MetricId, Overview, Values } from '../../api/overview.ts'
import { type Change, changeOf, changeWords } from '../../change.ts'
import { figure, NO_FIGURE, number } from '../../format.ts'
import { cx } from '../../parts/cx.ts'
import { Tooltip } from '../../parts/tooltip.tsx'
import { overview as text } from '../../texts/index.ts'
import type { Comparison } from '../../window.ts'
import styles from './cards.module.css'
import { comparisonOf, knownFigures, knownValues, shownCards } from './known.ts'
import type { SetView, View } from './view.ts'

export interface CardsProps {
  readonly overview: Overview
  readonly view: Pick<View, 'metric' | 'compare'>
  readonly setView: SetView
  /** Left out: all. */
  readonly only?: readonly MetricId[]
}

export function Cards({ overview, view, setView, only }: CardsProps) {
  const { cards } = overview
  const visits = cards.find(({ id }) => id === 'visits')
  const choose = (metric: MetricId): void => setView({ metric })
  const shown = shownCards(cards, only)
  // One of them is in the order of Tab, and arrows move among them: the graph is one step away.
  const isShown = view.metric === 'visits' ? visits : shown.some(({ id }) => id === view.metric)
  const inTab = isShown ? view.metric : shown[0]?.id
  return (
    <div className={styles.cards} role="group" aria-label={text.cards.label} onKeyDown={moveByArrows}>
      {shown.map((card) => (
        <OneCard
          key={card.id}
          card={card}
          overview={overview}
          isChosen={view.metric === card.id}
          tabIndex={card.id === inTab ? 0 : -1}
          compare={view.compare}
          onChoose={() => choose(card.id)}
        >
          {card.id === 'sessions' && visits && (
            <Visits
              card={visits}
              tabIndex={inTab === 'visits' ? 0 : -1}
              isChosen={view.metric === 'visits'}
              onChoose={() => choose('visits')}
            />
          )}
        </OneCard>
      ))}
    </div>
  )
}

function moveByArrows({ key, currentTarget, target }: KeyboardEvent<HTMLElement>): void {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[key]
  if (step === undefined) return
  const buttons = [...currentTarget.querySelectorAll('button')]
  buttons.at((buttons.findIndex((button) => button === target) + step) % buttons.length)?.focus()
}

interface OneCardProps {
  readonly card: Card
  readonly overview: Overview
  readonly isChosen: boolean
  readonly tabIndex: number
  readonly compare: Comparison
  readonly onChoose: () => void
  readonly children?: ReactNode
}

/** What the metric means, and of how much it is known. */
function meaningOf({ id, known }: Card, sessions: number): string {
  const { definition } = text.metrics[id]
  if (known === undefined || known.sessions >= sessions) return definition
  return `${definition} ${text.known(number(known.sessions), number(sessions), sessions)}`
}

/** A running bucket of a sum is no fall: the line ends before it, unless there is nothing else. */
function sparkOf({ series }: Overview, { id, format }: Card): Values {
  const values = knownValues(id, series.current, series.known)
  if (format !== 'count' && format !== 'cents') return values
  const over = values.map((value, index) => (series.buckets[index]?.is_running ? null : value))
  return over.some((value) => value !== null) ? over : values
}

function OneCard({ card, overview, isChosen, tabIndex, compare, onChoose, children }: OneCardProps) {
  const id = useId()
  const sessions = overview.cards.find((each) => each.id === 'sessions')
  const { current, previous } = knownFigures(card, sessions)
  const isCompared = comparisonOf(overview, compare) === 'full'
  const meaning = meaningOf(card, sessions?.current ?? 0)
  return (
    <div className={styles.card}>
      <Tooltip words={meaning} isLabel align="start" className={styles.tip}>
        <button
          type="button"
          className={styles.main}
          tabIndex={tabIndex}
          aria-pressed={isChosen}
          aria-describedby={id}
          onClick={onChoose}
        >
          <span className={styles.label}>{text.metrics[card.id].label}</span>
          <span className={styles.value}>{figure(current, card.format)}</span>
          {current === null ? (
            <span className={styles.change}>{text.cards.unknown}</span>
          ) : (
            compare !== 'none' && <Difference card={card} current={current} previous={isCompared ? previous : null} />
          )}
          <span className={styles.spark}>
            <Sparkline values={sparkOf(overview, card)} />
          </span>
        </button>
      </Tooltip>
      <span id={id} hidden>
        {meaning}
      </span>
      {children}
    </div>
  )
}

const icons = { up: ArrowUp, down: ArrowDown }
/** Read when it is said: other pages load this file for its neighbours, without the texts of the overview. */
const signOf = (direction: 'up' | 'down') => (direction === 'up' ? text.cards.more : text.cards.less)

interface DifferenceProps {
  readonly card: Card
  readonly current: number
  /** Null where there is nothing to compare with. */
  readonly previous: number | null
}

function Difference({ card, current, previous }: DifferenceProps) {
  const change = changeOf(current, previous, card.format)
  if (previous === null || change === null)
    return (
      <span className={styles.change}>
        <span aria-hidden="true">{NO_FIGURE}</span>
        <span className="visually-hidden">{text.cards.nothingBefore}</span>
      </span>
    )
  return (
    <span className={styles.change}>
      {change.direction === 'none' ? changeWords(change) : <Moved isReverse={card.is_reverse} {...change} />}
      <span className={styles.previous}>{text.cards.from(figure(previous, card.format))}</span>
    </span>
  )
}

/** Coloured by better and worse; the arrow says up or down. */
function Moved({ direction, amount, isReverse }: Change & { readonly isReverse: boolean }) {
  if (direction === 'none') return null
  const Arrow = icons[direction]
  const isBetter = (direction === 'up') !== isReverse
  return (
    <span className={cx(styles.difference, isBetter ? styles.better : styles.worse)}>
      <Arrow aria-hidden="true" />
      <span aria-hidden="true">{amount}</span>
      <span className="visually-hidden">
        {`${signOf(direction)(amount)}, ${isBetter ? text.cards.better : text.cards.worse}`},
      </span>
    </span>
  )
}

/** Beside sessions: what tools would count that begin a new one after half an hour. */
function Visits({ card, ...button }: { card: Card; isChosen: boolean; tabIndex: number; onChoose: () => void }) {
  const id = useId()
  return (
    <span className={styles.visits}>
      <Tooltip words={text.metrics[card.id].definition} isLabel align="start">
        <button
          type="button"
          tabIndex={button.tabIndex}
          aria-pressed={button.isChosen}
          aria-describedby={id}
          onClick={button.onChoose}
        >
          {text.cards.visits(number(card.current ?? 0), card.current ?? 0)}
        </button>
      </Tooltip>
      <span id={id} hidden>
        {text.metrics[card.id].definition}
      </span>
    </span>
  )
}
