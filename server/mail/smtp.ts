// The one way out for mail: a message to the mail server of SMTP_URL, and what its answer means. Nothing is
// retried and nothing is written here.
import { createTransport, type NodemailerError } from 'nodemailer'
import type { Sender, SmtpServer } from '../setting-values.ts'
import type { MailContent } from './mail-model.ts'

/** Over each step of the conversation; a server that greylists by waiting takes less. */
const STEP_MS = 20_000
/** Over a whole attempt, however a server draws it out. */
const ATTEMPT_MS = 60_000

export interface Message {
  /** The same on every attempt, so that a repetition can be told. */
  readonly id: string
  readonly to: string
  readonly content: MailContent
  readonly createdMs: number
}

/** null: the server has taken it. `isFinal`: another attempt would be refused as well. */
export type Refusal = { readonly reason: string; readonly isFinal: boolean } | null

export interface Transport {
  /** Never throws. */
  send(message: Message): Promise<Refusal>
  /** Connects and signs in, and sends nothing. Never throws. */
  check(): Promise<Refusal>
}

export interface TransportOptions {
  readonly server: SmtpServer
  readonly from: Sender
  /** PEM certificates to trust beside none of the system's; those of the system when left out. */
  readonly ca?: string | undefined
  readonly stepMs?: number | undefined
  readonly attemptMs?: number | undefined
}

const MAX_REASON = 300

const codes: Readonly<Record<string, string>> = {
  EAUTH: 'The mail server did not accept user and password',
  ENOAUTH: 'The mail server asks for a user and a password',
  ECONNECTION: 'The mail server cannot be reached, or closed the connection',
  ESOCKET: 'The mail server cannot be reached, or closed the connection',
  EDNS: 'The hostname of the mail server cannot be resolved',
  ETIMEDOUT: 'The mail server did not answer in time',
  EABORT: 'The mail server did not answer in time',
  ETLS: 'No encrypted connection to the mail server came about',
  EPROTOCOL: 'The mail server did not answer as one',
}

/** One line of text, without what could be mistaken for another one. */
const plain = (words: string): string =>
  words
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
    .slice(0, MAX_REASON)
    .toWellFormed()

/** A certificate that is not trusted comes as an error of the socket. */
const isCertificate = ({ message }: Error): boolean => /certificate|self-signed|altnames|TLS|SSL/i.test(message)

/**
 * RFC 5321, 4.2.1: 4xx may succeed later, 5xx will not. A login that is refused may be mended by the
 * operator.
 */
export function refusalOf(error: NodemailerError): NonNullable<Refusal> {
  const { code = '', responseCode, response, message } = error
  const isAboutMail = code === 'EENVELOPE' || code === 'EMESSAGE'
  if (isAboutMail)
    return {
      reason: plain(response ?? message),
      isFinal: responseCode === undefined || responseCode >= 500,
    }
  const words = isCertificate(error) && code !== 'EAUTH' ? codes['ETLS']! : codes[code]
  const detail = plain(response ?? message)
  return { reason: words === undefined ? detail : plain(`${words}: ${detail}`), isFinal: false }
}

function connectionOf({ server, ca, stepMs = STEP_MS }: TransportOptions) {
  const { host, port, tls, user, password } = server
  return {
    host,
    port,
    secure: tls === 'secure',
    requireTLS: tls === 'required',
    ignoreTLS: tls === 'off',
    ...(user !== null && password !== null && { auth: { user, pass: password } }),
    tls: { ...(ca !== undefined && { ca }), minVersion: 'TLSv1.2' as const },
    dnsTimeout: stepMs,
    connectionTimeout: stepMs,
    greetingTimeout: stepMs,
    socketTimeout: stepMs,
    // A letter holds nothing that would have to be fetched.
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}

const unsubscribing = (url: string) => ({
  'List-Unsubscribe': `<${url}>`,
  'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
})

function messageOf(from: Sender, { id, to, content, createdMs }: Message) {
  const { subject, text, html, replyTo, unsubscribeUrl } = content
  return {
    from,
    // As an object: an address is never taken for a list of addresses.
    to: { name: '', address: to },
    ...(replyTo !== undefined && { replyTo: { name: '', address: replyTo } }),
    subject,
    text,
    html,
    messageId: `<${id}@${from.address.slice(from.address.lastIndexOf('@') + 1)}>`,
    date: new Date(createdMs),
    // RFC 3834: no machine answers it.
    headers: { 'Auto-Submitted': 'auto-generated', ...(unsubscribeUrl !== undefined && unsubscribing(unsubscribeUrl)) },
  }
}

/**
 * Each message has a connection of its own: there are few, and a connection that hangs holds up its own
 * alone.
 */
export function openTransport(options: TransportOptions): Transport {
  const { from, attemptMs = ATTEMPT_MS } = options
  const attempt = async (work: () => Promise<unknown>): Promise<Refusal> => {
    try {
      await work()
      return null
    } catch (error) {
      return refusalOf(error as NodemailerError)
    }
  }
  return {
    send: (message) =>
      attempt(() =>
        createTransport(connectionOf(options)).sendMail({
          ...messageOf(from, message),
          signal: AbortSignal.timeout(attemptMs),
        }),
      ),
    check: () => attempt(() => createTransport(connectionOf(options)).verify()),
  }
}
