// A block of content that the server renders with its fallback, and an event.
import { Block } from '@footfall/react'
import { Order } from './order'

export default function Start() {
  return (
    <main>
      <Block name={process.env.NEXT_PUBLIC_FOOTFALL_BLOCK ?? 'hero'} fallback="<h1>Letters, carried</h1>" />
      <Order />
    </main>
  )
}
