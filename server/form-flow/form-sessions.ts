// Form sessions: one visitor filling in one form, pinned to an IP address, for ten minutes and one use. They
// are stored in the records, so that any node can take any step.
import type { Context } from '../context.ts'
import type { Wait } from '../queues/deadline.ts'
import { readSessionId, type SessionRef } from '../kernel/ids.ts'
import { type Keys, mac } from '../kernel/keys.ts'
import { Problem } from '../kernel/problem.ts'
import { randomText, secretHash } from '../kernel/secrets.ts'
import type { Visitor } from '../tracker/tracker.ts'
import { findFormSession, type FoundFormSession } from './records.ts'

/** 190 bits: cannot be guessed. */
const TOKEN_LENGTH = 32
const tokenShape = /^[0-9A-Za-z]{32}$/
const ID_BYTES = 8
const HONEYPOT_PREFIX = 'extra_'
const HONEYPOT_LETTERS = 8
/** The largest multiple of 26 in a byte: above it the first letters would be more likely than the last. */
const FAIR = 234

/**
 * How long one call waits in all for reading and appending facts: a visitor is waiting. Longer than an insert
 * takes under load, so that nearly every step is stored before its answer.
 */
export const FACTS_MS = 300

/** Headers by lower-case name, as Node reads them. */
export type Headers = Readonly<Record<string, string | string[] | undefined>>

/** The caller of a step, the same for every step of a form. */
export interface Caller {
  readonly headers: Headers
  /** Undefined without the header. */
  readonly signature: string | undefined
  /** X-SVC-LIB; '' without it. */
  readonly lib: string
  readonly visitorOf: (property: { readonly proxy_key_hash: string | null }) => Visitor
  /** Charges work for the caller to the visitor's IP address, in milliseconds of the thread. */
  readonly payFor: (visitor: Visitor, costMs: number) => void
  /** For the facts: all waits of the call together last at most FACTS_MS. */
  readonly wait: Wait
}

/** Keyed per property: the records hold no IP address of visitors who sent nothing. Hex. */
export function addressMac(keys: Keys, propertyId: string, { address }: Pick<Visitor, 'address'>): string {
  return mac(keys('form-visitor'), propertyId, 'address', address).toString('hex')
}

/** The same for the user agent. */
export function agentMac(keys: Keys, propertyId: string, { agent }: Pick<Visitor, 'agent'>): string {
  return mac(keys('form-visitor'), propertyId, 'agent', agent).toString('hex')
}

type Random = Pick<Context, 'randomBytes'>

export const newToken = ({ randomBytes }: Random): string => randomText(randomBytes, TOKEN_LENGTH)

/** Unsigned 64-bit, decimal. */
export const newFactId = ({ randomBytes }: Random): string => randomBytes(ID_BYTES).readBigUInt64BE().toString()

function randomLetters({ randomBytes }: Random, length: number): string {
  let text = ''
  while (text.length < length)
    for (const byte of randomBytes(length - text.length)) if (byte < FAIR) text += String.fromCharCode(97 + (byte % 26))
  return text
}

/** A name that no autofill knows and no field of the form has. */
export function newHoneypot(random: Random, fields: readonly { readonly name: string }[]): string {
  const taken = new Set(fields.map(({ name }) => name))
  for (;;) {
    const name = HONEYPOT_PREFIX + randomLetters(random, HONEYPOT_LETTERS)
    if (!taken.has(name)) return name
  }
}

const over = (why: string) => new Problem('form_session', `Session expired: ${why}`)
/** The same sentence for all: trying tokens does not reveal which ones exist. */
const UNKNOWN = 'open the form again.'

/** @throws Problem('form_session') for an unknown, used or expired token. */
export async function getOpenSession(
  { records, now }: Pick<Context, 'records' | 'now'>,
  token: string,
): Promise<FoundFormSession> {
  const found = tokenShape.test(token) ? await findFormSession(records, secretHash(token)) : undefined
  if (!found || found.consumed_ms !== null || now() > found.expires_ms) throw over(UNKNOWN)
  return found
}

export const alreadyUsed = (): Problem => over(UNKNOWN)

/** @throws Problem('form_session') unless the caller has the IP address from which the form was opened. */
export function assertSameAddress(keys: Keys, session: FoundFormSession, visitor: Visitor): void {
  if (addressMac(keys, session.property_id, visitor) !== session.address_mac)
    throw over('the form was opened from another address.')
}

/** Global Privacy Control: the visitor asked that page visits are not connected with what is sent. */
export const isUntied = (headers: Headers): boolean => headers['sec-gpc'] === '1'

type VisitDeps = Pick<Context, 'keys' | 'visitors' | 'log'>

async function findVisit(
  { keys, visitors }: VisitDeps,
  propertyId: string,
  given: string | undefined,
  visitor: Visitor,
): Promise<SessionRef | undefined> {
  const named = given === undefined ? undefined : readSessionId(keys, propertyId, given)
  if (named && (await visitors.isCurrent(named))) return named
  const rebuilt = await visitors.identify(propertyId, visitor)
  return (await visitors.exists(propertyId, rebuilt)) ? rebuilt : undefined
}

/**
 * The visitor's session: as the page names it, else rebuilt from the request. Undefined when there is none,
 * or it is not known in time.
 */
export async function findVisitSession(
  deps: VisitDeps,
  propertyId: string,
  { headers, wait }: Pick<Caller, 'headers' | 'wait'>,
  visitor: Visitor,
): Promise<SessionRef | undefined> {
  if (isUntied(headers)) return undefined
  const header = headers['x-svc-sid']
  const given = typeof header === 'string' && header !== '' ? header : undefined
  return wait(findVisit(deps, propertyId, given, visitor), (error) =>
    deps.log.warn({ reason: reasonOf(error) }, 'the session of who fills in a form could not be told'),
  )
}

/** Only the message: other properties of a store's error may repeat what was sent. */
export const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
