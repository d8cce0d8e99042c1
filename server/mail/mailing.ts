// Starts the sending of mail on this node, where SMTP_URL and MAIL_FROM are set.
import type { Config } from '../config.ts'
import type { Deps } from '../kernel/deps.ts'
import { MailEngine } from './engine.ts'
import { openTransport, type Transport } from './smtp.ts'

export interface MailingOptions {
  /** PEM certificates to trust; those of the system when left out. */
  readonly ca?: string | undefined
  readonly pollMs?: number
  readonly stepMs?: number
}

/** Undefined where no mail server is set up. */
export function transportOf(
  { smtp, mailFrom }: Pick<Config, 'smtp' | 'mailFrom'>,
  { ca, stepMs }: MailingOptions = {},
): Transport | undefined {
  return smtp && mailFrom ? openTransport({ server: smtp, from: mailFrom, ca, stepMs }) : undefined
}

type MailingDeps = Pick<Deps, 'records' | 'keys' | 'log' | 'now' | 'config'>

/** Sends from now on. */
export function openMailing(deps: MailingDeps, options: MailingOptions = {}): { close(): Promise<void> } {
  const transport = transportOf(deps.config, options)
  const engine = transport && new MailEngine(deps, transport, options.pollMs)
  return { close: async () => engine?.close() }
}
