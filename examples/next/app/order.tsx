'use client'
import { useEvent } from '@footfall/react'

export function Order() {
  const event = useEvent()
  return <button onClick={() => void event('order', 'stamp')}>Order a stamp</button>
}
