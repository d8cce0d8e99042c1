// One metric over time: its area, the window before as a ghost, the running bucket dashed, what it will come to, and notes on the baseline.
// Read with the pointer, with a finger or with the arrow keys; a part that is dragged over, or chosen with Shift, can be shown alone.
import { type KeyboardEvent, type PointerEvent, type ReactNode, useId, useMemo, useRef, useState } from 'react'
import { Drawing, type Drawn, type Stage, stageOf } from './drawing.tsx'
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
  readonly height?: number | undefined
}

/** A shorter drag is a shaky click. */
const LEAST_DRAG = 8

export function Graph(props: GraphProps) {
  const { buckets, height = 280, marks = [] } = props
  const id = useId()
  const [frame, width] = useWidth<HTMLDivElement>()
  const [at, setAt] = useState<number | null>(null)
  const [part, setPart] = useState<readonly [number, number] | null>(null)
  // oxlint-disable-next-line react/exhaustive-effect-dependencies -- all that decides where things stand is in the props
  const stage = useMemo(() => stageOf(props, width, height), [props, width, height])
  const shown = at === null ? null : Math.min(at, buckets.length - 1)
  const reading = { buckets: buckets.length, stage, at: shown, setAt, part, setPart, onZoom: props.onZoom }
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
            onBlur={() => {
              setAt(null)
              setPart(null)
            }}
            {...pointer}
          >
            <Drawing {...props} stage={stage} height={height} at={shown} part={part} />
          </div>
          <span id={`${id}-help`} hidden>
            {props.help}
          </span>
          {marks.map(({ key, index, part: share, mark }) => (
            <div
              key={key}
              className={styles.mark}
              style={{ left: stage.axis.begin(index) + share * stage.axis.band, top: stage.base }}
            >
              {mark}
            </div>
          ))}
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

interface Reading {
  readonly buckets: number
  readonly stage: Stage
  readonly at: number | null
  readonly setAt: (at: number | null) => void
  readonly part: readonly [number, number] | null
  readonly setPart: (part: readonly [number, number] | null) => void
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
    setPart(null)
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

/** Hovering reads; dragging chooses a part and, when it ends, shows that part alone. A finger that moves up or down scrolls the page. */
function usePointer({ stage, setAt, setPart, onZoom }: Reading) {
  const began = useRef<number | null>(null)
  const xOf = (event: PointerEvent): number => event.clientX - event.currentTarget.getBoundingClientRect().left
  const end = (): void => {
    began.current = null
    setPart(null)
  }
  return {
    onPointerDown: (event: PointerEvent<HTMLElement>): void => {
      if (event.button !== 0) return
      setAt(stage.axis.at(xOf(event)))
      if (!onZoom || event.pointerType === 'touch') return
      began.current = xOf(event)
      event.currentTarget.setPointerCapture(event.pointerId)
    },
    onPointerMove: (event: PointerEvent): void => {
      const x = xOf(event)
      setAt(stage.axis.at(x))
      const { current } = began
      if (current !== null)
        setPart(Math.abs(x - current) < LEAST_DRAG ? null : [stage.axis.at(current), stage.axis.at(x)])
    },
    onPointerUp: (event: PointerEvent): void => {
      const { current } = began
      const x = xOf(event)
      end()
      if (current !== null && Math.abs(x - current) >= LEAST_DRAG) onZoom?.(stage.axis.at(current), stage.axis.at(x))
    },
    onPointerCancel: end,
    onPointerLeave: (event: PointerEvent): void => {
      if (began.current === null && event.pointerType !== 'touch') setAt(null)
    },
  }
}

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
