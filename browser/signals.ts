// Page views, time and scroll, events: the tracker calls of the service, from a page.
export interface Signals {
  readonly session?: string
}
