// For what is heavy and further down: made once the reader comes near it.
import { type ReactNode, useEffect, useRef, useState } from 'react'

/** So that it is mostly there when it comes into view. */
const NEAR = '400px'

export interface WhenSeenProps {
  /** Of the size of what follows. */
  readonly fallback: ReactNode
  readonly children: ReactNode
}

export function WhenSeen({ fallback, children }: WhenSeenProps) {
  const place = useRef<HTMLDivElement>(null)
  const [isSeen, setSeen] = useState(false)
  useEffect(() => {
    if (isSeen || !place.current) return undefined
    const observer = new IntersectionObserver((entries) => setSeen(entries.some((entry) => entry.isIntersecting)), {
      rootMargin: NEAR,
    })
    observer.observe(place.current)
    return () => observer.disconnect()
  }, [isSeen])
  return isSeen ? children : <div ref={place}>{fallback}</div>
}
