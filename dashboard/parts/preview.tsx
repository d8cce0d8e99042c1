// HTML of an owner as visitors would see it, in a frame without an origin whose policy lets no script of it
// run.
import { useEffect, useRef, useState } from 'react'
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
  const [isReady, setReady] = useState(false)

  useEffect(() => {
    const onMessage = ({ source, data }: MessageEvent<{ previewReady?: unknown; previewHeight?: unknown }>): void => {
      if (source !== frame.current?.contentWindow || typeof data !== 'object' || data === null) return
      if (data.previewReady === true) setReady(true)
      if (typeof data.previewHeight === 'number')
        setHeight(Math.min(Math.max(MIN_HEIGHT, data.previewHeight), maxHeight))
    }
    addEventListener('message', onMessage)
    return () => removeEventListener('message', onMessage)
  }, [maxHeight])

  useEffect(() => {
    if (isReady) frame.current?.contentWindow?.postMessage({ previewHtml: html }, '*')
  }, [isReady, html])

  return (
    <iframe
      ref={frame}
      title={title}
      src={fileUrl('preview.html')}
      sandbox="allow-scripts"
      className={styles.preview}
      style={{ height }}
    />
  )
}
