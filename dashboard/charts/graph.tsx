// One metric over time: its area, the window before as a ghost, the running bucket as an open point, what it
// will come to, and notes on the baseline. Read with the pointer, with a finger or with the arrow keys; a
// part that is dragged over, or chosen with Shift, can be shown alone.
import { type KeyboardEvent, type PointerEvent, type ReactNode, useId, useMemo, useRef, useState } from 'react'
import { Button } from '../parts/button.tsx'
import { Drawing, type Drawn, type Mark, placeOfMark, type Stage, stageOf } from './drawing.tsx'
import { grouped } from './geometry.ts'
import styles from './graph.module.css'
import { useWidth } from './use-width.ts'

export interface GraphProps extends Drawn {
  readonly label: string
  /** How it is read and zoomed, for those who do not see it. */
  readonly help: string
  /** What is said of a bucket in words, for readers. */
  readonly words: (index: number) => string
  /** The same to be seen. */
  readonly readOut: (index: number) => ReactNode
  /** Asked to show these buckets alone; left out where nothing can be shown closer. */
  readonly onZoom?: ((first: number, last: number) => void) | undefined
  /** What the button says with which a finger does that. */
  readonly zoomWords?: ((first: number, last: number) => string) | undefined
  /** What stands at marks that have no room beside each other. */
  readonly mark?: ((marks: readonly Mark[]) => ReactNode) | undefined
  readonly height?: number | undefined
}

/** A shorter drag is a shaky click. */
const LEAST_DRAG = 8

export function Graph(props: GraphProps) {
  const { buckets, height = 280, marks = [] } = props
  const id = useId()
  const [frame, width] = useWidth<HTMLDivElement>()
  const [at, setAt] = useState<number | null>(null)
  const { part, isOffered, setPart } = usePart(buckets)
  // oxlint-disable-next-line react/exhaustive-effect-dependencies -- all that places things is in the props
  const stage = useMemo(() => stageOf(props, width, height), [props, width, height])
  const shown = at === null ? null : Math.min(at, buckets.length - 1)
  const forget = (): void => {
    setPart(null)
    setAt(null)
  }
  const zoom =
    props.onZoom &&
    ((first: number, last: number): void => {
      forget()
      props.onZoom?.(first, last)
    })
  const reading = { buckets: buckets.length, stage, at: shown, setAt, part, setPart, onZoom: zoom }
  const pointer = usePointer(reading)

  return (
    <div className={styles.graph} ref={frame} style={{ height }}>
      {width > 0 && (
        <>
          <div
            className={styles.surface}
            role="slider"
            tabIndex={0}
            aria-label={props.label}
            aria-describedby={`${id}-help`}
            aria-valuemin={1}
            aria-valuemax={Math.max(1, buckets.length)}
            aria-valuenow={(shown ?? buckets.length - 1) + 1}
            aria-valuetext={props.words(shown ?? buckets.length - 1)}
            onKeyDown={(event) => onKey(event, reading)}
            onFocus={(event) => event.target.matches(':focus-visible') && setAt(shown ?? buckets.length - 1)}
            onBlur={({ relatedTarget }) => {
              if (!isOffered || !frame.current?.contains(relatedTarget)) forget()
            }}
            {...pointer}
          >
            <Drawing {...props} stage={stage} height={height} at={shown} part={part} />
          </div>
          <span id={`${id}-help`} hidden>
            {props.help}
          </span>
          {part && isOffered && zoom && <Offer stage={stage} part={part} words={props.zoomWords} onChoose={zoom} />}
          <Marks marks={marks} stage={stage} show={props.mark} />
          {shown !== null && (
            <ReadOut x={stage.axis.middle(shown)} width={width}>
              {props.readOut(shown)}
            </ReadOut>
          )}
        </>
      )}
    </div>
  )
}

interface MarksProps {
  readonly marks: readonly Mark[]
  readonly stage: Stage
  readonly show: GraphProps['mark']
}

/** On the baseline; those that have no room beside each other are one. */
function Marks({ marks, stage, show }: MarksProps) {
  const placed = marks.map((mark) => ({ ...mark, x: placeOfMark(stage, mark) }))
  return grouped(placed, roomOf).map(({ x, all }) => (
    <div key={all[0]?.key} className={styles.mark} style={{ left: x, top: stage.base }}>
      {show?.(all)}
    </div>
  ))
}

type Part = readonly [number, number]

interface Chosen {
  readonly part: Part
  readonly of: string
  /** To be shown alone, by a button. */
  readonly isOffered: boolean
}

/** A part of other buckets is no part any more. */
function usePart(buckets: GraphProps['buckets']) {
  const [chosen, setChosen] = useState<Chosen | null>(null)
  const of = `${buckets.length} ${buckets[0]?.name}`
  const known = chosen?.of === of ? chosen : null
  return {
    part: known?.part ?? null,
    isOffered: known?.isOffered === true,
    setPart: (part: Part | null, isOffered = false): void => setChosen(part && { part, of, isOffered }),
  }
}

/** As wide as what is drawn there, with some air: a mark that stands for several says how many. */
function roomOf(all: readonly Mark[]): number {
  const count = all.reduce((sum, mark) => sum + mark.count, 0)
  return count > 1 ? 44 : 28
}

interface Reading {
  readonly buckets: number
  readonly stage: Stage
  readonly at: number | null
  readonly setAt: (at: number | null) => void
  readonly part: Part | null
  readonly setPart: (part: Part | null, isOffered?: boolean) => void
  readonly onZoom: GraphProps['onZoom']
}

const moves: Readonly<Record<string, (at: number, count: number) => number>> = {
  ArrowLeft: (at) => at - 1,
  ArrowDown: (at) => at - 1,
  ArrowRight: (at) => at + 1,
  ArrowUp: (at) => at + 1,
  PageUp: (at) => at + 7,
  PageDown: (at) => at - 7,
  Home: () => 0,
  End: (_, count) => count - 1,
}

function onKey(event: KeyboardEvent, { buckets, at, setAt, part, setPart, onZoom }: Reading): void {
  const known = at ?? buckets - 1
  if (event.key === 'Enter' && onZoom) {
    event.preventDefault()
    onZoom(part?.[0] ?? known, part?.[1] ?? known)
  } else if (event.key === 'Escape' && part) {
    event.preventDefault()
    setPart(null)
  } else {
    const next = moves[event.key]?.(known, buckets)
    if (next === undefined || event.altKey || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    const place = Math.min(Math.max(next, 0), buckets - 1)
    setAt(place)
    setPart(event.shiftKey && onZoom ? [part?.[0] ?? known, place] : null)
  }
}

/**
 * Hovering reads; dragging chooses a part and, when it ends, shows that part alone. A finger reads by
 * dragging, so what it went over is offered by a button instead; one that moves up or down scrolls the page,
 * and two make it larger.
 */
function usePointer({ stage, setAt, setPart, onZoom }: Reading) {
  const began = useRef<number | null>(null)
  const xOf = (event: PointerEvent): number => event.clientX - event.currentTarget.getBoundingClientRect().left
  const partTo = (x: number): Part | null => {
    const { current } = began
    return current === null || Math.abs(x - current) < LEAST_DRAG ? null : [stage.axis.at(current), stage.axis.at(x)]
  }
  const end = (): void => {
    began.current = null
    setPart(null)
  }
  return {
    onPointerDown: (event: PointerEvent<HTMLElement>): void => {
      if (event.button !== 0 || !event.isPrimary) return
      setAt(stage.axis.at(xOf(event)))
      setPart(null)
      if (!onZoom) return
      began.current = xOf(event)
      event.currentTarget.setPointerCapture(event.pointerId)
    },
    onPointerMove: (event: PointerEvent): void => {
      if (!event.isPrimary) return
      const x = xOf(event)
      setAt(stage.axis.at(x))
      if (began.current !== null) setPart(partTo(x))
    },
    onPointerUp: (event: PointerEvent): void => {
      if (!event.isPrimary || began.current === null) return
      const part = partTo(xOf(event))
      end()
      if (!part) return
      if (event.pointerType === 'touch') setPart(part, true)
      else onZoom?.(...part)
    },
    onPointerCancel: end,
    onPointerLeave: (event: PointerEvent): void => {
      if (began.current === null && event.pointerType !== 'touch') setAt(null)
    },
  }
}

interface OfferProps {
  readonly stage: Stage
  readonly part: Part
  readonly words: GraphProps['zoomWords']
  readonly onChoose: (first: number, last: number) => void
}

/** Under the part that it is about, as far as there is room. */
function Offer({ stage, part, words, onChoose }: OfferProps) {
  const { axis, base, width } = stage
  const middle = (axis.middle(part[0]) + axis.middle(part[1])) / 2
  const half = Math.min(OFFER_WIDTH, width) / 2
  return (
    <Button
      size="small"
      look="primary"
      className={styles.offer}
      style={{ left: Math.min(Math.max(middle, half), width - half), top: base - OFFER_ABOVE }}
      // The graph keeps the focus, and the part with it.
      onMouseDown={(event) => event.preventDefault()}
      onClick={() => onChoose(...part)}
    >
      {words?.(...part)}
    </Button>
  )
}

const OFFER_WIDTH = 200
const OFFER_ABOVE = 44

/** Below this there is no room beside the cursor: what is read stands at the other edge. */
const NARROW = 560
const GAP = 14

/** On the side with more room, so that it never covers what it is about. */
function ReadOut({ x, width, children }: { x: number; width: number; children: ReactNode }) {
  const isRightHalf = x > width / 2
  const distance = width < NARROW ? 0 : isRightHalf ? width - x + GAP : x + GAP
  const isAtStart = width < NARROW ? isRightHalf : !isRightHalf
  const style = isAtStart ? { left: distance } : { right: distance }
  return (
    <div className={styles.readOut} style={style} aria-hidden="true">
      {children}
    </div>
  )
}
