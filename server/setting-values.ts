// How the texts of settings become values. Each reader throws an Error with the reason alone: its caller
// knows the name of the setting.
import { isIP } from 'node:net'
import { readEmail } from './kernel/email.ts'

/** Ranges that the proxy check knows by name. */
const NAMED_RANGES = new Set(['loopback', 'linklocal', 'uniquelocal'])

export function wholeNumber(from: number, to: number) {
  return (text: string): number => {
    const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN
    if (!(value >= from && value <= to)) throw new Error(`must be a whole number from ${from} to ${to}`)
    return value
  }
}

export function url(...schemes: readonly string[]) {
  return (text: string): string => {
    const scheme = URL.canParse(text) ? new URL(text).protocol : ''
    if (!schemes.includes(scheme))
      throw new Error(`must be a URL beginning with ${schemes.map((name) => `${name}//`).join(' or ')}`)
    return text.replace(/\/+$/, '')
  }
}

export const whole = (from: number, to: number) => ({
  type: `whole number, ${from} to ${to}`,
  read: wholeNumber(from, to),
})

export const httpUrl = { type: 'http:// or https:// URL', read: url('http:', 'https:') }

export function list<T>(read: (text: string) => T) {
  return (text: string): T[] => text.split(',').map((item) => read(item.trim()))
}

export function atLeast(characters: number) {
  return (text: string): string => {
    if (text.length < characters) throw new Error(`must have at least ${characters} characters`)
    return text
  }
}

export function oneOf<T>(values: Readonly<Record<string, T>>) {
  return (text: string): T => {
    const value = Object.hasOwn(values, text) ? values[text] : undefined
    if (value === undefined) throw new Error(`must be one of: ${Object.keys(values).join(', ')}`)
    return value
  }
}

export function addressRange(text: string): string {
  const [address = '', bits, ...rest] = text.split('/')
  const family = isIP(address)
  const bitsAreRight = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128))
  if (NAMED_RANGES.has(text) || (family !== 0 && bitsAreRight && rest.length === 0)) return text
  throw new Error('must be addresses or CIDR ranges separated by commas')
}

/** As URL has it: in lower case, punycode for other letters, and IPv6 addresses without brackets. */
export function hostName(text: string): string {
  const written = isIP(text) === 6 ? `[${text}]` : text
  const url = /^(?:\[[\da-f:.]+\]|[^\s/?#@:\\]+)$/i.test(written) ? URL.parse(`http://${written}`) : null
  if (!url || !/^(?:\[.*\]|[\w.-]+)$/.test(url.hostname))
    throw new Error('must be host names without scheme or port, separated by commas')
  return url.hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '')
}

/** The names of ranges stand for less than a reader would think; here every address is written out. */
export function plainRange(text: string): string {
  if (NAMED_RANGES.has(text)) throw new Error('must be addresses or CIDR ranges separated by commas')
  return addressRange(text)
}

const MAX_DELAYS = 10

export function delays(text: string): number[] {
  const read = list(wholeNumber(1, 86_400))(text)
  if (read.length > MAX_DELAYS) throw new Error(`may have at most ${MAX_DELAYS} numbers`)
  return read
}

export function clusterName(text: string): string {
  if (!/^[A-Za-z_][\w-]{0,63}$/.test(text)) throw new Error('must be a name of letters, digits, - and _')
  return text
}

/** `/signals.js=/js/app.js`: which paths can be named, and how, server/scripts/public-paths.ts knows. */
export function renaming(text: string): [string, string] {
  const [from = '', to = '', ...rest] = text.split('=').map((path) => path.trim())
  if (!from.startsWith('/') || !to.startsWith('/') || rest.length > 0)
    throw new Error('must be pairs like /signals.js=/js/app.js, separated by commas')
  return [from, to]
}

export const asItIs = (text: string): string => text

/** A folder, or a bucket of S3-compatible storage with what all names in it begin with. */
export function backupTarget(text: string): string {
  if (text.startsWith('s3:') && !/^s3:\/\/[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](?:\/[\w.!*'()/-]*)?$/.test(text))
    throw new Error('must be a folder, or s3:// with a bucket and maybe a prefix of plain letters')
  return text
}

/** Minutes into the hour, the day or the week, UTC; weeks begin on Monday. */
export interface BackupSchedule {
  readonly every: 'hour' | 'day' | 'week'
  readonly minute: number
}

const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']
const DAY_MINUTES = 24 * 60
const dayTime = /^(?:daily|weekly ([a-z]{3})) ([01]\d|2[0-3]):([0-5]\d)$/

export function backupSchedule(text: string): BackupSchedule {
  if (text === 'hourly') return { every: 'hour', minute: 0 }
  const [found, weekday, hours, minutes] = dayTime.exec(text.toLowerCase()) ?? []
  const day = weekday === undefined ? 0 : weekdays.indexOf(weekday)
  if (found === undefined || day < 0)
    throw new Error(
      'must be `hourly`, `daily` with a time such as 03:00, or `weekly` with a day and a time: weekly sun 03:00',
    )
  const minute = day * DAY_MINUTES + Number(hours) * 60 + Number(minutes)
  return { every: weekday === undefined ? 'day' : 'week', minute }
}

/** How mail reaches the mail server: `secure` is TLS from the first byte, the others begin without it. */
export interface SmtpServer {
  readonly host: string
  readonly port: number
  readonly tls: 'secure' | 'required' | 'optional' | 'off'
  readonly user: string | null
  readonly password: string | null
}

const SMTP_PORTS = { 'smtp:': 587, 'smtps:': 465 } as const
const smtpShape = 'must be a URL such as smtps://user:password@smtp.example.com'
const tlsModes = new Set(['required', 'optional', 'off'])

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw new Error('has a % in its user or password that stands for nothing: write it as %25')
  }
}

function tlsOf(secure: boolean, query: URLSearchParams): SmtpServer['tls'] {
  const mode = query.get('tls') ?? 'required'
  if (!tlsModes.has(mode) || [...query.keys()].some((key) => key !== 'tls'))
    throw new Error('takes ?tls=required, ?tls=optional or ?tls=off, and nothing else behind the ?')
  if (secure && mode !== 'required') throw new Error('is smtps://, which is TLS from the start: leave ?tls= out')
  return secure ? 'secure' : (mode as SmtpServer['tls'])
}

/** The password never stands in what it throws. */
export function smtpServer(text: string): SmtpServer {
  const url = URL.parse(text)
  const scheme = url?.protocol
  if (!url || (scheme !== 'smtp:' && scheme !== 'smtps:') || url.hostname === '') throw new Error(smtpShape)
  if (!/^\/?$/.test(url.pathname) || url.hash !== '') throw new Error(smtpShape)
  const [user, password] = [decoded(url.username), decoded(url.password)]
  if ((user === '') !== (password === '')) throw new Error('needs both a user and a password, or neither')
  return {
    host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: Number(url.port) || SMTP_PORTS[scheme],
    tls: tlsOf(scheme === 'smtps:', url.searchParams),
    user: user || null,
    password: password || null,
  }
}

export interface Sender {
  readonly name: string
  readonly address: string
}

/** `Footfall <mail@example.com>`, or the address alone. */
export function sender(text: string): Sender {
  const [, name = '', inner] = /^\s*"?([^"<>]*?)"?\s*<([^<>]*)>\s*$/.exec(text) ?? []
  const address = readEmail(inner ?? text)
  // oxlint-disable-next-line no-control-regex -- none of them belongs in a header
  if (!address || /[\u0000-\u001f\u007f]/.test(text))
    throw new Error('must be an email address, alone or as Name <address>')
  return { name, address: address.text }
}
