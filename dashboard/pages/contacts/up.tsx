// The way back to the list, over the title of a page behind it, and to the contacts beside this one.
import { BackLink } from '../../parts/detail.tsx'
import { usePropertyPath } from '../../session.tsx'
import { contacts as text } from '../../texts/index.ts'

export function Up() {
  const path = usePropertyPath()
  return <BackLink href={path('/contacts')}>{text.one.back}</BackLink>
}
