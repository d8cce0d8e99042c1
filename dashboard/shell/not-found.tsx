// An address that leads nowhere, or to something that the reader may not know about: the two look the same.
import { Compass } from 'lucide-react'
import { useRef } from 'react'
import { LinkButton } from '../parts/button.tsx'
import { useHeadingFocus } from '../parts/heading-focus.ts'
import { EmptyState } from '../parts/states.tsx'
import { common as text } from '../texts/index.ts'
import { useTitle } from '../title.ts'

export function NotFound() {
  useTitle(text.notFound.title)
  const heading = useRef<HTMLHeadingElement>(null)
  useHeadingFocus(heading)
  return (
    <EmptyState
      icon={<Compass />}
      title={
        <h1 ref={heading} tabIndex={-1}>
          {text.notFound.title}
        </h1>
      }
      actions={<LinkButton href="/">{text.notFound.back}</LinkButton>}
    >
      {text.notFound.hint}
    </EmptyState>
  )
}
