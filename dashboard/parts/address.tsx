// An address of a page, as people read it: decoded, and isolated part by part, so that words from right to
// left stay where they stand in it.
import { Fragment } from 'react'
import { shownAddress } from '../address.ts'

export function Address({ address }: { address: string }) {
  const shown = shownAddress(address)
  if (/^[ -~]*$/.test(shown)) return <bdi dir="ltr">{shown}</bdi>
  return (
    <bdi dir="ltr">
      {shown.split('/').map((part, index) => (
        <Fragment key={index}>
          {index > 0 && '/'}
          {part !== '' && <bdi>{part}</bdi>}
        </Fragment>
      ))}
    </bdi>
  )
}
