// HTML of an owner as visitors would see it, in a frame without an origin whose policy lets no script of it
// run.
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { fileUrl } from '../place.ts'
import styles from './preview.module.css'

export interface PreviewProps {
  readonly html: string
  /** What it shows, for readers. */
  readonly title: string
  /** Pixels; it grows with its content up to this. */
  readonly maxHeight?: number | undefined
}

const MIN_HEIGHT = 60
const MAX_HEIGHT = 900

export function Preview({ html, title, maxHeight = MAX_HEIGHT }: PreviewProps) {
  const frame = useRef<HTMLIFrameElement>(null)
  const [height, setHeight] = useState(MIN_HEIGHT)

  // The listener is there before the frame is, or the height that the frame tells first would be lost.
  useLayoutEffect(() => {
    const onMessage = ({ source, data }: MessageEvent<{ previewHeight?: unknown }>): void => {
      if (source !== frame.current?.contentWindow || typeof data !== 'object' || data === null) return
      if (typeof data.previewHeight === 'number')
        setHeight(Math.min(Math.max(MIN_HEIGHT, data.previewHeight), maxHeight))
    }
    addEventListener('message', onMessage)
    return () => removeEventListener('message', onMessage)
  }, [maxHeight])

  const show = useCallback((): void => frame.current?.contentWindow?.postMessage({ previewHtml: html }, '*'), [html])
  useEffect(show, [show])

  return (
    <iframe
      ref={frame}
      title={title}
      src={fileUrl('preview.html')}
      sandbox="allow-scripts"
      className={styles.preview}
      style={{ height }}
      // Before this, nobody in the frame listens; each time, since a frame that loads again is empty again.
      onLoad={show}
    />
  )
}
