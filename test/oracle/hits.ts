// The raw list of hits: what visitors and the owner's server sent, and when. Traffic makes it, the sender
// sends it, the oracle folds it.

export type Scalar = string | number | boolean | null

/** Who sends: the three things by which the service knows a visitor. */
export interface Visitor {
  readonly address: string
  readonly agent: string
  readonly language: string
}

interface Sent {
  /** Milliseconds since 1970. No visitor loads two pages in one millisecond. */
  readonly at: number
  readonly visitor: Visitor
}

export interface Load extends Sent {
  readonly kind: 'load'
  readonly url: string
  readonly title: string
  readonly referrer: string
  /** Where the visitor would come from, if this is the first view of a session: a row of the catalogue. */
  readonly landing: string
}

/** The five below name the load whose answer gave them their view id or session id. */
export interface Ping extends Sent {
  readonly kind: 'ping'
  readonly load: Load
  readonly tos: number
  /** -1: not known. */
  readonly max: number
}

export interface CustomEvent extends Sent {
  readonly kind: 'event'
  readonly load: Load
  readonly by: 'browser' | 'server'
  readonly name: string
  readonly value: Scalar
  readonly meta: Readonly<Record<string, string>>
}

export interface Acquisition extends Sent {
  readonly kind: 'acquisition'
  readonly load: Load
  readonly by: 'browser' | 'server'
  readonly value?: number
  readonly currency?: string
  readonly tags?: readonly string[]
}

/** The owner's server says who somebody is: a browser is always the same person's. */
export interface Identify extends Sent {
  readonly kind: 'identify'
  readonly load: Load
  readonly by: 'server'
  /** The external id of the contact. */
  readonly person: string
}

/** A form that is opened, filled in and sent at one moment. */
export interface SentForm extends Sent {
  readonly kind: 'form'
  readonly load: Load
  /** The form's name: one of those that the traffic has. */
  readonly form: string
}

/** A visit to a short link. */
export interface Click extends Sent {
  readonly kind: 'click'
  /** The link's name: one of those that the traffic has. */
  readonly link: string
  /** A person follows it; the others only fetch it. */
  readonly how: 'follow' | 'head' | 'prefetch'
}

/** What is about a load of before. */
export type Later = Ping | CustomEvent | Acquisition | Identify | SentForm
export type Hit = Load | Later | Click

export const SECOND = 1000
export const MINUTE = 60 * SECOND
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

export const dayOf = (at: number) => Math.floor(at / DAY)

export const visitorKey = (visitor: Visitor) => `${visitor.address}|${visitor.agent}|${visitor.language}`
