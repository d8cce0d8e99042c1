// Lists of people who get email about a property, with or without an account.

/** With what it is about, as readers are told. */
export const lists = ['submissions', 'notices', 'weekly', 'monthly', 'alerts'] as const
export type ListKind = (typeof lists)[number]

/** Of one property, or of one of its forms. */
export interface ListRef {
  readonly propertyId: string
  readonly kind: ListKind
  readonly formId?: string | undefined
}

export type SubscriberState = 'active' | 'unsubscribed'

/** Of one list, without those who unsubscribed: a team; more are an audience, for which this is no tool. */
export const MAX_SUBSCRIBERS = 20
