// A page that there is no more – the period became shorter, a filter came – is left for the first one.
import { useEffect } from 'react'

export interface Listed {
  readonly data: readonly unknown[]
  readonly total: number
}

/** @param answer to the question for `page`; undefined while it is on its way. */
export function useExistingPage(page: number, answer: Listed | undefined, onPage: (page: number) => void): void {
  const isBeyond = page > 1 && answer !== undefined && answer.data.length === 0
  useEffect(() => {
    if (isBeyond) onPage(1)
  })
}
