// `footfall mail test`: sends one mail at once, past the outbox, and says in the mail server's words what
// came of it.
import { randomBytes } from 'node:crypto'
import { mailStatus, testLetter } from '../server/mail/log.ts'
import { letterHtml, letterText } from '../server/mail/letter.ts'
import { transportOf } from '../server/mail/mailing.ts'
import { readConfig } from '../server/config.ts'
import { readEmail } from '../server/kernel/email.ts'
import { newId } from '../server/kernel/secrets.ts'
import { answer, needed, readOptions, UsageError, write } from './command.ts'

const usage = `footfall mail test EMAIL [--json]

Sends a test email through the mail server of SMTP_URL and prints the server's response.
Exit code 0 if the server accepted it, 1 otherwise. Set NODE_EXTRA_CA_CERTS to trust additional certificates.`

/** @returns the exit code. */
export async function mail(args: string[]): Promise<number> {
  const { values, positionals } = readOptions(args, {})
  if (values.help) {
    write(usage)
    return 0
  }
  const [action, given, ...rest] = positionals
  if (action !== 'test' || rest.length > 0) throw new UsageError('the only action is test, with one email address')
  const to = readEmail(needed(given, 'EMAIL'))
  if (!to) throw new UsageError(`${given} is not an email address`)
  const config = readConfig()
  const transport = transportOf(config)
  if (!transport) throw new Error(`email is not set up: ${mailStatus(config).missing.join(' and ')} must be set`)
  const letter = testLetter()
  const content = { subject: letter.subject, text: letterText(letter), html: letterHtml(letter) }
  const refusal = await transport.send({
    id: newId({ randomBytes }, 'ml'),
    to: to.text,
    content,
    createdMs: Date.now(),
  })
  const says = refusal ? refusal.reason : `${mailStatus(config).server} has taken an email to ${to.text}.`
  answer(values.json, { sent: refusal === null, error: refusal?.reason ?? null }, [says])
  return refusal ? 1 : 0
}
