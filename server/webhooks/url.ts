// The URL of an endpoint, checked when it is saved, so that the owner reads at once what is wrong.
// The judgement that counts is made again at every connection (connector.ts).
import { isIP } from 'node:net'
import { settledWithin } from '../queues/deadline.ts'
import { invalid } from '../kernel/problem.ts'
import { bareHost, isPlainHost, openGuard, type Reach, RefusedAddress } from './guard.ts'
import { systemLookup, type Lookup } from './lookup.ts'
import { codeOf } from './reasons.ts'

const MAX_URL_LENGTH = 2048
/** A name server that takes longer than this says nothing about the name. */
const LOOKUP_MS = 5000

/**
 * Faults of the resolver rather than of the name: they pass, and the check at connect time is still to come.
 */
const temporary = new Set([
  'EAI_AGAIN',
  'LOOKUP_NOT_BEGUN',
  'ETIMEOUT',
  'EREFUSED',
  'ESERVFAIL',
  'ECONNREFUSED',
  'ENOMEM',
  'EMFILE',
])

/** Characters that URL() drops or turns without a word, so that the text would not be what is called. */
// oxlint-disable-next-line no-control-regex
const unwanted = /[\u0000-\u0020\u007f-\u00a0\u2028\u2029\ufeff\\]/

/** http is named where there are hosts that may be called so. */
const schemeFault = ({ allowHttp = [] }: Reach): string =>
  allowHttp.length === 0
    ? 'The URL must begin with https://.'
    : 'The URL must begin with https://; http:// is allowed only for the hosts in WEBHOOK_ALLOW_HTTP.'

/** What is wrong with the text of a URL, without looking anything up; undefined when nothing is. */
function faultOf(text: string, url: URL | null, reach: Reach): string | undefined {
  if (text.length > MAX_URL_LENGTH) return `The URL may have at most ${MAX_URL_LENGTH} characters.`
  if (unwanted.test(text)) return 'The URL may not contain spaces, control characters or backslashes.'
  if (url === null) return 'The URL is not one that can be called.'
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isPlainHost(reach, url))) return schemeFault(reach)
  if (url.username !== '' || url.password !== '') return 'The URL may not contain a user name or password.'
  if (url.hash !== '') return 'The URL may not contain a fragment: it is never sent.'
  if (url.port === '0') return 'The URL has a port that cannot be called.'
  return undefined
}

function refusalOf({ hostname, protocol }: URL): string {
  const subject = isIP(bareHost(hostname)) === 0 ? `The host ${hostname} leads to` : 'The host is'
  if (protocol === 'http:')
    return `${subject} an address that is not in WEBHOOK_ALLOW: http:// is for addresses listed there.`
  return `${subject} an address that is not public: loopback, private and reserved addresses are refused.`
}

/** @param failure undefined: there was no answer in time. */
const warningOf = (failure: unknown, host: string): string =>
  failure === undefined || temporary.has(codeOf(failure))
    ? `The name servers did not say where the host ${host} leads: send a test to see whether it can be called.`
    : `The host ${host} was not found in DNS. Deliveries to it fail until it is.`

/**
 * Whether a webhook may be sent there: https, no credentials, a host all of whose addresses are public or in
 * `allow`; or http to a host of `allowHttp`, all of whose addresses are in `allow`.
 * @returns a warning for its owner: the host cannot be looked up yet, because it has no name so far, or no
 * name server answers.
 * @throws Problem 422 on `url`
 */
export async function checkUrl(text: string, reach: Reach, lookup: Lookup = systemLookup): Promise<string | undefined> {
  const url = text.length > MAX_URL_LENGTH ? null : URL.parse(text)
  const fault = faultOf(text, url, reach)
  if (fault !== undefined || url === null) throw invalid('url', fault ?? 'The URL is not one that can be called.')
  const guard = openGuard(reach.allow, url.protocol === 'https:')
  let failure: unknown
  const addresses = await settledWithin(guard.vet(url.hostname, lookup), LOOKUP_MS, (error) => {
    failure = error
  })
  if (failure instanceof RefusedAddress) throw invalid('url', refusalOf(url))
  return addresses === undefined ? warningOf(failure, url.hostname) : undefined
}
