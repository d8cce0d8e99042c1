// Email addresses: which texts are valid, and when two spellings are the same address.
import { domainToASCII } from 'node:url'

export interface EmailAddress {
  /** Trimmed, otherwise as written. */
  readonly text: string
  /** What comparisons use: lower case, the domain in its ASCII form. */
  readonly key: string
}

/** RFC 5321, 4.5.3.1.1 (bytes); mail servers refuse more. */
const MAX_LOCAL_BYTES = 64
/** The limit of docs/api/contacts.md, in characters; the DNS ends names at 253. */
const MAX_ADDRESS = 255
const MAX_DOMAIN = 253

/**
 * Words with single dots between them (dot-atom of RFC 5322, 3.2.3), and letters, marks and digits of any
 * script (RFC 6531). No quoted ones: nobody uses them, and they could hide anything.
 */
const localPart = /^[\w!#$%&'*+/=?^`{|}~\p{L}\p{M}\p{N}-]+(?:\.[\w!#$%&'*+/=?^`{|}~\p{L}\p{M}\p{N}-]+)*$/u
/**
 * Letters of any script with the joiners that some need, before the conversion to ASCII, where 。 is a full
 * stop too.
 */
const writtenDomain = /^(?:[\p{L}\p{M}\p{N}\p{So}.。-]|\u200c|\u200d)+$/u
/** At least two labels of at most 63 characters, and no numeric last one: that would be an IP address. */
const asciiDomain = /^(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+(?!\d+$)[a-z\d](?:[a-z\d-]{0,61}[a-z\d])$/

function domainKey(domain: string): string | undefined {
  if (!writtenDomain.test(domain)) return undefined
  const ascii = domainToASCII(domain)
  return ascii.length <= MAX_DOMAIN && asciiDomain.test(ascii) ? ascii : undefined
}

/** Undefined for a text that is no email address on the internet. */
export function readEmail(written: string): EmailAddress | undefined {
  const text = written.trim()
  const at = text.lastIndexOf('@')
  const local = text.slice(0, Math.max(at, 0))
  if ([...text].length > MAX_ADDRESS || !localPart.test(local)) return undefined
  const localKey = local.toLowerCase().normalize('NFC')
  const domain = domainKey(text.slice(at + 1))
  if (domain === undefined || Buffer.byteLength(localKey) > MAX_LOCAL_BYTES) return undefined
  return { text, key: `${localKey}@${domain}` }
}

/** Providers to whom `a.da` and `ada` are one mailbox, by all of their names. */
const dotless: ReadonlySet<string> = new Set(['gmail.com', 'googlemail.com'])

/**
 * The mailbox that an address most likely leads to: what follows a `+` is left out, and dots where they mean
 * nothing. For limits alone, since a mail server may well tell such addresses apart.
 */
export function inboxOf({ key }: Pick<EmailAddress, 'key'>): string {
  const at = key.lastIndexOf('@')
  const [local, domain] = [key.slice(0, at), key.slice(at + 1)]
  const name = local.split('+', 1)[0] || local
  return dotless.has(domain) ? `${name.replaceAll('.', '')}@gmail.com` : `${name}@${domain}`
}
