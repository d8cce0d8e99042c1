// Checks for `footfall doctor` that the mail server can be reached and lets us in. Nothing is sent.
import { mailStatus } from '../server/mail/log.ts'
import { transportOf } from '../server/mail/mailing.ts'
import { ok, type Scene, type Verdict, warn, wrong } from './doctor-verdict.ts'

export async function checkMail({ config }: Scene): Promise<Verdict> {
  const { missing, server, from, encryption } = mailStatus(config)
  if (missing.length === 2) return ok('not set up: no mail is sent')
  if (missing.length === 1) return warn(`no mail is sent: ${missing[0]} is not set`)
  const refusal = await transportOf(config)?.check()
  if (refusal) return wrong(refusal.reason)
  const says = `${server} lets us in, for mail from ${from}`
  return encryption === 'off' ? warn(`${says}; the connection is not encrypted`) : ok(says)
}
