// Sessions by country on a map. The list of countries has the same figures, so screen readers get one named
// image.
import { type PointerEvent, useMemo, useState } from 'react'
import { countryName, number } from '../format.ts'
import { overview as text } from '../texts/index.ts'
import { drawWorld } from './world.ts'
import styles from './world-map.module.css'

export interface WorldMapProps {
  /** By alpha-2. */
  readonly counts: Readonly<Record<string, number>>
  readonly onChoose: (code: string, isExcluding: boolean) => void
}

const WIDTH = 960
const STEPS = 6

/** 1 to STEPS: by the root, as one country often has more than all others together. */
const stepOf = (count: number, most: number): number =>
  count === 0 ? 0 : Math.max(1, Math.ceil(Math.sqrt(count / most) * STEPS))

interface Hovered {
  readonly code: string
  readonly x: number
  readonly y: number
}

export default function WorldMap({ counts, onChoose }: WorldMapProps) {
  const { height, lands, dots } = useMemo(() => drawWorld(WIDTH), [])
  const most = Math.max(1, ...Object.values(counts))
  const [hovered, setHovered] = useState<Hovered>()
  const stepAt = (code: string | undefined): number => stepOf((code !== undefined && counts[code]) || 0, most)
  const onMove = (event: PointerEvent<SVGSVGElement>): void => {
    const code = event.target instanceof SVGElement ? event.target.dataset['code'] : undefined
    const box = event.currentTarget.getBoundingClientRect()
    setHovered(code === undefined ? undefined : { code, x: event.clientX - box.left, y: event.clientY - box.top })
  }
  const chosen = (target: EventTarget): string | undefined => {
    const code = target instanceof SVGElement ? target.dataset['code'] : undefined
    return code !== undefined && (counts[code] ?? 0) > 0 ? code : undefined
  }
  return (
    <div className={styles.map}>
      {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the list of countries does the same by keyboard */}
      <svg
        viewBox={`0 0 ${WIDTH} ${height}`}
        role="img"
        aria-label={text.map.label}
        onPointerMove={onMove}
        onPointerLeave={() => setHovered(undefined)}
        onClick={(event) => {
          const code = chosen(event.target)
          if (code !== undefined) onChoose(code, event.altKey)
        }}
      >
        {lands.map(({ code, path }, index) => (
          <path key={index} d={path} className={styles.land} data-code={code} data-step={stepAt(code)} />
        ))}
        {dots
          .filter(({ code }) => (counts[code] ?? 0) > 0)
          .map(({ code, x, y }) => (
            <circle key={code} cx={x} cy={y} r={6} className={styles.dot} data-code={code} data-step={stepAt(code)} />
          ))}
      </svg>
      {hovered && <Bubble {...hovered} count={counts[hovered.code] ?? 0} />}
      <div className={styles.legend} aria-hidden="true">
        <span>{text.map.fewer}</span>
        {Array.from({ length: STEPS }, (_, index) => (
          <span key={index} className={styles.swatch} data-step={index + 1} />
        ))}
        <span>{text.map.more}</span>
      </div>
    </div>
  )
}

function Bubble({ code, x, y, count }: Hovered & { count: number }) {
  return (
    <div className={styles.bubble} style={{ left: x, top: y }} aria-hidden="true">
      <strong>{countryName(code)}</strong>
      <span>{count === 0 ? text.map.none : text.map.sessions(number(count), count)}</span>
    </div>
  )
}
