// A mail server on loopback that keeps what it is given, and refuses, stalls or encrypts as a test says.
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import type { Certificate } from './endpoint.ts'
import type { Ending } from './server.ts'
import { eventually } from './site.ts'

export interface ReceivedMail {
  readonly to: readonly string[]
  readonly from: string
  /** Names in lower case; folded lines are put together. */
  readonly headers: ReadonlyMap<string, string>
  readonly text: string
  readonly html: string
  readonly raw: string
  readonly isEncrypted: boolean
}

export interface MailServer {
  readonly port: number
  readonly received: ReceivedMail[]
  /** What was refused, accepted or stalled so far. */
  attempts(): number
  /** For SMTP_URL. */
  url(options?: { readonly scheme?: string; readonly query?: string; readonly auth?: string }): string
  /** Of the newest mail of this kind of subject, once it has come. */
  find(to: string, subject?: RegExp): Promise<ReceivedMail>
}

export interface MailServerOptions {
  /** What is answered to a recipient instead of 250; called anew on each attempt. */
  readonly refuse?: (to: string, attempt: number) => { readonly code: number; readonly words: string } | undefined
  /** Never answers after the message. */
  readonly stalls?: () => boolean
  readonly certificate?: Certificate
  readonly smtp?: SMTPServerOptions
}

const unfolded = (head: string): Map<string, string> =>
  new Map(
    head
      .replace(/\r\n[ \t]+/g, ' ')
      .split('\r\n')
      .map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  )

function decoded(body: string, encoding: string | undefined): string {
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString()
  if (encoding !== 'quoted-printable') return body
  const bytes = body
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString()
}

function parsed(raw: string): Pick<ReceivedMail, 'headers' | 'text' | 'html'> {
  const end = raw.indexOf('\r\n\r\n')
  const headers = unfolded(raw.slice(0, end))
  const [, boundary = ''] = /boundary="?([^";]+)"?/.exec(headers.get('content-type') ?? '') ?? []
  const parts = raw.slice(end).split(`--${boundary}`).slice(1, -1)
  const byType = new Map(
    parts.map((part) => {
      const at = part.indexOf('\r\n\r\n')
      const own = unfolded(part.slice(2, at))
      const type = own.get('content-type')?.split(';')[0] ?? ''
      return [type, decoded(part.slice(at + 4, -2), own.get('content-transfer-encoding')).replaceAll('\r\n', '\n')]
    }),
  )
  return { headers, text: byType.get('text/plain') ?? '', html: byType.get('text/html') ?? '' }
}

/** Closed at the end. */
export async function openMailServer(t: Ending, options: MailServerOptions = {}): Promise<MailServer> {
  const received: ReceivedMail[] = []
  let attempts = 0
  const { refuse, stalls, certificate, smtp } = options
  const server = new SMTPServer({
    ...(certificate ?? { disabledCommands: ['STARTTLS'] }),
    authOptional: true,
    logger: false,
    closeTimeout: 1,
    onRcptTo({ address }, _session, done) {
      attempts++
      const refusal = refuse?.(address, attempts)
      done(refusal && Object.assign(new Error(refusal.words), { responseCode: refusal.code }))
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        if (stalls?.()) return
        const raw = Buffer.concat(chunks).toString('latin1')
        const { mailFrom, rcptTo } = session.envelope
        const to = rcptTo.map(({ address }) => address)
        received.push({ to, from: mailFrom ? mailFrom.address : '', raw, isEncrypted: session.secure, ...parsed(raw) })
        done()
      })
    },
    ...smtp,
  })
  server.on('error', () => {})
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  const { port } = server.server.address() as AddressInfo
  t.after(
    () =>
      new Promise((resolve) => {
        server.close(() => resolve())
      }),
  )
  const findIn = (to: string, subject: RegExp) =>
    received.findLast((mail) => mail.to.includes(to) && subject.test(mail.headers.get('subject') ?? ''))
  return {
    port,
    received,
    attempts: () => attempts,
    url: ({ scheme = 'smtp', query = certificate ? '' : '?tls=off', auth = '' } = {}) =>
      `${scheme}://${auth}127.0.0.1:${port}${query}`,
    async find(to, subject = /(?:)/) {
      const mail = await eventually(
        async () => findIn(to, subject),
        (found) => found !== undefined,
      )
      if (!mail) throw new Error(`no mail to ${to} came: ${received.map((one) => one.to.join()).join(' ')}`)
      return mail
    },
  }
}
