// A text as a QR code: one path of squares. In a chunk of its own, for the one place that draws it here.
import { encode } from 'uqr'

/** Scanners want four squares of white around it. */
const BORDER = 4

function pathOf(rows: readonly (readonly boolean[])[]): string {
  return rows.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : []))).join('')
}

export interface QrCodeProps {
  readonly words: string
  readonly label: string
  readonly className: string
}

export default function QrCode({ words, label, className }: QrCodeProps) {
  const { data, size } = encode(words, { border: BORDER, ecc: 'M' })
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      className={className}
    >
      <path d={pathOf(data)} fill="currentColor" />
    </svg>
  )
}
