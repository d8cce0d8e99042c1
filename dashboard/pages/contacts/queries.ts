// Which of the answers in memory tell of contacts.
import type { Query } from '@tanstack/react-query'

/** To be asked again once one of them has changed altogether. */
export const isOfContacts = ({ queryKey: [key, of] }: Pick<Query, 'queryKey'>, property: string): boolean =>
  of === property && /^(?:contact|labels$|story$)/.test(String(key))
