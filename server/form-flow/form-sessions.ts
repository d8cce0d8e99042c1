// Form sessions: who fills in which form, pinned to an address, for ten minutes and one use. They live in the records, so that
// any node takes any step of one.
import type { Context } from '../context.ts'
import type { Wait } from '../queues/deadline.ts'
import { readSessionId, type SessionRef } from '../kernel/ids.ts'
import { type Keys, mac } from '../kernel/keys.ts'
import { Problem } from '../kernel/problem.ts'
import { randomText, secretHash } from '../kernel/secrets.ts'
import type { Visitor } from '../tracker/visitors.ts'
import { findFormSession, type FoundFormSession } from './records.ts'

/** 190 bits: nobody guesses one in ten minutes, or ever. */
const TOKEN_LENGTH = 32
const tokenShape = /^[0-9A-Za-z]{32}$/
const ID_BYTES = 8
const HONEYPOT_PREFIX = 'extra_'
const HONEYPOT_LETTERS = 8
/** The largest multiple of 26 in a byte: above it the first letters would be more likely than the last. */
const FAIR = 234

/**
 * Somebody waits for each step of a form; what the facts know, and have to be told, is worth this much of a wait in all and no more.
 * Longer than an insert takes under load, so that nearly every step is noted before its answer.
 */
export const FACTS_MS = 300

/** Headers by lower-case name, as Node reads them. */
export type Headers = Readonly<Record<string, string | string[] | undefined>>

/** Who calls, and with what: the same for every step of a form. */
export interface Caller {
  readonly headers: Headers
  /** Undefined without the header. */
  readonly signature: string | undefined
  /** X-SVC-LIB; '' without it. */
  readonly lib: string
  readonly visitorOf: (property: { readonly proxy_key_hash: string | null }) => Visitor
  /** What is computed for the caller is paid for by the visitor's address, in milliseconds of the thread. */
  readonly payFor: (visitor: Visitor, costMs: number) => void
  /** For the facts: all waits of the call for them have FACTS_MS between them. */
  readonly wait: Wait
}

/** Keyed and of one property: the records hold no address of anybody who sent nothing. Hex. */
export function addressMac(keys: Keys, propertyId: string, { address }: Pick<Visitor, 'address'>): string {
  return mac(keys('form-visitor'), propertyId, 'address', address).toString('hex')
}

/** The same of the user agent. */
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
/** One sentence for all: who tries tokens learns of none that it exists. */
const UNKNOWN = 'open the form again.'

/** @throws Problem('form_session') for a token that is none, or used, or older than its ten minutes. */
export async function getOpenSession(
  { records, now }: Pick<Context, 'records' | 'now'>,
  token: string,
): Promise<FoundFormSession> {
  const found = tokenShape.test(token) ? await findFormSession(records, secretHash(token)) : undefined
  if (!found || found.consumed_ms !== null || now() > found.expires_ms) throw over(UNKNOWN)
  return found
}

export const alreadyUsed = (): Problem => over(UNKNOWN)

/** @throws Problem('form_session') unless the caller has the address that the form was opened from. */
export function holdToAddress(keys: Keys, session: FoundFormSession, visitor: Visitor): void {
  if (addressMac(keys, session.property_id, visitor) !== session.address_mac)
    throw over('the form was opened from another address.')
}

/** Global Privacy Control: the visitor asked not to be followed from the page to what is sent. */
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

/** The visitor's session: as the page names it, else rebuilt. Undefined when there is none, or it is not known in time. */
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

/** Its message alone: what a store says on top may repeat what was sent. */
export const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
