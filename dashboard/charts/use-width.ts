// How wide an element is, so that a drawing fits it to the pixel.
import { type RefObject, useLayoutEffect, useRef, useState } from 'react'

/** 0 until the first layout. */
export function useWidth<Shown extends HTMLElement>(): [RefObject<Shown | null>, number] {
  const shown = useRef<Shown>(null)
  const [width, setWidth] = useState(0)
  useLayoutEffect(() => {
    const { current } = shown
    if (!current) return undefined
    setWidth(current.clientWidth)
    const observer = new ResizeObserver(() => setWidth(current.clientWidth))
    observer.observe(current)
    return () => observer.disconnect()
  }, [])
  return [shown, width]
}
