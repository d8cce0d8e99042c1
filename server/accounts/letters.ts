// Mail to people who sign in: a link that was made for them, and a sign-in from a place that is new.
import { type Config, dashboardUrl } from '../config.ts'
import type { Deps } from '../kernel/deps.ts'
import type { EmailAddress } from '../kernel/email.ts'
import { button, enqueueMail, facts, type Letter, text } from '../mail/mail.ts'
import type { InvitationLink } from '../members/invitations.ts'
import type { Tx } from '../stores/records.ts'

/** Without `keys`, as on the command line, links are only shown. */
export type LetterDeps = Pick<Deps, 'now' | 'randomBytes'> & {
  readonly config: Config
  readonly keys?: Deps['keys'] | undefined
}

const once = 'The link works once, until the time below. Anybody who has it can use it, so do not share it.'
const moment = (ts: number): string => `${new Date(ts * 1000).toISOString().slice(0, 16).replace('T', ' ')} UTC`

function invitationLetter({ url, invitation }: InvitationLink, host: string, propertyName: string | undefined): Letter {
  const to = propertyName === undefined ? host : `${propertyName} (${host})`
  return {
    subject: propertyName === undefined ? 'Your account in Footfall' : `Invitation to ${propertyName}`,
    title: 'You are invited',
    blocks: [
      text(`You can sign in to ${to} once you have accepted the invitation.`),
      button('Accept the invitation', url),
      text(once),
      facts([['Expires', moment(invitation.expires_ts)]]),
    ],
    reason:
      'You received this email because someone entered your email address in Footfall. If this was a mistake, ignore it.',
  }
}

const resetLetter = ({ url, invitation }: InvitationLink, host: string): Letter => ({
  subject: 'Set a new password',
  title: 'Set a new password',
  blocks: [
    text(`With this link you set a new password for ${host}. Until then the old one works.`),
    button('Set a new password', url),
    text(once),
    facts([['Expires', moment(invitation.expires_ts)]]),
  ],
  reason: 'You get this email because a new password was asked for. If you did not ask for it, ignore this email.',
})

const hostOf = (config: Config): string => URL.parse(dashboardUrl(config))?.host ?? 'Footfall'

/**
 * In the transaction that makes the link, which is shown to its maker as well.
 * @param propertyName of an invitation into a property.
 */
export async function mailLink(deps: LetterDeps, tx: Tx, link: InvitationLink, propertyName?: string): Promise<void> {
  const { config, keys } = deps
  const { kind, email, email_key: key, expires_ts: expiresTs, property_id: propertyId } = link.invitation
  if (keys === undefined) return
  await enqueueMail({ ...deps, keys }, tx, {
    kind: kind === 'reset' ? 'reset' : 'invitation',
    to: { text: email, key },
    letter: kind === 'reset' ? resetLetter(link, hostOf(config)) : invitationLetter(link, hostOf(config), propertyName),
    propertyId,
    expiresMs: expiresTs * 1000,
  })
}

interface Place {
  readonly browser: string
  readonly os: string
  readonly country: string
  readonly address: string
}

/** In the transaction that opens the session. */
export async function mailNewSignIn(
  deps: LetterDeps & Pick<Deps, 'keys'>,
  tx: Tx,
  to: EmailAddress,
  { browser, os, country, address }: Place,
): Promise<void> {
  const letter: Letter = {
    subject: 'New sign-in to your account',
    title: 'A sign-in from a new place',
    blocks: [
      text(
        `Somebody signed in to your account at ${hostOf(deps.config)} with a browser or from a country not seen before.`,
      ),
      facts([
        ['When', moment(Math.floor(deps.now() / 1000))],
        ['Browser', [browser, os].filter(Boolean).join(', ') || 'unknown'],
        ['Country', country || 'unknown'],
        ['IP address', address],
      ]),
      text('If that was you, there is nothing to do. If not, change your password, which signs out everywhere else.'),
      button('Open your account', `${dashboardUrl(deps.config)}/account`),
    ],
    reason: 'You get this email because it is about the safety of your account.',
  }
  await enqueueMail(deps, tx, { kind: 'new_sign_in', to, letter, propertyId: null })
}
