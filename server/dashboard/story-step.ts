// What the story of a session is made of, as the service answers and the dashboard shows it. Texts are as they were collected; what is not known is left out.
export interface StoryStep {
  /** Unix seconds. */
  readonly ts: number
  readonly kind: 'link' | 'page' | 'event' | 'form' | 'contact' | 'money' | 'content' | 'webhook'
  readonly title: string
  readonly detail?: string
  /** In view, of a page or of content. */
  readonly seconds?: number
  /** 0 to 100. */
  readonly scroll?: number
  /** Of the link, form submission, contact, block or delivery. */
  readonly id?: string
  /** That the delivery belongs to. */
  readonly automation_id?: string
  readonly status?: string
  /** Minor units of `currency`. */
  readonly amount_cents?: number
  readonly currency?: string
}
